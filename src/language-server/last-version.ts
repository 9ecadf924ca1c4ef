import { getOrCompute } from '../core/model/lazily.ts';
import type { Checked } from './workspace/check.ts';
import type { SourceFile } from './workspace/file.ts';
import type { Workspace } from './workspace/workspace.ts';

/**
 * Computes a value once for a version of a file and the last check of its package. Only the last one of each file is
 * kept: a version refers to the check before it, so in a map by version each would keep all the earlier ones.
 */
export function forLastVersion<Result>(
  compute: (file: SourceFile, checked: Checked | undefined, workspace: Workspace) => Result,
): (file: SourceFile, workspace: Workspace) => Result {
  const known = new WeakMap<
    Workspace,
    Map<string, { file: SourceFile; checked: Checked | undefined; result: Result }>
  >();
  return (file, workspace) => {
    const checked = workspace.known(file.uri);
    const files = getOrCompute(known, workspace, () => new Map());
    const last = files.get(file.uri);
    if (last?.file === file && last.checked === checked) return last.result;
    const result = compute(file, checked, workspace);
    files.set(file.uri, { file, checked, result });
    return result;
  };
}

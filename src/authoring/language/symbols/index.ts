import { modelOf } from '../expressions.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { rgdOccurrences } from './of-rgd.ts';
import { setOccurrences } from './of-set.ts';
import { instanceOccurrences, type Occurrence, sameTarget, type Target } from './targets.ts';

export type { Occurrence, Target } from './targets.ts';

const known = new WeakMap<SourceFile, { checked: Checked; found: readonly Occurrence[] }>();

/** Returns every name in a file that refers to something in the workspace. */
export function occurrencesIn(file: SourceFile, workspace: Workspace): readonly Occurrence[] {
  const checked = workspace.known(file.uri);
  if (checked === undefined) return [];
  const before = known.get(file);
  if (before?.checked === checked) return before.found;
  const found = file.trees.flatMap((tree) => {
    const model = modelOf(file, tree, workspace);
    return model === undefined
      ? [...instanceOccurrences(file, tree.root, checked), ...setOccurrences(file, tree, checked)]
      : rgdOccurrences(model, checked);
  });
  known.set(file, { checked, found });
  return found;
}

/** Returns all references of the workspace to a target, including its declaration. */
export function referencesTo(target: Target, workspace: Workspace): (Occurrence & { file: SourceFile })[] {
  const files = workspace.packages
    .filter(({ files, beside }) => [...files, ...beside].some(({ uri }) => uri === target.uri))
    .flatMap(({ files }) => files);
  const declaring = workspace.files.get(target.uri);
  return [...new Set([...(declaring === undefined ? [] : [declaring]), ...files])].flatMap((file) =>
    occurrencesIn(file, workspace)
      .filter((one) => sameTarget(one.target, target))
      .map((one) => ({ file, ...one })),
  );
}

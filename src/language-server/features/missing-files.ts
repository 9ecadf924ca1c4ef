import type { Diagnostic as LspDiagnostic } from 'vscode-languageserver';
import { DIAGNOSTICS_PAGE } from '../../check/reports/index.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { pathsNamedIn } from '../yaml/named-paths.ts';
import { settingsKind } from '../yaml/settings-files.ts';

/** What was found in the last version of a file, as long as no file is added or deleted. */
const known = new WeakMap<SourceFile, { generation: number; found: readonly LspDiagnostic[] }>();

/**
 * Returns errors of a kustomization, a golden test or a render-rgd.yaml that name files which do not exist. A path that may
 * be the address of a repository is not checked, nor is any in a host that cannot tell.
 */
export function missingFilesIn(file: SourceFile, workspace: Workspace): readonly LspDiagnostic[] {
  const { exists, generation } = workspace;
  if (exists === undefined || settingsKind(file.uri) === undefined) return [];
  const last = known.get(file);
  if (last?.generation === generation) return last.found;
  const found = pathsNamedIn(file)
    .filter(({ written, target }) => isLocal(written) && !workspace.files.has(target) && !exists(target))
    .map(({ written, node }) => errorAt(file, written, node));
  known.set(file, { generation, found });
  return found;
}

/** Reports whether a path can only be one of this repository: kustomize reads names without an ending from elsewhere. */
const isLocal = (path: string): boolean =>
  /^\.{1,2}\/|\.(?:ya?ml|json)$/.test(path) && !/[\n*?:]|^(?:github\.com|gitlab\.com|bitbucket\.org)\//.test(path);

const errorAt = (file: SourceFile, path: string, node: { innerStart: number; innerEnd: number }): LspDiagnostic => ({
  range: file.rangeOf(node.innerStart, node.innerEnd),
  severity: 1,
  code: 'unreadable-file',
  codeDescription: { href: `${DIAGNOSTICS_PAGE}#unreadable-file` },
  source: 'render-rgd',
  message: `there is no file or folder '${path}' beside this file`,
});

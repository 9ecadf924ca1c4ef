import type { Location, LocationLink } from 'vscode-languageserver';
import { occurrenceAt, referencesTo } from '../symbols/index.ts';
import type { Position, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Returns the declaration of a name. */
export function definitionAt(file: SourceFile, position: Position, workspace: Workspace): LocationLink[] {
  const found = occurrenceAt(file, file.offsetAt(position), workspace);
  const target = found && workspace.files.get(found.target.uri);
  if (found === undefined || target === undefined) return [];
  const range = target.rangeOf(found.target.start, found.target.end);
  return [
    {
      originSelectionRange: file.rangeOf(found.start, found.end),
      targetUri: target.uri,
      targetRange: range,
      targetSelectionRange: range,
    },
  ];
}

/** Returns all references to a name in the workspace. */
export function referencesAt(
  file: SourceFile,
  position: Position,
  workspace: Workspace,
  includeDeclaration: boolean,
): Location[] {
  const found = occurrenceAt(file, file.offsetAt(position), workspace);
  if (found === undefined) return [];
  return referencesTo(found.target, workspace)
    .filter(
      ({ file, occurrence }) =>
        includeDeclaration || file.uri !== found.target.uri || occurrence.start !== found.target.start,
    )
    .map(({ file, occurrence }) => ({ uri: file.uri, range: file.rangeOf(occurrence.start, occurrence.end) }));
}

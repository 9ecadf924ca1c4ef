import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { escapedFieldName } from '../../../languages/cel/index.ts';
import { occurrenceAt, referencesTo, type Target } from '../symbols/index.ts';
import type { Position, Range, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The symbols that can be renamed, with the syntax of their names. */
const NAMES: Partial<Record<Target['role'], RegExp>> = {
  node: /^[a-z][a-zA-Z0-9]*$/,
  iterator: /^[a-z][a-zA-Z0-9]*$/,
  field: /^[A-Za-z_][A-Za-z0-9_.-]*$/,
  type: /^[A-Za-z][A-Za-z0-9]*$/,
  // `id` and `provider` always exist.
  input: /^(?!(?:id|provider)$)[A-Za-z_]\w*$/,
};

/** Returns the range of the name at a position, if it can be renamed. */
export function renameRange(
  file: SourceFile,
  position: Position,
  workspace: Workspace,
): { range: Range; placeholder: string } | undefined {
  const found = occurrenceAt(file, file.offsetAt(position), workspace);
  if (found === undefined || NAMES[found.target.role] === undefined) return undefined;
  return { range: file.rangeOf(found.start, found.end), placeholder: found.target.name };
}

/**
 * Returns the edits of all files that rename a node, an iterator, a field of a schema or a custom type, or an error.
 */
export function renameAt(
  file: SourceFile,
  position: Position,
  name: string,
  workspace: Workspace,
): WorkspaceEdit | { fault: string } | undefined {
  const found = occurrenceAt(file, file.offsetAt(position), workspace);
  const pattern = found && NAMES[found.target.role];
  if (found === undefined || pattern === undefined) return undefined;
  if (!pattern.test(name)) return { fault: `'${name}' cannot be the name of a ${found.target.role}` };
  const changes: Record<string, TextEdit[]> = {};
  const seen = new Set<string>();
  for (const { file: other, occurrence } of referencesTo(found.target, workspace)) {
    const key = `${other.uri} ${occurrence.start}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const newText = occurrence.inExpression && found.target.role === 'field' ? (escapedFieldName(name) ?? name) : name;
    changes[other.uri] ??= [];
    changes[other.uri]?.push({ range: other.rangeOf(occurrence.start, occurrence.end), newText });
  }
  return { changes };
}

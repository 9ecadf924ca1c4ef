import type { Location, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { baseOf } from '../../core/text/paths.ts';
import { escapedFieldName } from '../../languages/cel/index.ts';
import type { YamlNode } from '../../yaml/tree/index.ts';
import type { Place } from '../place.ts';
import { type Occurrence, referencesTo, type Target } from '../symbols/index.ts';
import type { Range, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { collect } from '../yaml/context.ts';
import { added, textAfter } from './fixes/edits.ts';

export function definitionAt({ occurrence, workspace }: Place): Location[] {
  const target = occurrence?.target;
  const declaring = target && workspace.files.get(target.uri);
  return target && declaring ? [{ uri: target.uri, range: declaring.rangeOf(target.start, target.end) }] : [];
}

export function referencesAt({ occurrence, workspace }: Place, includeDeclaration = true): Location[] {
  const target = occurrence?.target;
  const all = target === undefined ? [] : referencesTo(target, workspace);
  return all.flatMap(({ file, start, end }) => {
    const isDeclaration = file.uri === target?.uri && start === target.start;
    return isDeclaration && !includeDeclaration ? [] : { uri: file.uri, range: file.rangeOf(start, end) };
  });
}

/** The symbols that can be renamed, with the syntax of their names. */
const NAMES: Partial<Record<Target['role'], RegExp>> = {
  node: /^[A-Za-z][a-zA-Z0-9]*$/,
  iterator: /^[A-Za-z][a-zA-Z0-9]*$/,
  field: /^[A-Za-z_][A-Za-z0-9_.-]*$/,
  type: /^[A-Za-z][A-Za-z0-9]*$/,
  kind: /^[A-Z][A-Za-z0-9]*$/,
  // `id` and `provider` always exist.
  input: /^(?!(?:id|provider)$)[A-Za-z_]\w*$/,
};

/** Returns the range of the name at a position, if it can be renamed. */
export function renameRange({ file, occurrence }: Place): { range: Range; placeholder: string } | undefined {
  if (occurrence === undefined || NAMES[occurrence.target.role] === undefined) return undefined;
  return { range: file.rangeOf(occurrence.start, occurrence.end), placeholder: occurrence.target.name };
}

/** Returns the edits of all files that rename what NAMES allows; or why the name is invalid or taken. */
export function renameAt(
  { file: edited, occurrence, workspace }: Place,
  name: string,
): WorkspaceEdit | { fault: string } | undefined {
  const pattern = occurrence && NAMES[occurrence.target.role];
  if (occurrence === undefined || pattern === undefined) return undefined;
  const { target } = occurrence;
  if (!pattern.test(name)) return { fault: `'${name}' cannot be the name of a ${target.role}` };
  const escaped = target.role === 'field' ? (escapedFieldName(name) ?? name) : name;
  const unread = unreadFile(target, edited, workspace);
  if (unread !== undefined)
    return {
      fault: `'${target.name}' cannot be renamed: ${unread} may read it, and is not valid YAML; correct it first`,
    };
  const references = placesOf(target, workspace);
  const changes = [...groupBy(references, ({ file }) => file)].map(([file, own]) => ({
    file,
    edits: own.map(({ start, end, inExpression }): TextEdit => {
      return { range: file.rangeOf(start, end), newText: inExpression ? escaped : name };
    }),
  }));
  const texts = new Map(changes.map(({ file, edits }) => [file.uri, textAfter(edits, file)]));
  const fault = name === target.name ? undefined : faultOf(target, name, references, texts, workspace);
  if (fault !== undefined) return { fault };
  return { changes: Object.fromEntries(changes.map(({ file, edits }) => [file.uri, edits])) };
}

type Reference = Occurrence & { file: SourceFile };

/** Returns each reference once. */
const placesOf = (target: Target, workspace: Workspace): Reference[] => {
  const places = referencesTo(target, workspace).map((one) => [`${one.file.uri} ${one.start}`, one] as const);
  return [...new Map(places).values()];
};

/**
 * Returns the name of a file that may have a reference which cannot be read, because the file is not valid YAML. In the
 * file that is edited, and in that of the declaration, references are found nevertheless.
 */
function unreadFile({ uri, role }: Target, edited: SourceFile, workspace: Workspace): string | undefined {
  if (role === 'node' || role === 'iterator') return undefined;
  const faulty = workspace
    .diagnosticsAround(new Set([uri]))
    .find(({ code, file }) => code === 'yaml-syntax' && file !== uri && file !== edited.uri);
  return faulty?.file === undefined ? undefined : baseOf(decodeURIComponent(faulty.file));
}

/** Returns why a name is taken: the renamed package has another error, or an expression in it reads something else. */
function faultOf(
  target: Target,
  name: string,
  references: readonly Reference[],
  texts: ReadonlyMap<string, string>,
  workspace: Workspace,
): string | undefined {
  const { uri, start, role, name: before } = target;
  const trees = workspace.files.get(uri)?.trees ?? [];
  if (trees.some(({ root }) => hasBeside(root, start, name)))
    return `'${before}' cannot be renamed to '${name}': there is a '${name}' beside it`;
  const keyOf = ({ file, code }: Diagnostic): string => `${file} ${code}`;
  const errors = (list: readonly Diagnostic[]): Diagnostic[] => list.filter(({ severity }) => severity === 'error');
  const renamed = workspace.withTexts(texts);
  const [error] = added(errors(workspace.diagnosticsAround(texts)), errors(renamed.diagnosticsAround(texts)), keyOf);
  const isVariable = role === 'node' || role === 'iterator';
  const earlier = references.filter((one) => one.file.uri === uri && one.start < start);
  const moved = earlier.reduce((at, one) => at + name.length - (one.end - one.start), start);
  if (isVariable && placesOf({ ...target, start: moved }, renamed).length !== references.length)
    return `'${before}' cannot be renamed to '${name}': a node, or a variable of an expression, is called '${name}'`;
  return error && `'${before}' cannot be renamed to '${name}': ${error.message}`;
}

/** Reports whether the map of the key at an offset has another key. */
const hasBeside = (root: YamlNode, start: number, name: string): boolean =>
  collect(root, (node) =>
    node.kind === 'map' && node.entries.some(({ key }) => key.innerStart === start) ? node.entries : [],
  ).some((entry) => entry.name === name);

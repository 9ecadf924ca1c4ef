import type { CodeAction, Diagnostic, TextEdit } from 'vscode-languageserver';
import type { CelType } from '../../../../languages/cel/index.ts';
import type { Entry } from '../../../../yaml/tree/index.ts';
import type { NameAt } from '../../cel/names.ts';
import { kroExpressionAt } from '../../expression-at.ts';
import type { WrittenExpression } from '../../rgd/model.ts';
import type { SourceFile } from '../../workspace/file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { entriesAround } from '../../yaml/context.ts';

/** The subject of a fix. */
export interface FixContext {
  one: Diagnostic;
  file: SourceFile;
  workspace: Workspace;
  /** The offset at which the diagnostic starts. */
  start: number;
}

export const fix = (title: string, { one, file }: FixContext, edits: readonly TextEdit[]): CodeAction => ({
  title,
  kind: 'quickfix',
  diagnostics: [one],
  edit: { changes: { [file.uri]: [...edits] } },
});

export const hintOf = ({ data }: Diagnostic): string => (data as { hint?: string } | undefined)?.hint ?? '';

export const replace = (file: SourceFile, start: number, end: number, newText: string): TextEdit => ({
  range: file.rangeOf(start, end),
  newText,
});

/** Returns the expression of an RGD at the diagnostic. */
export const expressionOf = ({ file, start, workspace }: FixContext): ReturnType<typeof kroExpressionAt> =>
  kroExpressionAt(file, start, workspace);

const EMPTY: Partial<Record<CelType['kind'], string>> = {
  string: '""',
  int: '0',
  double: '0.0',
  bool: 'false',
  list: '[]',
  map: '{}',
};

/** Returns an empty value of a type, as an expression; `undefined` if there is none. */
export const emptyValue = ({ kind }: CelType, { scalar }: WrittenExpression): string | undefined =>
  kind === 'string' && scalar.style === 'double' ? "''" : EMPTY[kind];

/** Returns the innermost map entry at an offset. */
export function entryAround(file: SourceFile, offset: number): Entry | undefined {
  const tree = file.treeAt(offset);
  return tree && entriesAround(tree.root, offset)[0]?.entry;
}

/** Removes an entry from its map, with all of its lines. */
export function removal(file: SourceFile, { key, value }: Entry): TextEdit | undefined {
  const { text } = file;
  // A map extends to the next content.
  const end = text.slice(0, value.end).trimEnd().length;
  const first = file.positionAt(key.start).line;
  const indentation = text.slice(file.offsetAt({ line: first, character: 0 }), key.start);
  if (/^ *$/.test(indentation)) {
    const last = file.positionAt(end).line;
    return { range: { start: { line: first, character: 0 }, end: { line: last + 1, character: 0 } }, newText: '' };
  }
  const behind = /^[ \t]*,[ \t]*/.exec(text.slice(end))?.[0];
  if (behind !== undefined) return replace(file, key.start, end + behind.length, '');
  const before = /,[ \t]*$/.exec(indentation)?.[0];
  return before === undefined ? undefined : replace(file, key.start - before.length, end, '');
}

/** Returns the names from an offset on that are fields of each other. */
export function chainFrom(names: readonly NameAt[], offset: number): NameAt[] {
  const chain: NameAt[] = [];
  for (const one of names) {
    const last = chain.at(-1);
    if (last === undefined ? one.offset === offset : one.role === 'field' && one.offset === last.end + 1)
      chain.push(one);
  }
  return chain;
}

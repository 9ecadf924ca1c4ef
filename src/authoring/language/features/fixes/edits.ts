import type { CodeAction, Diagnostic as LspDiagnostic, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from '../../../../core/diagnostics/index.ts';
import { getOrCompute } from '../../../../core/model/lazily.ts';
import type { CelType } from '../../../../languages/cel/index.ts';
import type { Entry } from '../../../../yaml/tree/index.ts';
import type { NameAt } from '../../cel/names.ts';
import { kroExpressionAt } from '../../expression-at.ts';
import type { WrittenExpression } from '../../rgd/model.ts';
import type { Checked } from '../../workspace/check.ts';
import type { SourceFile } from '../../workspace/file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { entriesAround } from '../../yaml/context.ts';

/** The subject of a fix. */
export interface FixContext {
  one: LspDiagnostic;
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

export const hintOf = ({ data }: LspDiagnostic): string => (data as { hint?: string } | undefined)?.hint ?? '';

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

/** The results for a state of a package, by the text after the fix. */
const known = new WeakMap<Checked, Map<string, boolean>>();

/**
 * Reports whether a fix removes its diagnostic and adds neither an error nor a diagnostic of reading, in all packages
 * that read the file. An error of a later stage was hidden by the fixed one.
 */
export function isSound(fix: CodeAction, { one, file, workspace }: FixContext): boolean {
  const checked = workspace.current(file.uri);
  if (checked === undefined) return false;
  const text = textAfter(fix.edit?.changes?.[file.uri] ?? [], file);
  const hint = hintOf(one);
  const message = hint === '' ? String(one.message) : String(one.message).slice(0, -hint.length - 1);
  const results = getOrCompute(known, checked, () => new Map<string, boolean>());
  return getOrCompute(results, [one.code, message, text].join('\n'), () => {
    const before = workspace.diagnosticsAround(new Set([file.uri]));
    const after = workspace.withTexts(new Map([[file.uri, text]])).diagnosticsAround(new Set([file.uri]));
    const isFixed = (other: Diagnostic): boolean =>
      other.code === one.code && other.message === message && other.file === file.uri;
    const [fixed, ...alike] = before.filter(isFixed);
    if (fixed === undefined || after.filter(isFixed).length > alike.length) return false;
    return added(before, after, keyOf).every((other) => isAllowed(other, fixed));
  });
}

const STAGES: readonly Diagnostic['stage'][] = ['parse', 'compile', 'instance', 'expand', 'collision'];

function isAllowed(other: Diagnostic, fixed: Diagnostic): boolean {
  const isLater = STAGES.indexOf(other.stage) > STAGES.indexOf(fixed.stage);
  return other.severity === 'error' ? fixed.severity === 'error' && isLater : other.stage !== 'parse';
}

/** Returns the diagnostics that a list has more often than another, by a key. */
export function added(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  keyOf: (one: Diagnostic) => string,
): Diagnostic[] {
  const left = before.map(keyOf);
  return after.filter((one) => {
    const at = left.indexOf(keyOf(one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Messages name lines, which an edit moves. */
const keyOf = ({ file, code, message }: Diagnostic): string =>
  [file, code, message.replace(/:\d+:\d+\)/g, ')')].join('\n');

/** Returns the text after edits, which refer to the text before. */
export const textAfter = (edits: readonly TextEdit[], { uri, text }: SourceFile): string =>
  TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 0, text), [...edits]);

import type { CodeAction, TextEdit } from 'vscode-languageserver';
import type { Diagnostic } from '../../../../core/diagnostics/index.ts';
import { getOrCompute } from '../../../../core/model/lazily.ts';
import type { Checked } from '../../workspace/check.ts';
import type { SourceFile } from '../../workspace/file.ts';
import { type FixContext, hintOf } from './edits.ts';

/** The results for a state of a package, by the text after the fix. */
const known = new WeakMap<Checked, Map<string, boolean>>();

/**
 * Reports whether a fix removes its diagnostic and adds neither an error nor a diagnostic of reading, in all packages
 * that read the file. An error of a later stage was hidden by the fixed one.
 */
export function isSound(fix: CodeAction, { one, file, workspace }: FixContext): boolean {
  const checked = workspace.current(file.uri);
  if (checked === undefined) return false;
  const results = getOrCompute(known, checked, () => new Map<string, boolean>());
  const text = textAfter(fix.edit?.changes?.[file.uri] ?? [], file);
  const hint = hintOf(one);
  const message = hint === '' ? String(one.message) : String(one.message).slice(0, -hint.length - 1);
  const key = [one.code, message, text].join('\n');
  const result = results.get(key);
  if (result !== undefined) return result;
  const before = workspace.diagnosticsAround(new Set([file.uri]));
  const after = workspace.withTexts(new Map([[file.uri, text]])).diagnosticsAround(new Set([file.uri]));
  const isFixed = (other: Diagnostic): boolean =>
    other.code === one.code && other.message === message && other.file === file.uri;
  const fixed = before.find(isFixed);
  const sound =
    fixed !== undefined &&
    after.filter(isFixed).length < before.filter(isFixed).length &&
    added(before, after, keyOf).every((other) => isAllowed(other, fixed));
  results.set(key, sound);
  return sound;
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
export const textAfter = (edits: readonly TextEdit[], file: SourceFile): string =>
  edits
    .map(({ range, newText }) => ({ start: file.offsetAt(range.start), end: file.offsetAt(range.end), newText }))
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, newText }) => text.slice(0, start) + newText + text.slice(end), file.text);

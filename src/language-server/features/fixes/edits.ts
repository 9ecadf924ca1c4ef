import type { CodeAction, Diagnostic as LspDiagnostic, TextEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Remedy } from '../../../core/diagnostics/index.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import { ownValue } from '../../../core/model/value.ts';
import { messageWithoutPlaces } from '../../../yaml/locate/index.ts';
import type { Place } from '../../place.ts';
import type { Checked } from '../../workspace/check.ts';
import type { SourceFile } from '../../workspace/file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { DiagnosticData } from '../diagnostics.ts';

/** The characters of packages that the validations of one request may read. */
const MOST_READ = 700_000;
/** What a validation costs at least. */
const LEAST_READ = 5_000;

/** The validations of one request, of which each reads its package: their number depends on the size of the package. */
export class Validations {
  #left: number;

  /** @param most the characters of packages that all validations may read */
  constructor(most: number = MOST_READ) {
    this.#left = most;
  }

  get areLeft(): boolean {
    return this.#left > 0;
  }

  /** Counts a validation of the package of a file. */
  count(file: SourceFile, workspace: Workspace): void {
    const { files, beside } = workspace.packageOf(file.uri) ?? { files: [], beside: [] };
    let size = 0;
    for (const { text } of [...files, ...beside]) size += text.length;
    this.#left -= Math.max(size, LEAST_READ);
  }
}

export interface FixContext {
  validations: Validations;
  diagnostic: LspDiagnostic;
  /** The start of the diagnostic. */
  place: Place;
}

/** One of the possible fixes. */
export interface Fix {
  edits: readonly TextEdit[];
  /** Its part of the title. */
  shown?: string;
  /** Whether it checks, and may fail for the values of an instance: `int('1.27')`. */
  mayFail?: boolean;
}

/** Returns the possible fixes of a diagnostic, by its remedy. Those that are wrong are not offered. */
export type Fixes<Argument> = (remedy: Argument, context: FixContext) => Fix[];

export const single = (...edits: TextEdit[]): Fix[] => [{ edits }];

/** Conversions that fail for some texts or numbers. */
const FALLIBLE: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'bool', 'timestamp', 'duration']);

/** Marks fixes that convert a value with a function. */
export const convertedWith = (name: string, fixes: readonly Fix[]): Fix[] =>
  fixes.map((one) => ({ ...one, mayFail: FALLIBLE.has(name) }));

export const fix = (
  title: string,
  { diagnostic, place: { file } }: FixContext,
  edits: readonly TextEdit[],
): CodeAction => ({
  title,
  kind: 'quickfix',
  diagnostics: [diagnostic],
  edit: { changes: { [file.uri]: [...edits] } },
});

const dataOf = ({ data }: LspDiagnostic): DiagnosticData | undefined => data as DiagnosticData | undefined;

const hintOf = (diagnostic: LspDiagnostic): string => dataOf(diagnostic)?.hint ?? '';

export const remediesOf = (diagnostic: LspDiagnostic): readonly Remedy[] => dataOf(diagnostic)?.remedies ?? [];

export const replace = (file: SourceFile, start: number, end: number, newText: string): TextEdit => ({
  range: file.rangeOf(start, end),
  newText,
});

/** The results for a state of a package, by the text after the fix. */
const known = new WeakMap<Checked, Map<string, boolean>>();

/**
 * Reports whether a fix removes its diagnostic and adds no error, except of later stages, which the fixed one hid. A fix
 * is not sound if no validations are left.
 */
export function isSound(fix: CodeAction, { diagnostic, place: { file, workspace }, validations }: FixContext): boolean {
  const checked = workspace.current(file.uri);
  if (checked === undefined || !validations.areLeft) return false;
  // A known result counts too, so that the same request has the same answer.
  validations.count(file, workspace);
  const text = textAfter(ownValue(fix.edit?.changes, file.uri) ?? [], file);
  const message = withoutHint(diagnostic);
  const results = getOrCompute(known, checked, () => new Map<string, boolean>());
  return getOrCompute(results, [diagnostic.code, message, text].join('\n'), () => {
    const before = workspace.diagnosticsAround(new Set([file.uri]));
    const after = workspace.withTexts(new Map([[file.uri, text]])).diagnosticsAround(new Set([file.uri]));
    const isFixed = (other: Diagnostic): boolean => sameAs(diagnostic, file, other);
    const [fixed, ...alike] = before.filter(isFixed);
    if (fixed === undefined || after.filter(isFixed).length > alike.length) return false;
    return added(before, after, keyOf).every((other) => isAllowed(other, fixed));
  });
}

function withoutHint(diagnostic: LspDiagnostic): string {
  const hint = hintOf(diagnostic);
  const message = String(diagnostic.message);
  return hint === '' ? message : message.slice(0, -hint.length - 1);
}

/** Reports whether a diagnostic is that of the protocol, wherever it is in the file. */
export const sameAs = (diagnostic: LspDiagnostic, { uri }: SourceFile, other: Diagnostic): boolean =>
  other.code === diagnostic.code && other.message === withoutHint(diagnostic) && other.file === uri;

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
  const left = new Map<string, number>();
  for (const one of before) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  return after.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    if (count > 0) left.set(keyOf(one), count - 1);
    return count === 0;
  });
}

/** Messages name lines, which an edit moves. */
export const keyOf = (one: Diagnostic): string => [one.file, one.code, messageWithoutPlaces(one)].join('\n');

export const textAfter = (edits: readonly TextEdit[], { uri, text }: SourceFile): string =>
  TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 0, text), [...edits]);

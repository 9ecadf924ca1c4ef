import { counted, type Diagnostic } from '../../core/diagnostics/index.ts';
import { entriesOf, NO_EVIDENCE } from '../../core/ledger/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { ownValue } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { onOneLine } from '../../core/text/ends.ts';
import { unicodeEscape, visible } from '../../core/text/visible.ts';
import { formatDiagnostics, formatDiagnosticsJson, subjectText } from '../../yaml/locate/index.ts';
import { annotated, type ReportInput, subjectOf } from './input.ts';
import { sarifReport } from './sarif.ts';
import { UNSEEN, verdictOf } from './verdict.ts';

/** Visible characters that XML 1.0 cannot contain, even escaped: unpaired surrogates, and two more. */
const FORBIDDEN = /[\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** Escapes characters by their names, or else by their numbers. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string, characters: RegExp): string =>
  allowed(text).replace(characters, (char) => ownValue(ESCAPES, char) ?? `&#${char.charCodeAt(0)};`);

const allowed = (text: string): string => visible(text).replace(FORBIDDEN, unicodeEscape);

const xmlText = (text: string): string => escaped(text, /[&<>]/g);

/** Returns the attributes of an element, each after a space; undefined ones are omitted. */
const xmlAttributes = (attributes: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value), /[&<>"\n\t]/g)}"`)
    .join('');

/**
 * Returns JUnit XML: a suite for each file, a case for each object. Only errors fail a case; one that nobody looked at is
 * skipped.
 */
function junitReport({ command, diagnostics, files, evidence = NO_EVIDENCE }: ReportInput): string {
  const suites = new Map<string, Map<string, Diagnostic[]>>();
  const caseOf = (file: string, name: string): Diagnostic[] => {
    const cases = getOrCompute(suites, file, () => new Map<string, Diagnostic[]>());
    return getOrCompute(cases, name, (): Diagnostic[] => []);
  };
  for (const { file, objects } of files)
    for (const object of objects.length === 0 ? [file] : objects) caseOf(file, object);
  const skipped = new Map<Diagnostic[], string>();
  for (const { file = 'input', title, outcome } of entriesOf(evidence)) {
    if (outcome.is === 'unseen') skipped.set(caseOf(file, title), UNSEEN[outcome.why]);
  }
  for (const one of diagnostics) caseOf(one.file ?? 'input', one.object ?? one.file ?? 'input').push(one);
  const all = [...suites.values()].flatMap((cases) => [...cases.values()]);
  const body = [...suites].map(([file, cases]) => {
    const isSkipped = (found: Diagnostic[]): boolean => skipped.has(found) && !found.some(isError);
    const count = [...cases.values()].filter(isSkipped).length;
    const attributes = { name: file, ...countsOfCases([...cases.values()]), skipped: count };
    const texts = [...cases].map(([name, found]) => caseText(file, name, found, skipped.get(found)));
    return `  <testsuite${xmlAttributes(attributes)}>\n${texts.join('')}  </testsuite>\n`;
  });
  const attributes = xmlAttributes({ name: `render-rgd ${command}`, ...countsOfCases(all) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes}>\n${body.join('')}</testsuites>\n`;
}

const countsOfCases = (cases: readonly (readonly Diagnostic[])[]) => ({
  tests: cases.length,
  failures: cases.filter((found) => found.some(isError)).length,
  errors: 0,
});

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** Returns one case with one failure, because many readers support only one. */
function caseText(file: string, name: string, diagnostics: readonly Diagnostic[], skipped: string | undefined): string {
  const errors = diagnostics.filter(isError);
  const others = diagnostics.filter((one) => !isError(one));
  const [first] = errors;
  const opening = `    <testcase${xmlAttributes({ classname: file, name, file, line: first?.line })}`;
  if (diagnostics.length === 0 && skipped === undefined) return `${opening}/>\n`;
  const isSkipped = skipped !== undefined && errors.length === 0;
  const skip = isSkipped ? `      <skipped${xmlAttributes({ message: `not checked: ${skipped}` })}/>\n` : '';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const cause = first && xmlAttributes({ type: first.code, message: `${titleLine(first.message)}${more}` });
  const failure = cause ? `      <failure${cause}>${xmlText(formatDiagnostics(errors))}</failure>\n` : '';
  const output = others.length === 0 ? '' : `      <system-out>${xmlText(formatDiagnostics(others))}</system-out>\n`;
  return `${opening}>\n${skip}${failure}${output}    </testcase>\n`;
}

const LONGEST_TITLE = 300;

/** Readers show the attribute as a title; the text contains the whole message. */
const titleLine = (message: string): string => clipped(onOneLine(message), LONGEST_TITLE);

export function countsOf(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number; infos: number } {
  const count = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), infos: count('info') };
}

/** `3 errors and 1 warning`; `undefined` without any. `hidden` warnings are not printed, but counted. */
function summaryOf(diagnostics: readonly Diagnostic[], hidden = 0): string | undefined {
  const { errors, warnings: shown } = countsOf(diagnostics);
  const warnings = shown + hidden;
  const parts = [
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** Returns workflow commands of GitHub Actions, errors first: GitHub shows ten of each severity for a step. */
function githubReport(input: ReportInput): string {
  const order = Object.keys(COMMANDS);
  const ordered = annotated(input).toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const lines = ordered.slice(0, input.most).map((one) => `${commandOf(one)}\n`);
  return lines.join('');
}

function commandOf(diagnostic: Diagnostic): string {
  const { severity, code, file, line, column, endColumn, message, hint } = diagnostic;
  const place = { file, line, col: column, endColumn, title: `render-rgd ${code}` };
  const properties = Object.entries(place)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${inProperty(String(value))}`);
  const subject = subjectOf(diagnostic);
  const text = [
    `${subject === '' ? '' : `${subject}: `}${message}`,
    subjectText(diagnostic),
    hint && `hint: ${hint}`,
  ].filter(Boolean);
  return `::${COMMANDS[severity]} ${properties.join(',')}::${inMessage(text.join('\n'))}`;
}

/** Escapes as the toolkit of GitHub Actions does (actions/toolkit, packages/core/src/command.ts). */
const inMessage = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const inProperty = (text: string): string => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns the text report: the diagnostics with their lines, lints of one code in a file folded, and a summary. */
function textReport({
  diagnostics,
  files,
  sources,
  colors,
  verbose,
  hidden = 0,
  inTable = [],
  evidence,
}: ReportInput): string {
  const objects = files.reduce((sum, file) => sum + file.objects.length, 0);
  const looked = `${counted(objects, 'object')} in ${counted(files.length, 'file')}`;
  const shown = verbose === true ? diagnostics : foldLints(diagnostics);
  const summary = summaryOf([...diagnostics, ...inTable], hidden);
  const verdict = evidence === undefined ? (summary ?? 'nothing wrong') : verdictOf(evidence, summary);
  return `${formatDiagnostics(shown, sources, colors)}${looked}: ${verdict}\n`;
}

const MOST_LINES = 5;

/** Keeps the first lint of each code in a file, with the number and the lines of the others. Others are kept. */
function foldLints(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = groupBy(diagnostics, keyOf);
  return diagnostics.flatMap((one) => {
    const group = groups.get(keyOf(one) ?? '');
    if (group === undefined || group.length === 1) return [one];
    const [first, ...others] = group;
    return first === one ? [{ ...one, message: `${one.message} (${moreOf(others)})` }] : [];
  });
}

const keyOf = ({ stage, severity, code, file }: Diagnostic): string | undefined =>
  stage === 'lint' && file !== undefined ? [severity, code, file].join('\0') : undefined;

function moreOf(others: readonly Diagnostic[]): string {
  const lines = [...new Set(others.flatMap(({ line }) => line ?? []))];
  const shown = lines.slice(0, MOST_LINES).join(', ');
  const more = lines.length > MOST_LINES ? ', ...' : '';
  return `and ${others.length} more in this file, ${lines.length === 1 ? 'line' : 'lines'} ${shown}${more}`;
}

/** Reports for programs contain every diagnostic. */
const complete =
  (write: (input: ReportInput) => string) =>
  (input: ReportInput): string =>
    write({ ...input, diagnostics: input.complete ?? input.diagnostics });

const writers = {
  text: textReport,
  json: complete(({ diagnostics }) => formatDiagnosticsJson(diagnostics)),
  sarif: complete(sarifReport),
  github: githubReport,
  junit: complete(junitReport),
} as const satisfies Record<string, (input: ReportInput) => string>;

export type ReportFormat = keyof typeof writers;

/** Returns the report in one format, including its last line break; '' if it is empty. */
export const writeReport = (format: ReportFormat, input: ReportInput): string => writers[format](input);

import {
  type Code,
  codes,
  composeText,
  type Diagnostic,
  joinTexts,
  type Related,
  type RelatedLocation,
  type Report,
  type Severity,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { formatPath } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { createLocator, type Locator, locationOf } from './locate.ts';

/** The maximum number of printed diagnostics, in any format. */
const MAX_SHOWN = 1000;
const MAX_CHARACTERS = 1_000_000;
const MAX_FIELD = 1000;

/** Returns the printed reports: of too many the errors first, and a last one with the number of the others. */
export function shownReports(reports: readonly Report[]): readonly Report[] {
  const characters = reports.reduce((sum, report) => sum + sizeOf(report), 0);
  if (reports.length <= MAX_SHOWN && characters <= MAX_CHARACTERS) return reports;
  const shown = new Set<Report>();
  const left = { reports: MAX_SHOWN - 1, characters: MAX_CHARACTERS };
  for (const severity of ['error', 'warning', 'info'] as const) {
    for (const report of reports) {
      if (severityOf(report) !== severity) continue;
      left.reports -= 1;
      left.characters -= sizeOf(report);
      if (left.reports < 0 || left.characters < 0) break;
      shown.add(report);
    }
  }
  return [...reports.filter((report) => shown.has(report)), moreOf(reports.filter((report) => !shown.has(report)))];
}

const severityOf = ({ severity = 'error' }: Report): Severity => severity;

const sizeOf = ({ message, hint, object, path }: Report): number =>
  [message, hint, object, ...path.map((step) => `${step}.`)].join('').length;

function moreOf(left: readonly Report[]): Report {
  const numberOf = (severity: Severity): number =>
    left.reduce((sum, report) => (severityOf(report) === severity ? sum + (report.count ?? 1) : sum), 0);
  const errors = numberOf('error');
  const counts = [
    composeText`${errors === 0 ? '' : 'at least '}${errors} errors`,
    composeText`${numberOf('warning')} warnings`,
    composeText`${numberOf('info')} infos`,
  ];
  const given = counts.filter((count) => !count.startsWith('0 '));
  const message = composeText`not shown: ${joinTexts(given, ', ')}`;
  return { code: 'more-diagnostics', message, path: [], severity: errors > 0 ? 'error' : 'info' };
}

/** Converts the printed reports to diagnostics: file by file and document by document, as these are parsed. */
export const toDiagnostics = (reports: readonly Report[], locator?: Locator): Diagnostic[] =>
  diagnosticsOf(reports, locator).map(({ diagnostic }) => diagnostic);

/** Does the same, and keeps the report of each. */
export function diagnosticsOf(
  reports: readonly Report[],
  locator = createLocator(),
): { report: Report; diagnostic: Diagnostic }[] {
  const shown = shownReports(reports);
  const finished = new Map<Report, Diagnostic>();
  for (const ofText of groupBy(shown, ({ source }) => source?.text ?? '').values())
    for (const report of ofText.toSorted((a, b) => (a.source?.document ?? 0) - (b.source?.document ?? 0)))
      finished.set(report, toDiagnostic(report, locator));
  return shown.map((report) => ({ report, diagnostic: finished.get(report) as Diagnostic }));
}

/** Codes that are about a key and not its value. */
const ABOUT_KEYS: ReadonlySet<Code> = new Set<Code>([
  'duplicate-key',
  'rgd-unknown-field',
  'unknown-template-field',
  'instance-unknown-field',
  'rendered-unknown-field',
  'resourceset-field',
  'iterator-name',
  'reserved-key',
]);

/** Converts a report to a diagnostic. Its fields have the order of `--diagnostics json`. */
export function toDiagnostic(report: Report, locator: Locator): Diagnostic {
  const { code, object, node, source, hint } = report;
  const related = (report.related ?? []).flatMap((place) => relatedOf(place, locator));
  const field = clipped(formatPath(report.field ?? report.path), MAX_FIELD);
  return {
    severity: report.severity ?? 'error',
    code,
    stage: codes[code].stage,
    ...(object === undefined ? {} : { object }),
    ...(node === undefined ? {} : { node }),
    ...(field === '' ? {} : { field }),
    ...(source === undefined ? {} : { file: source.file }),
    ...positionOf(report, locator),
    message: withPlaces(report.message, related),
    ...(hint === undefined ? {} : { hint }),
    ...(related.length === 0 ? {} : { related }),
  };
}

function relatedOf({ message, source, path }: RelatedLocation, locator: Locator): Related[] {
  return source === undefined ? [] : [{ file: source.file, ...locationOf(locator, source, path), message }];
}

function withPlaces(message: string, related: readonly Related[]): string {
  const places = related.map(({ file, line, column }) =>
    [file, line, column].filter((part) => part !== undefined).join(':'),
  );
  return places.length === 0 ? message : `${message} (${places.join(', ')})`;
}

/** A name in an expression, or a chain of them. */
const WORD = /^\w+(\.\??\w+)*/;

function wordEnd(line: string, column: number): number | undefined {
  const [word] = WORD.exec(line.slice(column - 1)) ?? [];
  return word === undefined ? undefined : column + word.length;
}

function positionOf(report: Report, locator: Locator): Pick<Diagnostic, 'line' | 'column' | 'endColumn'> {
  const { source, offset } = report;
  if (report.position !== undefined) return { line: report.position.line, column: report.position.column };
  if (source === undefined) return {};
  const place = locator({
    text: source.text,
    document: source.document,
    path: [...source.path, ...report.path],
    offset,
    target: ABOUT_KEYS.has(report.code) ? 'key' : 'value',
  });
  if (place === undefined) return {};
  const { line, column, endColumn = offset === undefined ? undefined : wordEnd(place.lineText, column) } = place;
  return { line, column, ...(endColumn === undefined ? {} : { endColumn }) };
}

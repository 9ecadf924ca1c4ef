import {
  type Code,
  codes,
  type Diagnostic,
  type Related,
  type RelatedLocation,
  type Report,
} from '../../core/diagnostics/index.ts';
import { formatPath } from '../../core/model/path.ts';
import { type Locator, locationOf } from './locate.ts';

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
  const field = formatPath(report.field ?? report.path);
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

/** Returns one past the last column of the word at a position in an expression. */
function wordEnd(line: string, column: number): number | undefined {
  const [word] = WORD.exec(line.slice(column - 1)) ?? [];
  return word === undefined ? undefined : column + word.length;
}

function positionOf(report: Report, locator: Locator): Pick<Diagnostic, 'line' | 'column' | 'endColumn'> {
  const { source, offset } = report;
  if (report.position !== undefined) return { line: report.position.line, column: report.position.column };
  if (source === undefined) return {};
  const place = locator.locate({
    text: source.text,
    document: source.document,
    path: [...source.path, ...report.path],
    ...(offset === undefined ? {} : { offset }),
    target: ABOUT_KEYS.has(report.code) ? 'key' : 'value',
  });
  if (place === undefined) return {};
  const { line, column, endColumn = offset === undefined ? undefined : wordEnd(place.lineText, column) } = place;
  return { line, column, ...(endColumn === undefined ? {} : { endColumn }) };
}

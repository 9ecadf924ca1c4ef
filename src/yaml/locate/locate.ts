import {
  type Code,
  codes,
  composeText,
  type Diagnostic,
  type DiagnosticLocation,
  joinTexts,
  type Related,
  type RelatedLocation,
  type Report,
  type Severity,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import type { Source } from '../../core/model/object.ts';
import { formatPath, type Path } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import { splitDocuments } from '../../core/text/documents.ts';
import { createLineIndex, type LineIndex, type Location, type Position } from '../../core/text/line-index.ts';
import { firstSecretIn, type SecretRange, secretRanges } from '../parse/index.ts';
import {
  isBlockScalar,
  isSyntaxProblem,
  type MapNode,
  mergedEntries,
  parseTree,
  type Range,
  resolved,
  textOffset,
  type YamlNode,
} from '../tree/index.ts';
import { withheldFrom } from '../withhold/index.ts';

/** A field of a document, or a character of its value. */
export interface FieldPosition {
  /** The whole stream. */
  text: string;
  document: number;
  path: Path;
  /** The offset in the scalar's value at `path`, in UTF-16 units. */
  offset?: number | undefined;
  /** The position, if it is known, and only its column may show too much. */
  at?: Position;
  /** The target of the position; for a map or a list it is always the key. Defaults to 'value'. */
  target?: 'key' | 'value';
}

interface LinePosition extends Position {
  /** One past the last column, if the whole range is on the line. */
  endColumn?: number;
  lineText: string;
}

/** Returns the position of a path, or of its deepest existing part. */
export type Locator = (field: FieldPosition) => LinePosition | undefined;

const MAX_TEXTS = 8;
const MAX_DOCUMENTS = 64;

function recent<K, V>(most: number, compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) =>
    getOrCompute(known, key, () => {
      if (known.size >= most) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
      return compute(key);
    });
}

/** Caches the last texts and documents. A document of several texts, as of the versions of a file, is parsed once. */
export function createLocator(): Locator {
  const rootOf = recent(MAX_DOCUMENTS, (document: string): YamlNode | undefined => {
    const tree = parseTree(document);
    return isSyntaxProblem(tree) ? undefined : tree.root;
  });
  const indexOf = recent(MAX_TEXTS, (text: string) => {
    const ranges = splitDocuments(text);
    const documentAt = recent(MAX_DOCUMENTS, (index: number) => {
      const { start, end } = ranges[index] ?? { start: 0, end: 0 };
      const document = text.slice(start, end);
      const root = ranges[index] && rootOf(document);
      // A text is not a Secret because of any word: other columns would be lost.
      const isNamed = root === undefined ? NAMES_SECRET : root.kind === 'map' && hasKind(root) ? ANY_MENTION : MENTION;
      const secrets = lazily(() => (isNamed.test(document) ? secretRanges(document) : []));
      return { start, document, root, secrets };
    });
    return { lines: createLineIndex(text), documentAt, known: withheldFrom(text) ?? text.length };
  });
  return (field) => {
    const { lines, documentAt, known } = indexOf(field.text);
    const { start, document, root, secrets } = documentAt(field.document);
    const given = field.at === undefined ? undefined : offsetOf(field.at, lines) - start;
    if (root === undefined && given === undefined) return undefined;
    const found = given === undefined ? findRange(document, root as YamlNode, field) : pointAt(given);
    const range = withoutLengths(document, found, secrets);
    if (start + range.start > known) return undefined;
    const first = lines.position(start + range.start);
    const last = lines.position(start + range.end);
    const location: LinePosition = { ...first, lineText: lines.lineText(first.line) };
    const isKnown = start + range.end <= known;
    if (isKnown && range.end > range.start && last.line === first.line) location.endColumn = last.column;
    return location;
  };
}

/** Returns the location of a field of an object; `undefined` for an object without a file. */
export function locationOf(
  locator: Locator,
  source: Source | undefined,
  path: Path,
  offset?: number,
): Location | undefined {
  if (source === undefined) return undefined;
  const { file, text, document } = source;
  const found = locator({ text, document, path: [...source.path, ...path], offset });
  return found && { file, line: found.line, column: found.column };
}

/** Returns a range whose columns show no length of a value of a Secret: it ends, or is, before the first one on its line. */
function withoutLengths(document: string, range: Range, secrets: () => readonly SecretRange[]): Range {
  const line = document.lastIndexOf('\n', range.start - 1) + 1;
  const lineEnd = document.indexOf('\n', range.start);
  const end = Math.min(range.end, lineEnd < 0 ? document.length : lineEnd);
  const first = firstSecretIn(document, line, end, secrets());
  if (first === undefined) return range;
  return first < range.start ? pointAt(first) : pointAt(range.start);
}

function findRange(text: string, root: YamlNode, { path, target, offset }: FieldPosition): Range {
  let node = root;
  let key: Range | undefined;
  /** The nearest ancestor with a position, for values without text. */
  let above = isEmpty(root) ? pointAt(0) : pointAt(root.start);
  let isWhole = true;
  for (const step of path) {
    const entry = typeof step === 'string' ? mergedEntries(node).get(step) : undefined;
    const value = typeof step === 'string' ? entry?.value : node.kind === 'list' ? node.items[step]?.value : undefined;
    if (value === undefined) {
      isWhole = false;
      break;
    }
    above = key ?? above;
    key = entry?.key;
    node = resolved(value);
  }
  if (isWhole && target === 'key' && key !== undefined) return key;
  const range = valueRange(text, node, isWhole ? offset : undefined);
  return range ?? key ?? (isEmpty(node) ? above : pointAt(node.start));
}

const offsetOf = ({ line, column }: Position, lines: LineIndex): number => lines.offset(line) + column - 1;

const hasKind = ({ entries }: MapNode): boolean => entries.some(({ name }) => name === 'kind');

const MENTION = /secret|stringData/i;
/** Escapes may write the kind. */
const ANY_MENTION = /secret|stringData|\\[uxU]/i;
const NAMES_SECRET = /\bkind["']?[ \t]*:[ \t]*["']?\w*secret|\bstringData\b/i;

const pointAt = (start: number): Range => ({ start, end: start });

const isEmpty = (node: YamlNode): boolean => node.kind === 'scalar' && node.style === 'empty';

/** Returns the range of a scalar's text; `undefined` for maps, lists and values without text. */
function valueRange(text: string, node: YamlNode, offset: number | undefined): Range | undefined {
  if (node.kind !== 'scalar' || node.style === 'empty' || node.style === 'alias') return undefined;
  if (offset === undefined && !isBlockScalar(node)) return node;
  return pointAt(textOffset(text, node, offset ?? 0));
}

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
  const of = (severity: Severity): readonly Report[] => reports.filter((report) => severityOf(report) === severity);
  for (const report of [...of('error'), ...of('warning'), ...of('info')]) {
    left.reports -= 1;
    left.characters -= sizeOf(report);
    if (left.reports < 0 || left.characters < 0) break;
    shown.add(report);
  }
  return [...reports.filter((report) => shown.has(report)), moreOf(reports.filter((report) => !shown.has(report)))];
}

const severityOf = ({ severity = 'error' }: Report): Severity => severity;

const sizeOf = ({ message, hint, object, path, reproduction }: Report): number =>
  [message, hint, object, reproduction, ...path.map((step) => `${step}.`)].join('').length;

function moreOf(left: readonly Report[]): Report {
  const numberOf = (severity: Severity): number =>
    left.reduce((sum, report) => (severityOf(report) === severity ? sum + (report.count ?? 1) : sum), 0);
  const errors = numberOf('error');
  const warnings = numberOf('warning');
  const infos = numberOf('info');
  const given = [
    ...(errors === 0 ? [] : [composeText`at least ${errors} errors`]),
    ...(warnings === 0 ? [] : [composeText`${warnings} warnings`]),
    ...(infos === 0 ? [] : [composeText`${infos} infos`]),
  ];
  const message = composeText`not shown: ${joinTexts(given, ', ')}`;
  return { code: 'more-diagnostics', message, path: [], severity: errors > 0 ? 'error' : 'info' };
}

/** Converts the printed reports to diagnostics: file by file and document by document, as these are parsed. */
export const toDiagnostics = (reports: readonly Report[], locator?: Locator): Diagnostic[] =>
  diagnosticsOf(reports, locator).map(({ diagnostic }) => diagnostic);

/** A diagnostic with its report. */
export interface ReportedDiagnostic {
  report: Report;
  diagnostic: Diagnostic;
}

/** Does the same, and keeps the report of each. */
export function diagnosticsOf(reports: readonly Report[], locator = createLocator()): ReportedDiagnostic[] {
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
  const { code, object, namespace, node, source, hint, args = {}, remedies = [] } = report;
  const instance = instanceOf(report, locator);
  const related = (report.related ?? []).flatMap((place) => relatedOf(place, locator));
  const field = clipped(formatPath(report.field ?? report.path), MAX_FIELD);
  return {
    severity: report.severity ?? 'error',
    code,
    stage: codes[code].stage,
    ...(object === undefined ? {} : { object }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(node === undefined ? {} : { node }),
    ...(field === '' ? {} : { field }),
    ...(source === undefined ? {} : { file: source.file }),
    ...positionOf(report, locator),
    message: withPlaces(report.message, related),
    ...(hint === undefined ? {} : { hint }),
    ...(Object.keys(args).length === 0 ? {} : { args }),
    ...(remedies.length === 0 ? {} : { remedies }),
    ...(instance === undefined ? {} : { instance }),
    ...(related.length === 0 ? {} : { related }),
    ...(report.reproduction === undefined ? {} : { reproduction: report.reproduction }),
  };
}

/** Returns the location of the instance that a report is about, unless the report is located in it. */
function instanceOf({ instance, source }: Report, locator: Locator): DiagnosticLocation | undefined {
  if (instance === undefined) return undefined;
  const isSame =
    source !== undefined &&
    instance.file === source.file &&
    instance.document === source.document &&
    formatPath(instance.path) === formatPath(source.path);
  return isSame ? undefined : { file: instance.file, ...locationOf(locator, instance, []) };
}

function relatedOf({ message, source, path }: RelatedLocation, locator: Locator): Related[] {
  return source === undefined ? [] : [{ file: source.file, ...locationOf(locator, source, path), message }];
}

const withPlaces = (message: string, related: readonly Related[]): string => `${message}${placesText(related)}`;

function placesText(related: readonly Related[]): string {
  const places = related.map(({ file, line, column }) =>
    [file, line, column].filter((part) => part !== undefined).join(':'),
  );
  return places.length === 0 ? '' : ` (${places.join(', ')})`;
}

/** Returns the message of a diagnostic without its related places, whose lines every edit moves. */
export const messageWithoutPlaces = ({ message, related = [] }: Pick<Diagnostic, 'message' | 'related'>): string =>
  message.slice(0, message.length - placesText(related).length);

/** Reports whether a line is not that of the file, because it comes after values that were removed. */
function isUnknown(line: number, text: string): boolean {
  const from = withheldFrom(text);
  return from !== undefined && line >= createLineIndex(text).position(from).line;
}

/** A name in an expression, or a chain of them. */
const WORD = /^\w+(\.\??\w+)*/;

function wordEnd(line: string, column: number): number | undefined {
  const [word] = WORD.exec(line.slice(column - 1)) ?? [];
  return word === undefined ? undefined : column + word.length;
}

function positionOf(report: Report, locator: Locator): Pick<Diagnostic, 'line' | 'column' | 'endColumn'> {
  const { source, offset } = report;
  if (report.position !== undefined) {
    const { line, column } = report.position;
    if (source === undefined || line < 1) return { line, column };
    const { text, document } = source;
    if (isUnknown(line, text)) return {};
    const place = locator({ text, document, path: [], at: report.position });
    return { line, column: place?.line === line ? Math.min(place.column, column) : column };
  }
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

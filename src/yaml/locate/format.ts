import { type Code, DIAGNOSTIC_FIELDS, type Diagnostic } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { type DocumentRange, splitDocuments } from '../../core/text/documents.ts';
import { countUpTo, createLineIndex, type LineIndex } from '../../core/text/line-index.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { mayHoldSecret, type SecretRange, secretRanges, showsSecret, tornOffIn } from '../parse/index.ts';

/** The length of the excerpt of a long line on either side of the position. */
const MARGIN = 70;

/** Codes of misplaced lines, which may be part of a Secret above that lost its indentation. */
const MISPLACED: ReadonlySet<Code> = new Set<Code>([
  'rgd-unknown-field',
  'rgd-shape',
  'unknown-template-field',
  'object-shape',
  'duplicate-key',
  'yaml-value',
  'yaml-alias',
  'resource-list',
]);

interface SourceText {
  text: string;
  lines: LineIndex;
  ranges: DocumentRange[];
  /** The Secrets of a document, by its index. */
  secrets: Map<number, readonly SecretRange[]>;
  isTornOff: (document: number) => boolean;
}

/** Returns the line of a diagnostic with a caret, or `undefined` if it has none, or would show a value of a Secret. */
export function createExcerpts(sources: ReadonlyMap<string, string>): (diagnostic: Diagnostic) => string | undefined {
  const known = new Map<string, SourceText>();
  return ({ code, object, file, line, column }) => {
    if (file === undefined || line === undefined || column === undefined) return undefined;
    const text = sources.get(file);
    if (text === undefined || object?.startsWith('Secret/')) return undefined;
    const source = known.get(file) ?? sourceOf(text);
    known.set(file, source);
    return excerpt(source, line, column, MISPLACED.has(code));
  };
}

function sourceOf(text: string): SourceText {
  const ranges = splitDocuments(text);
  return { text, lines: createLineIndex(text), ranges, secrets: new Map(), isTornOff: tornOffIn(text, ranges) };
}

function excerpt(source: SourceText, line: number, column: number, misplaced: boolean): string | undefined {
  const text = source.lines.lineText(line);
  const start = Math.max(0, column - 1 - MARGIN);
  const shown = text.slice(start, column - 1 + MARGIN);
  const from = source.lines.offset(line) + start;
  if (isSecretStretch(source, from, from + shown.length, misplaced)) return undefined;
  return `${shown}\n${shown.slice(0, column - 1 - start).replace(/[^\t]/g, ' ')}^`;
}

/** One line may contain several documents. */
function isSecretStretch(source: SourceText, from: number, to: number, misplaced: boolean): boolean {
  const { text, ranges } = source;
  // The first document that ends after the start.
  let index = countUpTo(from, ranges.length, (at) => (ranges[at] as DocumentRange).end);
  let covered = from;
  for (; index < ranges.length; index += 1) {
    const { start, end } = ranges[index] as DocumentRange;
    if (start >= to) break;
    if (start > covered && mayHoldSecret(text.slice(covered, start))) return true;
    covered = end;
    const document = text.slice(start, end);
    const secrets = secretsOf(source, index, document);
    if (misplaced && secrets.some((secret) => start + secret.start < to)) return true;
    if (showsSecret(document, from - start, to - start, secrets)) return true;
  }
  // Text between documents is not parsed, and may be intended as a part of any of them.
  return covered < to && text.slice(covered, to).trim() !== '' && mayHoldSecret(text);
}

const secretsOf = ({ secrets, isTornOff }: SourceText, index: number, document: string): readonly SecretRange[] =>
  getOrCompute(secrets, index, () =>
    isTornOff(index) ? [{ start: 0, end: document.length, plain: [] }] : secretRanges(document),
  );

/**
 * Formats diagnostics as text: the sentence, `error[CODE] OBJECT node NODE: message`, and below it the location,
 * `  --> FILE:LINE:COL FIELD`, without the parts that a diagnostic lacks; the field is in the first line if there is no
 * file. If the text of the file is known, the line follows with a caret under the position, and then the hint. `colors`
 * highlights locations and severities for a terminal.
 */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources?: ReadonlyMap<string, string>,
  colors = false,
): string {
  const excerptOf = createExcerpts(sources ?? new Map());
  let text = '';
  for (const diagnostic of diagnostics) {
    const shown = excerptOf(diagnostic);
    text += `${headline(diagnostic, colors)}\n`;
    if (shown !== undefined) text += visible(indented(shown, '    '));
    if (diagnostic.hint !== undefined) text += visible(indented(`hint: ${diagnostic.hint}`, '  '));
  }
  return text;
}

/** The parts of escape sequences of every terminal (ECMA-48, SGR). */
const SGR = { place: '1', error: '1;31', warning: '1;33', info: '1;36' };

const styled = (style: keyof typeof SGR, text: string, colors: boolean): string =>
  colors && text !== '' ? `\u001B[${SGR[style]}m${text}\u001B[0m` : text;

/** One JSON array. */
export function formatDiagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const ordered = diagnostics.map((diagnostic) =>
    Object.fromEntries(
      DIAGNOSTIC_FIELDS.filter((key) => diagnostic[key] !== undefined).map((key) => [key, diagnostic[key]]),
    ),
  );
  return visible(`${JSON.stringify(ordered, null, 2)}\n`);
}

function headline(diagnostic: Diagnostic, colors: boolean): string {
  const { file, line, column, severity, code, object, node, field, message } = diagnostic;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const subject = onOneLine([object, node && `node ${node}`, place === '' ? field : '']);
  const what = styled(severity, `${severity}[${code}]`, colors);
  const sentence = `${what}${subject}: ${visible(message.replaceAll('\n', '\n    '))}`;
  if (place === '') return sentence;
  return `${sentence}\n  --> ${styled('place', visibleOnOneLine(place), colors)}${onOneLine([field])}`;
}

/** Returns the parts that are not empty, each after a space. */
const onOneLine = (parts: readonly (string | undefined)[]): string =>
  visibleOnOneLine(parts.map((part) => (part === undefined || part === '' ? '' : ` ${part}`)).join(''));

const indented = (text: string, indentation: string): string => `${text.replace(/^/gm, indentation)}\n`;

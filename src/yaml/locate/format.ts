import { type Code, DIAGNOSTIC_FIELDS, type Diagnostic } from '../../core/diagnostics/index.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { type DocumentRange, splitDocuments } from '../../core/text/documents.ts';
import { countUpTo, createLineIndex } from '../../core/text/line-index.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import { mayHoldSecret, secretRanges, showsSecret, tornOffIn } from '../parse/index.ts';

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

/** Returns the line of a diagnostic with a caret, or `undefined` if it has none, or would show a value of a Secret. */
export function createExcerpts(sources: ReadonlyMap<string, string>): (diagnostic: Diagnostic) => string | undefined {
  const excerptsIn = onceFor((file: string) => excerptsOf(sources.get(file) ?? ''));
  return ({ code, object, file, line, column }) => {
    if (file === undefined || line === undefined || column === undefined) return undefined;
    if (!sources.has(file) || object?.startsWith('Secret/')) return undefined;
    return excerptsIn(file)(line, column, MISPLACED.has(code));
  };
}

/** Returns a function that reports whether a line of a text, counted from 1, may show a value of a Secret. */
export function secretLinesIn(text: string): (line: number) => boolean {
  const lines = createLineIndex(text);
  const isSecret = secretPartsIn(text);
  return (line) => {
    const from = lines.offset(line);
    return isSecret(from, from + lines.lineText(line).length, false);
  };
}

function excerptsOf(text: string): (line: number, column: number, misplaced: boolean) => string | undefined {
  const lines = createLineIndex(text);
  const isSecret = secretPartsIn(text);
  return (line, column, misplaced) => {
    const start = Math.max(0, column - 1 - MARGIN);
    const shown = lines.lineText(line).slice(start, column - 1 + MARGIN);
    const from = lines.offset(line) + start;
    if (isSecret(from, from + shown.length, misplaced)) return undefined;
    return `${shown}\n${shown.slice(0, column - 1 - start).replace(/[^\t]/g, ' ')}^`;
  };
}

/** Returns a function that reports whether a part of a text may show a value of a Secret. */
function secretPartsIn(text: string): (from: number, to: number, misplaced: boolean) => boolean {
  const ranges = splitDocuments(text);
  const isTornOff = tornOffIn(text, ranges);
  const documents = onceFor((index: number) => {
    const { start, end } = ranges[index] as DocumentRange;
    const document = text.slice(start, end);
    const secrets = isTornOff(index) ? [{ start: 0, end: document.length, plain: [] }] : secretRanges(document);
    return { start, end, document, secrets };
  });
  /** One line may contain several documents. */
  return (from, to, misplaced) => {
    let covered = from;
    // The first document that ends after the start.
    const first = countUpTo(from, ranges.length, (at) => (ranges[at] as DocumentRange).end);
    for (let index = first; index < ranges.length && (ranges[index] as DocumentRange).start < to; index += 1) {
      const { start, end, document, secrets } = documents(index);
      if (start > covered && mayHoldSecret(text.slice(covered, start))) return true;
      if (misplaced && secrets.some((secret) => start + secret.start < to)) return true;
      if (showsSecret(document, from - start, to - start, secrets)) return true;
      covered = end;
    }
    // Text between documents is not parsed, and may be intended as a part of any of them.
    return covered < to && text.slice(covered, to).trim() !== '' && mayHoldSecret(text);
  };
}

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
    const subject = subjectText(diagnostic);
    if (subject !== undefined) text += visible(indented(subject, '  '));
    if (diagnostic.hint !== undefined) text += visible(indented(`hint: ${diagnostic.hint}`, '  '));
    if (diagnostic.reproduction !== undefined) {
      text += `  this file shows it:\n${visible(indented(diagnostic.reproduction, '    '))}`;
    }
  }
  return text;
}

/**
 * Returns the line that tells objects of one name apart: the instance of a problem in its RGD with its location and
 * namespace, or the namespace of an object; undefined if there is none.
 */
export function subjectText({ namespace, instance }: Diagnostic): string | undefined {
  if (instance === undefined) return namespace === undefined ? undefined : `namespace: ${namespace}`;
  const place = [instance.file, instance.line, instance.column].filter((part) => part !== undefined).join(':');
  return namespace === undefined ? `instance: ${place}` : `instance: ${place}, namespace ${namespace}`;
}

/** The parts of escape sequences of every terminal (ECMA-48, SGR). */
const SGR = { place: '1', error: '1;31', warning: '1;33', info: '1;36' };

const styled = (style: keyof typeof SGR, text: string, colors: boolean): string =>
  colors && text !== '' ? `\u001B[${SGR[style]}m${text}\u001B[0m` : text;

export function formatDiagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  const ordered = diagnostics.map((one) => Object.fromEntries(DIAGNOSTIC_FIELDS.map((key) => [key, one[key]])));
  return visible(`${JSON.stringify(ordered, null, 2)}\n`);
}

function headline(diagnostic: Diagnostic, colors: boolean): string {
  const { file, line, column, severity, code, object, node, field, message } = diagnostic;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const subject = onOneLine([object, node && `node ${node}`, place === '' ? field : '']);
  const what = styled(severity, `${severity}[${code}]`, colors);
  // sentence: only indents it
  const sentence = `${what}${subject}: ${visible(message.replaceAll('\n', '\n    '))}`;
  if (place === '') return sentence;
  return `${sentence}\n  --> ${styled('place', visibleOnOneLine(place), colors)}${onOneLine([field])}`;
}

const onOneLine = (parts: readonly (string | undefined)[]): string =>
  visibleOnOneLine(parts.map((part) => (part === undefined || part === '' ? '' : ` ${part}`)).join(''));

const indented = (text: string, indentation: string): string => `${text.replace(/^/gm, indentation)}\n`;

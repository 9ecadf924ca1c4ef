import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** An escaped line break and the empty lines after it, any other escape, or a backslash that is none. */
const ESCAPE =
  /\\(?:\r\n|\r(?!\n)|\n)((?:[ \t]*(?:\r\n?|\n))+)[ \t]*|\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})|\\/g;

/**
 * Returns the text of a scalar, unescaped and unfolded. The parser loses the empty lines after an escaped line break,
 * each of which is a line break of the text (YAML 1.2, 7.3.1), so they are replaced with escapes first. A backslash of
 * an invalid escape is omitted.
 */
export function scalarText(source: string, event: ScalarEvent): string {
  if (event.fast || event.style !== SCALAR_STYLE.DOUBLE_QUOTED) return getScalarValue(source, event);
  const written = source.slice(event.valueStart, event.valueEnd);
  const escaped = written.replace(ESCAPE, (found, empty?: string) =>
    empty === undefined ? (found === '\\' ? '' : found) : '\\n'.repeat(breaksIn(empty)),
  );
  if (escaped === written) return getScalarValue(source, event);
  return getScalarValue(escaped, { ...event, valueStart: 0, valueEnd: escaped.length });
}

/** Counts the line breaks of a text. */
export const breaksIn = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

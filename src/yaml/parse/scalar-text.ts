import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** An escaped line break and the empty lines after it, or any other escape. */
const ESCAPE = /\\(?:\r\n|\r(?!\n)|\n)((?:[ \t]*(?:\r\n?|\n))+)[ \t]*|\\./gs;

/**
 * Returns the text of a scalar, unescaped and unfolded. The parser loses the empty lines after an escaped line break,
 * each of which is a line break of the text (YAML 1.2, 7.3.1), so they are replaced with escapes first.
 */
export function scalarText(source: string, event: ScalarEvent): string {
  if (event.fast || event.style !== SCALAR_STYLE.DOUBLE_QUOTED) return getScalarValue(source, event);
  const written = source.slice(event.valueStart, event.valueEnd);
  const escaped = written.replace(ESCAPE, (found, empty?: string) =>
    empty === undefined ? found : '\\n'.repeat(breaksIn(empty)),
  );
  if (escaped === written) return getScalarValue(source, event);
  return getScalarValue(escaped, { ...event, valueStart: 0, valueEnd: escaped.length });
}

/** Counts the line breaks of a text. */
export const breaksIn = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

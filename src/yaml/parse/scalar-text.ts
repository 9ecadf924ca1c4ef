import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** An escaped line break and the empty lines behind it, or any other escape. */
const ESCAPE = /\\(?:\r\n|\r(?!\n)|\n)((?:[ \t]*(?:\r\n?|\n))+)[ \t]*|\\./gs;

/**
 * The text of a scalar, unescaped and unfolded. The parser loses the empty lines behind an escaped line break, each of
 * which is a line break of the text (YAML 1.2, 7.3.1), so they are written as escapes first.
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

/** How many line breaks a text has. */
export const breaksIn = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

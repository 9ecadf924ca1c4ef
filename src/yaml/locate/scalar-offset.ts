import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { breaksIn } from '../parse/index.ts';

/**
 * Returns the position in the source of a character of a scalar's value: escapes, doubled quotes, folded lines and the
 * indentation of block scalars are in the source but not in the value. Both offsets count UTF-16 units.
 */
export function sourceOffset(source: string, event: ScalarEvent, offset: number): number {
  if (event.fast) return Math.min(event.valueStart + offset, event.valueEnd);
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  return isBlock ? blockOffset(source, event, offset) : flowOffset(source, event, offset);
}

/** The lines of a block scalar follow each other in its value, with only spaces and breaks between them. */
function blockOffset(source: string, event: ScalarEvent, offset: number): number {
  const value = getScalarValue(source, event);
  const indent = Math.max(event.indent, 0);
  let lineStart = event.valueStart;
  let at = 0;
  for (const match of source.slice(event.valueStart, event.valueEnd).matchAll(/([^\r\n]*)(\r\n?|\n|$)/g)) {
    const text = (match[1] as string).slice(indent);
    if (text !== '') {
      while (at < value.length && !value.startsWith(text, at)) at++;
      if (offset < at + text.length) return lineStart + indent + Math.max(offset - at, 0);
      at += text.length;
      // The line break of the last line, or a position between two lines.
      if (offset === at) return lineStart + indent + text.length;
    }
    lineStart += match[0].length;
  }
  return event.valueEnd;
}

function flowOffset(source: string, event: ScalarEvent, offset: number): number {
  let at = event.valueStart;
  let produced = 0;
  while (at < event.valueEnd) {
    const piece = flowPiece(source, at, event.style);
    if (produced + piece.produces > offset) return at;
    at += piece.length;
    produced += piece.produces;
  }
  return event.valueEnd;
}

const FOLD = /[ \t]*(?:\r\n?|\n)[ \t\r\n]*/y;
/** The empty lines after it are line breaks of the value. */
const ESCAPED_BREAK = /\\(?:\r\n?|\n)([ \t\r\n]*)/y;
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Returns the length of the smallest piece of source with whole characters of the value, and their number. */
function flowPiece(source: string, at: number, style: number): { length: number; produces: number } {
  if (style === SCALAR_STYLE.DOUBLE_QUOTED && source[at] === '\\') {
    ESCAPED_BREAK.lastIndex = at;
    const skipped = ESCAPED_BREAK.exec(source);
    if (skipped !== null) return { length: skipped[0].length, produces: breaksIn(skipped[1] as string) };
    const digits = HEX_DIGITS[source[at + 1] ?? ''] ?? 0;
    const code = digits === 8 ? Number.parseInt(source.slice(at + 2, at + 10), 16) : 0;
    return { length: 2 + digits, produces: code > 0xffff ? 2 : 1 };
  }
  if (style === SCALAR_STYLE.SINGLE_QUOTED && source[at] === "'") return { length: 2, produces: 1 };
  FOLD.lastIndex = at;
  const fold = FOLD.exec(source);
  if (fold === null) return { length: 1, produces: 1 };
  const breaks = breaksIn(fold[0]);
  return { length: fold[0].length, produces: breaks === 1 ? 1 : breaks - 1 };
}

import { ESCAPED_CHARACTERS } from '../../../core/text/go-text.ts';
import { runeAt, runeBytes } from '../bytes.ts';

const HEX_LENGTH: Record<string, number> = { x: 2, u: 4, U: 8 };

/** Returns the text of a literal in `"` or `` ` ``, as Go reads it; `undefined` for an invalid escape. */
export function unquote(literal: string): string | undefined {
  const body = literal.slice(1, -1);
  if (literal.startsWith('`')) return body.replaceAll('\r', '');
  let out = '';
  for (let at = 0; at < body.length; ) {
    const part = unquotePart(body, at, '"');
    if (part === undefined) return undefined;
    out += part.bytes;
    at = part.end;
  }
  return out;
}

/**
 * Returns the code point of a literal in `'`; `undefined` for an invalid escape, `'tail'` for more than one character.
 */
export function unquoteChar(literal: string): number | 'tail' | undefined {
  const body = literal.slice(1);
  const part = body.startsWith("'") ? undefined : unquotePart(body, 0, "'");
  if (part === undefined) return undefined;
  return body.slice(part.end) === "'" ? part.rune : 'tail';
}

interface Part {
  rune: number;
  /** Its bytes in a string: `\xff` is a byte, not a code point. */
  bytes: string;
  end: number;
}

function unquotePart(body: string, at: number, quote: string): Part | undefined {
  const char = body.charAt(at);
  if (char === quote || char === '\n') return undefined;
  if (char !== '\\') {
    const { rune, width } = runeAt(body, at);
    return { rune, bytes: body.slice(at, at + width), end: at + width };
  }
  const letter = body.charAt(at + 1);
  const simple = Object.hasOwn(ESCAPED_CHARACTERS, letter)
    ? ESCAPED_CHARACTERS[letter]
    : letter === quote
      ? quote
      : undefined;
  if (simple !== undefined) return { rune: simple.charCodeAt(0), bytes: simple, end: at + 2 };
  return numericEscape(body, at, letter);
}

function numericEscape(body: string, at: number, letter: string): Part | undefined {
  if (/[0-7]/.test(letter)) {
    const digits = /^[0-7]{3}/.exec(body.slice(at + 1, at + 4))?.[0];
    const code = Number.parseInt(digits ?? '777', 8);
    return code > 255 ? undefined : { rune: code, bytes: String.fromCharCode(code), end: at + 4 };
  }
  const length = HEX_LENGTH[letter];
  if (length === undefined) return undefined;
  const digits = body.slice(at + 2, at + 2 + length);
  if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  const end = at + 2 + length;
  if (letter === 'x') return { rune: code, bytes: String.fromCharCode(code), end };
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
  return { rune: code, bytes: runeBytes(code), end };
}

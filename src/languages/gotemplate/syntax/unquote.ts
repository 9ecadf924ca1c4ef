import { ESCAPED_CHARACTERS } from '../../../core/text/go-text.ts';
import { runeAt, runeBytes } from '../bytes.ts';

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([abfnrtv\\"']))/y;

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
  ESCAPE.lastIndex = at;
  const [whole, byte, short, long, octal, simple] = ESCAPE.exec(body) ?? [];
  if (whole === undefined) return undefined;
  const end = at + whole.length;
  if (simple !== undefined) {
    const bytes = simple === quote ? quote : ESCAPED_CHARACTERS[simple];
    return bytes === undefined ? undefined : { rune: bytes.charCodeAt(0), bytes, end };
  }
  const hex = byte ?? short ?? long;
  const rune = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
  if (rune > 0x10ffff || (rune >= 0xd800 && rune < 0xe000)) return undefined;
  return { rune, bytes: short === undefined && long === undefined ? String.fromCharCode(rune) : runeBytes(rune), end };
}

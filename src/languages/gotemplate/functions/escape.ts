import { runeAt } from '../bytes.ts';
import { isPrintable } from '../syntax/characters.ts';

const HTML: Record<string, string> = {
  '\0': '\xef\xbf\xbd',
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};

export const escapeHtml = (text: string): string => text.replace(/[\0"'&<>]/g, (char) => HTML[char] ?? char);

const JS: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

/** Escapes for the inside of a JavaScript string. */
export function escapeJs(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const { rune, width } = runeAt(text, at);
    const bytes = text.slice(at, at + width);
    const special = JS[bytes];
    if (special !== undefined) out += special;
    else if (rune >= 0x80) out += isPrintable(rune) ? bytes : `\\u${upperHex(rune, 4)}`;
    else out += rune < 32 ? `\\u00${upperHex(rune, 2)}` : bytes;
    at += width;
  }
  return out;
}

const upperHex = (value: number, width: number): string => value.toString(16).toUpperCase().padStart(width, '0');

/** Escapes for a value in the query of a URL: a space becomes `+`. */
export const escapeQuery = (text: string): string =>
  text.replace(/[^A-Za-z0-9\-_.~]/g, (char) => (char === ' ' ? '+' : `%${upperHex(char.charCodeAt(0), 2)}`));

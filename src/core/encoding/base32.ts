import type { Base64Problem } from './base64.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The number of digits of a last group of 1 to 4 bytes. */
const DIGITS_OF_BYTES = [0, 2, 4, 5, 7];
const GROUP = 8;

/** Standard base32 (RFC 4648 section 6) with padding. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.replace(/.{1,5}/g, (five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)] as string);
  return digits.padEnd(Math.ceil(digits.length / GROUP) * GROUP, '=');
}

/** Decodes as Go's base32.StdEncoding: line breaks are ignored. */
export function decodeBase32(text: string): Uint8Array | Base64Problem {
  const clean = text.replace(/[\r\n]/g, '');
  const [digits = ''] = /^[A-Z2-7]*/.exec(clean) ?? [];
  const offset = faultIn(clean, digits.length);
  if (offset !== undefined) return { offset };
  const bits = Array.from(digits, (digit) => ALPHABET.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** Returns the position of an error: the padding after the digits does not complete the last group. */
function faultIn(text: string, end: number): number | undefined {
  const digits = end % GROUP;
  const start = end - digits;
  if (end === text.length) return digits === 0 ? undefined : start;
  if (text[end] !== '=' || digits < 2 || text.length - end > GROUP) return end;
  if (text.length < start + GROUP) return text.length;
  const wrong = text.slice(end + 1, start + GROUP).search(/[^=]/);
  if (wrong >= 0) return end + wrong;
  return DIGITS_OF_BYTES.includes(digits) ? undefined : end;
}

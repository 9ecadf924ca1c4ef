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
  const bytes: number[] = [];
  for (let at = 0; at < clean.length; at += GROUP) {
    const fault = decodeGroup(clean, at, bytes);
    if (typeof fault === 'number') return { offset: fault };
    if (fault === 'end') break;
  }
  return Uint8Array.from(bytes);
}

/** Decodes eight digits. @returns the position of an error, or that padding ended the text */
function decodeGroup(text: string, at: number, bytes: number[]): number | 'end' | undefined {
  let bits = 0n;
  let digits = 0;
  for (; digits < GROUP; digits++) {
    const char = text[at + digits];
    if (char === undefined) return at;
    if (char === '=' && digits >= 2 && text.length - at - digits <= GROUP) break;
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return at + digits;
    bits = (bits << 5n) | BigInt(digit);
  }
  const fault = digits < GROUP ? paddingFault(text, at, digits) : undefined;
  if (fault !== undefined) return fault;
  bits <<= BigInt(5 * (GROUP - digits));
  const count = digits === GROUP ? 5 : DIGITS_OF_BYTES.indexOf(digits);
  for (let i = 0; i < count; i++) bytes.push(Number((bits >> BigInt(32 - 8 * i)) & 255n));
  return digits < GROUP ? 'end' : undefined;
}

/** Returns an error if the padding does not complete the group. */
function paddingFault(text: string, at: number, digits: number): number | undefined {
  if (text.length < at + GROUP) return text.length;
  const wrong = text.slice(at + digits + 1, at + GROUP).search(/[^=]/);
  if (wrong >= 0) return at + digits + wrong;
  return DIGITS_OF_BYTES.includes(digits) ? undefined : at + digits;
}

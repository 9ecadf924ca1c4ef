import { utf8 } from '../text/utf8.ts';
import { sha256 } from './hashes.ts';

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal, two digits a byte. */
export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/** A function that returns the first hexadecimal digits, an even number of them, of the SHA-256 of a text. */
export type TextDigest = (text: string, digits: number) => string;

/** Returns the first hexadecimal digits, an even number of them, of the SHA-256 of a text. */
export const textDigest: TextDigest = (text, digits) => hex(sha256(utf8(text)).subarray(0, digits / 2));

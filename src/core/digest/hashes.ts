import { sha256 } from '@noble/hashes/sha2.js';
import { utf8 } from '../text/utf8.ts';

// MD5 (RFC 1321) has 16 bytes, for a function of kro; SHA-1 (FIPS 180-4) has 20 bytes, for UUIDs of version 5. Neither
// protects against an attacker. SHA-256 (FIPS 180-4) has 32 bytes.
export { md5, sha1 } from '@noble/hashes/legacy.js';
export { sha256 };

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/** A function that returns the first hexadecimal digits, an even number of them, of the SHA-256 of a text. */
export type TextDigest = (text: string, digits: number) => string;

/** Returns the first hexadecimal digits, an even number of them, of the SHA-256 of a text. */
export const textDigest: TextDigest = (text, digits) => hex(sha256(utf8(text)).subarray(0, digits / 2));

const ADLER_MODULUS = 65_521;
/** How many bytes can be added before the sums exceed exact numbers. */
const ADLER_BLOCK = 4096;

/** The Adler-32 checksum (RFC 1950). */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += ADLER_BLOCK) {
    for (const byte of bytes.subarray(start, start + ADLER_BLOCK)) {
      a += byte;
      b += a;
    }
    a %= ADLER_MODULUS;
    b %= ADLER_MODULUS;
  }
  return b * 65_536 + a;
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** FNV-1a with 64 bits: 8 bytes, most significant first (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function fnv1a64(message: Uint8Array): Uint8Array {
  let hash = FNV_OFFSET;
  for (const byte of message) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, hash);
  return new Uint8Array(view.buffer);
}

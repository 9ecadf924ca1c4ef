import { hex } from './hex.ts';
import { sha256 } from './sha256.ts';

const encoder = new TextEncoder();

/** A function that returns the first hexadecimal digits, an even number of them, of the SHA-256 of a text. */
export type TextDigest = (text: string, digits: number) => string;

/** Returns the first hexadecimal digits, an even number of them, of the SHA-256 of a text. */
export const textDigest: TextDigest = (text, digits) => hex(sha256(encoder.encode(text)).subarray(0, digits / 2));

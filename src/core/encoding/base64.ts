const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const DIGITS = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 64; digit++) DIGITS[ALPHABET.charCodeAt(digit)] = digit;

/** Standard base64 (RFC 4648 section 4) with padding. */
export const encodeBase64 = (bytes: Uint8Array): string => btoa(packed(bytes));

const CHUNK = 8192;

/** Returns one character for each byte. */
export function packed(bytes: Uint8Array): string {
  let out = '';
  // biome-ignore lint/plugin: chunks of a fixed length
  for (let at = 0; at < bytes.length; at += CHUNK) out += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return out;
}

/** Invalid base64 text; `offset` counts UTF-16 units up to the error. */
export interface Base64Problem {
  offset: number;
}

/**
 * Decodes standard base64 as Go's `StdEncoding` does: line breaks are ignored, and unused bits in the last digit too.
 * `padding: 'none'` reads text without padding and rejects `=`, as `RawStdEncoding` does.
 */
export function decodeBase64(text: string, padding: 'required' | 'none' = 'required'): Uint8Array | Base64Problem {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let digits = 0;
  let at = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) continue;
    const digit = code < 128 ? (DIGITS[code] as number) : -1;
    if (digit < 0) break;
    bits = (bits << 6) | digit;
    if (++digits < 4) continue;
    bytes[length++] = bits >> 16;
    bytes[length++] = bits >> 8;
    bytes[length++] = bits;
    bits = 0;
    digits = 0;
  }
  const end = closing(text, at, digits, padding);
  if (typeof end !== 'number') return end;
  if (digits > 1) bytes[length++] = bits >> (digits * 6 - 8);
  if (digits > 2) bytes[length++] = bits >> 2;
  return bytes.subarray(0, length);
}

/** Checks what follows the last digit: exactly the padding that completes the last group, then line breaks only. */
function closing(text: string, at: number, digits: number, padding: 'required' | 'none'): number | Base64Problem {
  if (at === text.length) {
    const whole = digits === 0 || (padding === 'none' && digits > 1);
    return whole ? at : { offset: text.length - digits };
  }
  const missing = digits > 1 ? 4 - digits : 0;
  if (padding === 'none' || missing === 0) return { offset: at };
  let seen = 0;
  let offset = at;
  for (; offset < text.length; offset++) {
    const char = text[offset];
    if (char === '\n' || char === '\r') continue;
    if (char !== '=' || seen === missing) return { offset };
    seen++;
  }
  return seen === missing ? offset : { offset };
}

export const isFault = (result: Uint8Array | Base64Problem): result is Base64Problem => !(result instanceof Uint8Array);

/** Standard base64 (RFC 4648 section 4) with padding. */
export const encodeBase64 = (bytes: Uint8Array): string => btoa(packed(bytes));

const CHUNK = 8192;

export function packed(bytes: Uint8Array): string {
  let out = '';
  // allowed: chunks of a fixed length
  for (let at = 0; at < bytes.length; at += CHUNK) out += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return out;
}

export function unpacked(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Invalid text; `offset` counts UTF-16 units up to the error. */
export interface Base64Problem {
  offset: number;
}

/**
 * Decodes standard base64 as Go's `StdEncoding` does: line breaks are ignored, and unused bits in the last digit too.
 * `padding: 'none'` reads text without padding and rejects `=`, as `RawStdEncoding` does.
 */
export function decodeBase64(text: string, padding: 'required' | 'none' = 'required'): Uint8Array | Base64Problem {
  const [written = ''] = /^[A-Za-z0-9+/\r\n]*/.exec(text) ?? [];
  const digits = written.replace(/[\r\n]+/g, '');
  const offset = faultAt(text, written.length, digits.length % 4, padding);
  return offset === undefined ? unpacked(atob(digits)) : { offset };
}

/** Checks what follows the last digit: exactly the padding that completes the last group, then line breaks only. */
function faultAt(text: string, at: number, digits: number, padding: 'required' | 'none'): number | undefined {
  if (at === text.length) return digits === 0 || (padding === 'none' && digits > 1) ? undefined : at - digits;
  let missing = padding === 'none' || digits < 2 ? 0 : 4 - digits;
  if (missing === 0) return at;
  let offset = at;
  for (; offset < text.length; offset++) {
    const char = text[offset];
    if (char === '\n' || char === '\r') continue;
    if (char !== '=' || missing === 0) return offset;
    missing--;
  }
  return missing === 0 ? undefined : offset;
}

export const isFault = (result: Uint8Array | Base64Problem): result is Base64Problem => !(result instanceof Uint8Array);

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The number of digits of a last group of 1 to 4 bytes. */
const DIGITS_OF_BYTES = [0, 2, 4, 5, 7];
const GROUP = 8;

/** Standard base32 (RFC 4648 section 6) with padding. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.replace(/.{1,5}/g, (five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)] as string);
  return digits.padEnd(Math.ceil(digits.length / GROUP) * GROUP, '=');
}

/** Decodes as Go's base32.StdEncoding: line breaks are ignored. */
export function decodeBase32(text: string): Uint8Array | Base64Problem {
  const clean = text.replace(/[\r\n]/g, '');
  const [digits = ''] = /^[A-Z2-7]*/.exec(clean) ?? [];
  const offset = faultInBase32(clean, digits.length);
  if (offset !== undefined) return { offset };
  const bits = Array.from(digits, (digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** Returns the position of an error: the padding after the digits does not complete the last group. */
function faultInBase32(text: string, end: number): number | undefined {
  const digits = end % GROUP;
  const start = end - digits;
  if (end === text.length) return digits === 0 ? undefined : start;
  if (text[end] !== '=' || digits < 2 || text.length - end > GROUP) return end;
  if (text.length < start + GROUP) return text.length;
  const wrong = text.slice(end + 1, start + GROUP).search(/[^=]/);
  if (wrong >= 0) return end + wrong;
  return DIGITS_OF_BYTES.includes(digits) ? undefined : end;
}

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

/** Returns the bytes of a text with one character for each. */
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

import { textDigest } from '../../core/digest/text-digest.ts';

/**
 * The maximum length of a file name, in bytes. File systems allow 255; encrypted ones allow 143, and Windows about 260
 * for a whole path.
 */
export const MAX_SEGMENT = 120;

/** Characters that Windows or a shell rejects in a name, control characters, and unpaired surrogates. */
const REFUSED = /[<>:"/\\|?*%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Device names of Windows: with any extension, in any case. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00B9\u00B2\u00B3]|lpt[0-9\u00B9\u00B2\u00B3])(?=[. ]|$)/i;

/** Most names: nothing in them is refused anywhere, and a byte for each character. */
const USUAL = /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;

const encoder = new TextEncoder();

/** Returns the first eight hexadecimal digits of the SHA-256 of a text, which distinguish similar names. */
export const shortDigest = (text: string): string => textDigest(text, 8);

/**
 * Returns a name that every file system accepts, and whether it was changed. `room` is the number of bytes to reserve
 * for a suffix.
 */
export function safeSegment(text: string, reserved = 0): { text: string; changed: boolean } {
  if (text.length <= MAX_SEGMENT - reserved && USUAL.test(text) && !DEVICE.test(text)) return { text, changed: false };
  const clean = text
    .replace(REFUSED, '_')
    .replace(/^[. ]+|[. ]+$/g, (ends) => '_'.repeat(ends.length))
    .replace(DEVICE, '$&_');
  const short = shortened(clean, MAX_SEGMENT - reserved);
  return { text: short, changed: short !== text };
}

function shortened(text: string, bytes: number): string {
  if (encoder.encode(text).length <= bytes) return text;
  let short = '';
  let length = 0;
  for (const character of text) {
    length += encoder.encode(character).length;
    if (length > bytes) break;
    short += character;
  }
  // The end of the truncated name may be invalid.
  return short.replace(/[. ]+$/, (ends) => '_'.repeat(ends.length));
}

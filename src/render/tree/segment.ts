import { hex } from '../../core/digest/hex.ts';
import { sha256 } from '../../core/digest/sha256.ts';

/**
 * The longest name of a file or folder, in bytes. File systems take 255; those that encrypt names take 143, and Windows
 * has about 260 for a whole path.
 */
export const MAX_SEGMENT = 120;

/** What Windows, or a shell, refuses in a name, control characters, and half of a surrogate pair. */
const REFUSED = /[<>:"/\\|?*%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Devices of Windows: with whatever extension, in whatever case. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00B9\u00B2\u00B3]|lpt[0-9\u00B9\u00B2\u00B3])(?=[. ]|$)/i;

const encoder = new TextEncoder();

/** The first eight hexadecimal digits of the SHA-256 of a text: what tells names apart that would look alike. */
export const shortDigest = (text: string): string => hex(sha256(encoder.encode(text))).slice(0, 8);

/**
 * A name of a file or folder that every file system takes, and whether it had to be changed for that. `room` is how many
 * bytes have to be left for what is put behind it.
 */
export function safeSegment(text: string, reserved = 0): { text: string; changed: boolean } {
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
  // What the cut leaves at the end may be refused there.
  return short.replace(/[. ]+$/, (ends) => '_'.repeat(ends.length));
}

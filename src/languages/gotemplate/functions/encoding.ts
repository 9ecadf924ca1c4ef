import { adler32 } from '../../../core/digest/adler32.ts';
import { hex } from '../../../core/digest/hex.ts';
import { sha1 } from '../../../core/digest/sha1.ts';
import { sha256 } from '../../../core/digest/sha256.ts';
import { decodeBase32, encodeBase32 } from '../../../core/encoding/base32.ts';
import { decodeBase64, encodeBase64, isFault } from '../../../core/encoding/base64.ts';
import { packed, unpacked } from '../bytes.ts';
import { type FunctionTable, fixed } from './define.ts';

/** Returns the error message for text that cannot be decoded, as slim-sprig does. */
function decoded(result: Uint8Array | { offset: number }, base: 32 | 64): string {
  return isFault(result) ? `illegal base${base} data at input byte ${result.offset}` : packed(result);
}

/** Each byte is processed separately. */
const BYTES_PER_STEP = 16;
const BYTES_PER_STEP_OF_BASE_32 = 2;

const ofDigest = (call: (text: string) => string, bytesPerStep = BYTES_PER_STEP) =>
  fixed(['string'], ([text], meter) => {
    meter.spendSteps(text.length / bytesPerStep);
    meter.spendBytes(2 * text.length);
    return call(text);
  });

export const encodingFunctions: FunctionTable = [
  ['b64enc', ofDigest((text) => encodeBase64(unpacked(text)))],
  ['b64dec', ofDigest((text) => decoded(decodeBase64(text), 64))],
  ['b32enc', ofDigest((text) => encodeBase32(unpacked(text)), BYTES_PER_STEP_OF_BASE_32)],
  ['b32dec', ofDigest((text) => decoded(decodeBase32(text), 32), BYTES_PER_STEP_OF_BASE_32)],
  ['sha1sum', ofDigest((text) => hex(sha1(unpacked(text))))],
  ['sha256sum', ofDigest((text) => hex(sha256(unpacked(text))))],
  ['adler32sum', ofDigest((text) => String(adler32(unpacked(text))))],
];

import { adler32 } from '../../digest/adler32.ts';
import { hex } from '../../digest/hex.ts';
import { sha1 } from '../../digest/sha1.ts';
import { sha256 } from '../../digest/sha256.ts';
import { decodeBase32, encodeBase32 } from '../../encoding/base32.ts';
import { decodeBase64, encodeBase64, isFault } from '../../encoding/base64.ts';
import { packed, unpacked } from '../bytes.ts';
import { type FunctionTable, ofString } from './define.ts';

/** What cannot be decoded becomes the message, as in slim-sprig. */
function decoded(result: Uint8Array | { offset: number }, base: 32 | 64): string {
  return isFault(result) ? `illegal base${base} data at input byte ${result.offset}` : packed(result);
}

export const encodingFunctions: FunctionTable = [
  ['b64enc', ofString((text) => encodeBase64(unpacked(text)))],
  ['b64dec', ofString((text) => decoded(decodeBase64(text), 64))],
  ['b32enc', ofString((text) => encodeBase32(unpacked(text)))],
  ['b32dec', ofString((text) => decoded(decodeBase32(text), 32))],
  ['sha1sum', ofString((text) => hex(sha1(unpacked(text))))],
  ['sha256sum', ofString((text) => hex(sha256(unpacked(text))))],
  ['adler32sum', ofString((text) => String(adler32(unpacked(text))))],
];

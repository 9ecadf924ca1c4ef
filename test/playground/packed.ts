import { deflateRawSync } from 'node:zlib';

/** A fragment of this version with these bytes. */
export const packed = (text: string | Buffer, version = 1): string =>
  Buffer.concat([Buffer.from([version]), deflateRawSync(text)]).toString('base64url');

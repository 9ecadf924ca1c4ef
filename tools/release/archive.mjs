import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** 1980-01-01: archives of the same files have the same bytes. */
const TIME = 315_532_800;

/** Returns a .tar.gz of some files (`{ name, bytes, executable }`), the same bytes on every platform. */
export function tarGz(files) {
  const parts = files.flatMap(({ name, bytes, executable = false }) => [
    header(name, bytes.length, executable ? 0o755 : 0o644),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ]);
  const archive = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
  // The byte for the operating system: unknown.
  archive[9] = 255;
  return archive;
}

/** The header of a file in the format ustar. */
function header(name, size, mode) {
  const block = Buffer.alloc(BLOCK);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const fields = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(size, 12)],
    [136, octal(TIME, 12)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
    [265, 'root'],
    [297, 'root'],
  ];
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive`);
  for (const [offset, text] of fields) block.write(text, offset, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

import type { Random } from './random.ts';

type Mutator = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Bytes that are invalid in UTF-8, starts of unfinished sequences, and the codes that end C strings. */
const STRANGE: readonly number[] = [0x00, 0x80, 0xbf, 0xc0, 0xe2, 0xed, 0xf4, 0xf5, 0xff, 0x1b, 0x7f];

const mutators: readonly Mutator[] = [
  (bytes, random) => {
    const copy = bytes.slice();
    const at = random.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    return copy;
  },
  (bytes, random) => {
    const copy = bytes.slice();
    copy[random.below(copy.length)] = random.pick(STRANGE);
    return copy;
  },
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) => bytes.slice(random.below(bytes.length + 1)),
  (bytes) => new Uint8Array(Buffer.from(Buffer.from(bytes).toString('utf8'), 'utf16le')),
  (bytes) => Uint8Array.of(0xff, 0xfe, ...bytes.slice(0, 1000)),
];

/** Most inputs stay readable: invalid UTF-8 only reaches the reader of files. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  return bytes.length > 0 && random.chance(0.06) ? random.pick(mutators)(bytes, random) : bytes;
}

import { padToBlocks, rotateLeft, wordsToBytes } from './blocks.ts';

/** SHA-1 (FIPS 180-4): 20 bytes. For UUIDs of version 5; no protection against an attacker. */
export function sha1(message: Uint8Array): Uint8Array {
  const blocks = padToBlocks(message, false);
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const schedule = new Uint32Array(80);
  for (let block = 0; block < blocks.byteLength; block += 64) {
    expand(blocks, block, schedule);
    compress(state, schedule);
  }
  return wordsToBytes(state, false);
}

function expand(blocks: DataView, block: number, schedule: Uint32Array): void {
  const word = (index: number): number => schedule[index] as number;
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(block + i * 4);
  for (let i = 16; i < 80; i++) schedule[i] = rotateLeft(word(i - 3) ^ word(i - 8) ^ word(i - 14) ^ word(i - 16), 1);
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let i = 0; i < 80; i++) {
    const [mixed, constant] = step(i, b, c, d);
    const next = rotateLeft(a, 5) + mixed + e + constant + (schedule[i] as number);
    [e, d, c, b, a] = [d, c, rotateLeft(b, 30), a, next | 0];
  }
  [a, b, c, d, e].forEach((word, index) => {
    state[index] = (state[index] as number) + word;
  });
}

/** The mix of the three words and the constant of a step. */
function step(i: number, b: number, c: number, d: number): readonly [number, number] {
  if (i < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (i < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (i < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}

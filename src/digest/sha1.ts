import { addWords, padToBlocks, rotateLeft, wordsToBytes } from './blocks.ts';

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
    const next = (rotateLeft(a, 5) + mixed(i, b, c, d) + e + constant(i) + (schedule[i] as number)) | 0;
    e = d;
    d = c;
    c = rotateLeft(b, 30);
    b = a;
    a = next;
  }
  addWords(state, [a, b, c, d, e]);
}

function mixed(i: number, b: number, c: number, d: number): number {
  if (i < 20) return (b & c) | (~b & d);
  return i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
}

function constant(i: number): number {
  if (i < 20) return 0x5a827999;
  if (i < 40) return 0x6ed9eba1;
  return i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
}

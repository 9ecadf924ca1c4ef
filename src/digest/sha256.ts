import { addWords, padToBlocks, wordsToBytes } from './blocks.ts';

/** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
const ROUNDS = Uint32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

const rotateRight = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** SHA-256 (FIPS 180-4): 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  const blocks = padToBlocks(message, false);
  const state = Uint32Array.of(
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
  );
  const schedule = new Uint32Array(64);
  for (let block = 0; block < blocks.byteLength; block += 64) {
    expand(blocks, block, schedule);
    compress(state, schedule);
  }
  return wordsToBytes(state, false);
}

function expand(blocks: DataView, block: number, schedule: Uint32Array): void {
  const word = (index: number): number => schedule[index] as number;
  for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(block + i * 4);
  for (let i = 16; i < 64; i++) {
    const a = word(i - 15);
    const b = word(i - 2);
    const s0 = rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3);
    const s1 = rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10);
    schedule[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + (schedule[i] as number)) | 0;
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  addWords(state, [a, b, c, d, e, f, g, h]);
}

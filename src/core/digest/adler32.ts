const MODULUS = 65_521;
/** How many bytes can be added before the sums exceed exact numbers. */
const BLOCK = 4096;

/** The Adler-32 checksum (RFC 1950). */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += BLOCK) {
    for (const byte of bytes.subarray(start, start + BLOCK)) {
      a += byte;
      b += a;
    }
    a %= MODULUS;
    b %= MODULUS;
  }
  return b * 65_536 + a;
}

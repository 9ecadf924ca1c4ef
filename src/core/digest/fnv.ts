const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** FNV-1a with 64 bits: 8 bytes, most significant first (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function fnv1a64(message: Uint8Array): Uint8Array {
  let hash = OFFSET;
  for (const byte of message) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, hash);
  return new Uint8Array(view.buffer);
}

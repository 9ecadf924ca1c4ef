/**
 * The message padded to whole 64-byte blocks as MD5, SHA-1 and SHA-256 all do: a one bit, zeros, then the length in
 * bits as a 64-bit integer.
 */
export function padToBlocks(message: Uint8Array, littleEndian: boolean): DataView {
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n, littleEndian);
  return view;
}

/** 32-bit words as bytes. */
export function wordsToBytes(words: ArrayLike<number>, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  for (let index = 0; index < words.length; index++) view.setUint32(index * 4, words[index] as number, littleEndian);
  return new Uint8Array(view.buffer);
}

/** Adds words to those of a state, modulo 2^32. */
export function addWords(state: Uint32Array, words: readonly number[]): void {
  words.forEach((word, index) => {
    state[index] = (state[index] as number) + word;
  });
}

export const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

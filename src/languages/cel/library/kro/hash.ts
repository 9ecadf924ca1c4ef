/**
 * kro's hash functions, the hash of a text as bytes, and its random functions: deterministic, bit for bit as kro
 * computes them (pkg/cel/library/hash.go and random.go).
 */
import { fnv1a64, md5, sha256 } from '../../../../core/digest/hashes.ts';
import { utf8 } from '../../../../core/text/utf8.ts';
import { fn, type Library, type Overload } from '../../library.ts';
import { BYTES, INT, STRING } from '../../types.ts';
import { characterWork } from '../../value/size.ts';
import { failure } from '../../value/values.ts';

/** The steps for a block of a digest. */
const DIGEST = 50;

const hashing = (name: string, digest: (message: Uint8Array) => Uint8Array): Overload =>
  fn(name, [STRING], BYTES, (text: string) => digest(utf8(text)), {
    size: () => 32,
    work: (text: string) => DIGEST + characterWork(text),
  });

export const hash: Library = {
  name: 'kro hash',
  overloads: [hashing('hash.fnv64a', fnv1a64), hashing('hash.sha256', sha256), hashing('hash.md5', md5)],
};

const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const seeded = (seed: string): DataView => new DataView(sha256(utf8(seed)).buffer);

/** One character for every four bytes of the seed's hash; longer texts hash repeatedly. */
function seededString(length: bigint, seed: string): string {
  if (length <= 0n) throw failure('random.seededString length must be positive');
  const hash = seeded(seed);
  let period = '';
  for (let at = 0; at < hash.byteLength; at += 4) period += CHARACTERS[hash.getUint32(at) % CHARACTERS.length];
  const count = Number(length);
  return period.repeat(Math.ceil(count / period.length)).slice(0, count);
}

function seededInt(min: bigint, max: bigint, seed: string): bigint {
  if (min >= max) throw failure('random.seededInt min must be less than max');
  return min + (seeded(seed).getBigUint64(0) % (max - min));
}

/** The steps for a block of a digest, and of its conversion. */
const CONVERTED = 70;
const seedWork = (seed: string): number => CONVERTED + characterWork(seed);

export const random: Library = {
  name: 'kro random',
  overloads: [
    fn('random.seededString', [INT, STRING], STRING, seededString, {
      size: (length) => Number(length),
      work: (_length, seed) => seedWork(seed),
    }),
    fn('random.seededInt', [INT, INT, STRING], INT, seededInt, { work: (_min, _max, seed) => seedWork(seed) }),
  ],
};

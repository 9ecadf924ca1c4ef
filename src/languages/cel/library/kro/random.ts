/** kro's random functions: deterministic, bit for bit as kro computes them (pkg/cel/library/random.go). */
import { sha256 } from '../../../../core/digest/hashes.ts';
import { utf8 } from '../../../../core/text/utf8.ts';
import { fn, type Library } from '../../library.ts';
import { INT, STRING } from '../../types.ts';
import { characterWork } from '../../value/size.ts';
import { failure } from '../../value/values.ts';

const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

const digest = (seed: string): DataView => new DataView(sha256(utf8(seed)).buffer);

/** One character for every four bytes of the seed's hash; longer texts hash repeatedly. */
function seededString(length: bigint, seed: string): string {
  if (length <= 0n) throw failure('random.seededString length must be positive');
  const hash = digest(seed);
  let period = '';
  for (let at = 0; at < hash.byteLength; at += 4) period += CHARACTERS[hash.getUint32(at) % CHARACTERS.length];
  const count = Number(length);
  return period.repeat(Math.ceil(count / period.length)).slice(0, count);
}

function seededInt(min: bigint, max: bigint, seed: string): bigint {
  if (min >= max) throw failure('random.seededInt min must be less than max');
  return min + (digest(seed).getBigUint64(0) % (max - min));
}

/** The steps for a block of a digest, and of its conversion. */
const DIGEST = 70;

export const random: Library = {
  name: 'kro random',
  overloads: [
    fn('random.seededString', [INT, STRING], STRING, seededString, {
      size: (length: bigint) => Number(length),
      work: (_: bigint, seed: string) => DIGEST + characterWork(seed),
    }),
    fn('random.seededInt', [INT, INT, STRING], INT, seededInt, {
      work: (_: bigint, __: bigint, seed: string) => DIGEST + characterWork(seed),
    }),
  ],
};

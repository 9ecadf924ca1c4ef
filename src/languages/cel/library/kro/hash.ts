/** kro's hash functions: the hash of a text as bytes (pkg/cel/library/hash.go). */
import { fnv1a64 } from '../../../../core/digest/fnv.ts';
import { md5, sha256 } from '../../../../core/digest/hashes.ts';
import { utf8 } from '../../../../core/text/utf8.ts';
import { fn, type Library, type Overload } from '../../library.ts';
import { BYTES, STRING } from '../../types.ts';
import { characterWork } from '../../value/size.ts';

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

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestFor } from '../../../src/cli/file-system.ts';
import { fnv1a64, hex, md5, sha1, sha256, textDigest } from '../../../src/core/digest/hashes.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('digests have the published values', () => {
  it.each([
    ['md5', md5, '', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['md5', md5, 'message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
    ['sha1', sha1, 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['sha256', sha256, '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['sha256', sha256, 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['fnv1a64', fnv1a64, '', 'cbf29ce484222325'],
    ['fnv1a64', fnv1a64, 'foobar', '85944171f73967e8'],
  ] as const)('%s of %3$j', (_name, digest, message, expected) => {
    expect(hex(digest(utf8(message)))).toBe(expected);
  });
});

describe('digests of texts agree with those of Node', () => {
  it.each([10, 16])('the first %i digits, also of half surrogate pairs', (digits) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\uD800', '\uDC00'), (text, half) => {
        const expected = textDigest(text + half, digits);
        expect(expected).toHaveLength(digits);
        expect(digestFor(0)(text + half, digits)).toBe(expected);
        expect(digestFor(1_000_000)(text + half, digits)).toBe(expected);
      }),
    );
  });
});

describe('digests agree with OpenSSL at every block boundary', () => {
  it.each([
    ['md5', md5],
    ['sha1', sha1],
    ['sha256', sha256],
  ] as const)('%s', (name, digest) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (message) => {
        expect(hex(digest(message))).toBe(createHash(name).update(message).digest('hex'));
      }),
    );
  });
});

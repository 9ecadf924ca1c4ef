import { describe, expect, it } from 'vitest';
import { CHECKED_FORMATS, hasFormat } from '../../../src/kubernetes/validation/index.ts';
import { FORMAT_TEXTS } from '../../differential/objects/formats.ts';

/** The answers of k8s.io/apiextensions-apiserver 0.36.3. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011', '507F1F77BCF86CD799439011'],
  uri: ['https://example.com/a?b=c', '/path', 'mailto:a@b.c', 'http://[::1]:80/', 'urn:x', '*', '//host/x'],
  email: [
    'a@b.c',
    'a@b',
    'A B <a@b.c>',
    '"A, B" <a@b.c>',
    '<a@b.c>',
    'a.b@c.d',
    '"a b"@c.d',
    'a@[1.2.3.4]',
    'a@[::1]',
    'a@b.c (home)',
    'g: a@b.c;',
    'ä@ö.de',
    '=?utf-8?q?a?= <a@b.c>',
    'a@ b.c',
    'A. B. <a@b.c>',
    'x (y) <a@b.c>',
    '"a\\"b"@c.d',
    'A =?x?q?a?= <a@b.c>',
    '=?utf-8?b?YQ==?= <a@b.c>',
  ],
  hostname: ['example.com', 'a', 'a-', '1.example.com', 'ä.de', `${'a'.repeat(63)}.com`, '☺.com', 'a-b', 'A.COM'],
  ipv4: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4', '0001.2.3.4'],
  ipv6: ['::1', '2001:db8::1', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'],
  cidr: ['10.0.0.0/8', '010.0.0.0/8', '::/0', '10.0.0.0/08', '1::00001/64'],
  duration: ['1h30m', '22 ns', '3 days', '2w', '-1s', '1.5h', '1 hr 2 foo', '+3ms', '0', '3 D', '999999999999999999h'],
  mac: ['01:23:45:67:89:ab', '01-23-45-67-89-AB', '0123.4567.89ab', '0123456789ab', '01:23:45:67:89:ab:cd:ef'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
  uuid3: ['123e4567-e89b-32d3-a456-426614174000'],
  uuid4: ['123e4567-e89b-42d3-a456-426614174000'],
  uuid5: ['123e4567-e89b-52d3-9456-426614174000'],
};

describe('formats of strings', () => {
  it.each(Object.entries(ACCEPTED))('of type %s accept what an API server accepts', (format, accepted) => {
    expect(FORMAT_TEXTS[format]?.filter((text) => hasFormat(format, text)).sort()).toEqual([...accepted].sort());
  });

  it('have test texts for every format that is checked', () => {
    const named = Object.keys(FORMAT_TEXTS).map((name) => name.replaceAll('-', ''));
    expect(CHECKED_FORMATS.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('distinguish valid from invalid texts in every format but password', () => {
    for (const [format, texts] of Object.entries(FORMAT_TEXTS)) {
      if (!CHECKED_FORMATS.includes(format.replaceAll('-', '')) || format === 'password') continue;
      const verdicts = new Set(texts.map((text) => hasFormat(format, text)));
      expect([format, verdicts.size]).toEqual([format, 2]);
    }
  });

  // The numbers that payment providers publish for tests, and the same with another last digit.
  it.each([
    ['5500005555555559', '5500005555555550'],
    ['5555555555554444', '5555555555554440'],
    ['371449635398431', '371449635398432'],
    ['6011111111111117', '6011111111111110'],
    ['4111-1111-1111-1111', '4111-1111-1111-1112'],
  ])('compute the check digit of a credit card: %s', (valid, invalid) => {
    expect(hasFormat('creditcard', valid)).toBe(true);
    expect(hasFormat('creditcard', invalid)).toBe(false);
  });

  it('ignore formats that an API server does not check', () => {
    expect(hasFormat('not-a-format', 'x')).toBe(true);
    expect(hasFormat('int32', 'x')).toBe(true);
  });
});

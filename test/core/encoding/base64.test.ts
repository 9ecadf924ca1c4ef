import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../../src/core/encoding/base64.ts';

const text = (result: ReturnType<typeof decodeBase64>): unknown =>
  result instanceof Uint8Array ? new TextDecoder().decode(result) : result;

describe('base64', () => {
  it('encodes as other implementations do', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      }),
    );
  });

  it('decodes its own output, with and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const encoded = encodeBase64(bytes);
        expect(decodeBase64(encoded)).toEqual(bytes);
        expect(decodeBase64(encoded.replaceAll('=', ''), 'none')).toEqual(bytes);
      }),
    );
  });

  it.each([
    ['line breaks are passed over', 'aG\nVs\r\nbG8=', 'hello'],
    ['line breaks may follow', 'YQ==\n', 'a'],
    ['left-over bits do not count', 'YR==', 'a'],
    ['nothing is nothing', '', ''],
    ['missing padding is a fault', 'YQ', { offset: 0 }],
    ['half the padding is a fault', 'YQ=', { offset: 3 }],
    ['too much padding is a fault', 'YQ===', { offset: 4 }],
    ['padding without a group is a fault', '====', { offset: 0 }],
    ['a lone digit is a fault', 'YWJjZ', { offset: 4 }],
    ['other characters are a fault', 'YW J', { offset: 2 }],
    ['the alphabet for URLs is another one', 'a-_a', { offset: 1 }],
    ['characters beyond ASCII are a fault', 'YWéJ', { offset: 2 }],
  ])('%s', (_rule, encoded, expected) => {
    expect(text(decodeBase64(encoded))).toEqual(expected);
  });

  it.each([
    ['padding is a fault where none is wanted', 'YQ==', { offset: 2 }],
    ['a lone digit is a fault', 'YWJjZ', { offset: 4 }],
    ['two digits are a byte', 'YQ', 'a'],
  ])('without padding: %s', (_rule, encoded, expected) => {
    expect(text(decodeBase64(encoded, 'none'))).toEqual(expected);
  });
});

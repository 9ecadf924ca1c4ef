import { describe, expect, it } from 'vitest';
import type { Value } from '../../../src/core/model/value.ts';
import { toJsonText } from '../../../src/yaml/emit/index.ts';

const VALUES: readonly Value[] = [
  null,
  'a "b"\n',
  [],
  {},
  [[], {}, null, true],
  { a: [{ b: [1.5, 'x'], c: {} }], 'd e': { f: null } },
];

describe('JSON text', () => {
  it.each([0, 2, 4])('is that of JSON.stringify with %d spaces', (indent) => {
    for (const value of VALUES) expect(toJsonText(value, indent)).toBe(JSON.stringify(value, null, indent));
  });

  it('has exact integers, and no unpaired surrogates', () => {
    const value = { size: 9007199254740993n, text: 'a\ud800b' };
    expect(toJsonText(value)).toBe('{"size":9007199254740993,"text":"a\ufffdb"}');
    expect(toJsonText(value, 2)).toBe('{\n  "size": 9007199254740993,\n  "text": "a\ufffdb"\n}');
  });
});

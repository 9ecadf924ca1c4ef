import { describe, expect, it } from 'vitest';
import { format } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import { readAgain } from '../../../src/kro/definition/read.ts';

function read(value: Value): { value: Value; faults: string[] } {
  const faults: string[] = [];
  const found = readAgain(value, [], ({ message, path }) => faults.push(`${path.join('.')}: ${format(message)}`));
  return { value: found, faults };
}

describe('a text that kro parses as YAML again', () => {
  it('keeps its value if nothing differs', () => {
    const value = { a: ['\t\u001f\u2028\ufeff\u00a0\u{1f600}', 1n, null, { b: true }] };
    const found = read(value);
    expect(found.value).toBe(value);
    expect(found.faults).toEqual([]);
  });

  it.each([
    ['a\u0085b', 'a b'],
    ['\u0085a', ' a'],
    ['a\u0085', 'a '],
    [' \u0085 ', ' '],
    ['a \u0085 b', 'a b'],
    ['a\u0085\u0085b', 'a\nb'],
    ['a\u0085 \u0085\u0085b', 'a\n\nb'],
    ['a\t\u0085\tb', 'a\t \tb'],
    ['\u0085\u0085', '\n'],
    ['a  \u0085b  c', 'a b  c'],
    ['a\n\u0085b', 'a\n b'],
    ['a\u0085...', 'a ...'],
  ])('%j is folded', (written, folded) => {
    expect(read({ k: [written] })).toEqual({ value: { k: [folded] }, faults: [] });
  });

  it('cannot contain other control characters', () => {
    // One comparison: 65,536 of them take seconds.
    const wrong: number[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      const isFault = (code >= 0x7f && code <= 0x9f && code !== 0x85) || code > 0xfffd;
      const faults =
        read({ k: String.fromCharCode(code) }).faults.length + read({ [String.fromCharCode(code)]: 1n }).faults.length;
      if (faults !== (isFault ? 2 : code === 0x85 ? 1 : 0)) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  it('cannot contain a document marker on its own line', () => {
    expect(read('a\u0085---\u0085b').faults).toHaveLength(1);
    expect(read('a\u0085--- b').faults).toHaveLength(1);
    expect(read('a\u0085---b').faults).toEqual([]);
  });
});

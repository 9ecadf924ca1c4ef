import { describe, expect, it } from 'vitest';
import { EACH, type Step } from '../../../src/core/model/read.ts';
import {
  anyOf,
  either,
  fieldsOf,
  isSecret,
  membersOf,
  SECRET,
  secretAt,
  within,
} from '../../../src/core/redaction/index.ts';

describe('the secret parts of a value', () => {
  it('a secret field marks its content and its parents, but not its siblings', () => {
    const secrecy = secretAt(['data', 'a'], true);
    const inside: Step[][] = [[], ['data'], ['data', 'a'], ['data', 'a', 0, 'b'], ['data', EACH]];
    for (const path of inside) expect(isSecret(secrecy, path), String(path.length)).toBe(true);
    const beside: Step[][] = [['data', 'b'], ['metadata'], ['metadata', EACH]];
    for (const path of beside) expect(isSecret(secrecy, path)).toBe(false);
  });

  it('items of a list share one mark', () => {
    const secrecy = membersOf(SECRET);
    expect(isSecret(secrecy, [3, 'data'])).toBe(true);
    expect(isSecret(secrecy, [EACH, 'metadata', 'name'])).toBe(false);
    expect(within(secrecy, [0])).toBe(SECRET);
    expect(membersOf(false)).toBe(false);
  });

  it('two marks are joined field by field', () => {
    const joined = anyOf([secretAt(['a', 'x'], true), fieldsOf({ b: true }, false), secretAt(['a', 'y'], true)]);
    const paths = [['a', 'x'], ['a', 'y'], ['b']];
    expect(paths.map((path) => isSecret(joined, path))).toEqual([true, true, true]);
    expect([['a', 'z'], ['c']].map((path) => isSecret(joined, path))).toEqual([false, false]);
    expect(either(joined, true)).toBe(true);
    expect(anyOf([])).toBe(false);
  });

  it('a field of one mark and the members of another keep both marks', () => {
    const joined = either(fieldsOf({ open: false }, true), secretAt(['open', 'x'], true));
    expect(isSecret(joined, ['open', 'x'])).toBe(true);
    expect(isSecret(joined, ['open', 'y'])).toBe(false);
    expect(isSecret(joined, ['any'])).toBe(true);
  });
});

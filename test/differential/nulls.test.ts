import { describe, expect, it } from 'vitest';
import { sample } from './draw.ts';
import { withNull } from './nulls.ts';
import type { JsonMap } from './types.ts';

const nullsIn = (value: unknown): number =>
  value === null
    ? 1
    : typeof value === 'object'
      ? Reflect.ownKeys(value).reduce(
          (sum, key) => sum + (key === 'length' ? 0 : nullsIn(Object.getOwnPropertyDescriptor(value, key)?.value)),
          0,
        )
      : 0;

describe('a null in a random field', () => {
  it.each(Object.getOwnPropertyNames(Object.prototype))('accepts %s as the name of a field', (name) => {
    const object: JsonMap = Object.fromEntries([['spec', Object.fromEntries([[name, { [name]: ['a'] }]])]]);
    for (const changed of sample((draw) => withNull(draw, object), 50, 1)) {
      expect(nullsIn(changed)).toBe(1);
    }
    expect(nullsIn(object)).toBe(0);
  });
});

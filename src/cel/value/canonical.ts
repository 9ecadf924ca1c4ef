import { canonicalText } from './canonical-text.ts';
import { equalValues } from './equal.ts';
import type { CelValue } from './values.ts';

/** A set of values under CEL equality. */
export interface ValueSet {
  has(value: CelValue): boolean;
  add(value: CelValue): void;
}

export function valueSet(values: Iterable<CelValue> = []): ValueSet {
  const texts = new Set<string>();
  const others: CelValue[] = [];
  const set: ValueSet = {
    has(value) {
      const text = canonicalText(value);
      return text === undefined ? others.some((other) => equalValues(other, value)) : texts.has(text);
    },
    add(value) {
      const text = canonicalText(value);
      if (text === undefined) others.push(value);
      else texts.add(text);
    },
  };
  for (const value of values) set.add(value);
  return set;
}

import { canonicalText } from './canonical-text.ts';
import { areEqual } from './equal.ts';
import type { CelValue } from './values.ts';

/** A set of values under CEL equality. */
export interface ValueSet {
  has(value: CelValue): boolean;
  add(value: CelValue): void;
}

export function valueSet(values: Iterable<CelValue> = []): ValueSet {
  const texts = new Set<string>();
  const told: CelValue[] = [];
  const untold: CelValue[] = [];
  const set: ValueSet = {
    has(value) {
      const text = canonicalText(value);
      const isEqual = (other: CelValue): boolean => areEqual(value, other);
      if (text === undefined) return told.some(isEqual) || untold.some(isEqual);
      return texts.has(text) || untold.some(isEqual);
    },
    add(value) {
      const text = canonicalText(value);
      if (text !== undefined) texts.add(text);
      (text === undefined ? untold : told).push(value);
    },
  };
  for (const value of values) set.add(value);
  return set;
}

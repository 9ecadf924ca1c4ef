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
  const distinct: CelValue[] = [];
  const rest: CelValue[] = [];
  const set: ValueSet = {
    has(value) {
      const text = canonicalText(value);
      const isEqual = (other: CelValue): boolean => areEqual(value, other);
      if (text === undefined) return distinct.some(isEqual) || rest.some(isEqual);
      return texts.has(text) || rest.some(isEqual);
    },
    add(value) {
      const text = canonicalText(value);
      if (text !== undefined) texts.add(text);
      (text === undefined ? rest : distinct).push(value);
    },
  };
  for (const value of values) set.add(value);
  return set;
}

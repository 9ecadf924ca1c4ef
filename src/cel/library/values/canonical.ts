import { type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from '../../values.ts';
import { equalValues } from './equal.ts';
import { isList, isMapValue } from './kind.ts';
import { mapEntries } from './maps.ts';

/**
 * A text that two values share exactly when CEL holds them equal; `undefined` for values that have none (NaN,
 * library types). It makes looking a value up cheap where comparing pair by pair would not be.
 */
function canonicalText(value: CelValue): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint) return value.value.toString();
  if (typeof value === 'number') return doubleText(value);
  if (value === null || typeof value === 'boolean') return `${value}`;
  if (value instanceof Uint8Array) return `b${value.join()}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof TypeValue) return `T${value.name}`;
  if (value instanceof Optional) return partsText('o', value.value === undefined ? [] : [value.value]);
  if (isList(value)) return partsText('[', value);
  return isMapValue(value) ? partsText('{', mapEntries(value).flat()) : undefined;
}

function doubleText(value: number): string | undefined {
  if (Number.isNaN(value)) return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toString();
}

function partsText(open: string, parts: readonly CelValue[]): string | undefined {
  let text = open;
  for (const part of parts) {
    const written = canonicalText(part);
    if (written === undefined) return undefined;
    text += `${written},`;
  }
  return text;
}

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

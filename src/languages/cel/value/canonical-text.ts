import { getOrCompute } from '../../../core/model/lazily.ts';
import { keyedListType } from '../stored.ts';
import { isList, isMapValue } from './kind.ts';
import { mapEntries } from './maps.ts';
import { type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from './values.ts';

/**
 * Returns a text that two values share exactly if CEL treats them as equal; `undefined` for values without one (NaN,
 * library types, lists without order, doubles that equal several integers). It makes searches fast compared with
 * pairwise comparison.
 */
export const canonicalText = (value: CelValue): string | undefined => textOf(value, ofOneInteger);

/** Does the same with integers and doubles distinguished by their digits: the key of an item of a set or a map. */
export const textAsKey = (value: CelValue): string | undefined => textOf(value, doubleText);

type OfDouble = (value: number) => string | undefined;

function textOf(value: CelValue, ofDouble: OfDouble): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint) return value.value.toString();
  if (typeof value === 'number') return ofDouble(value);
  if (value === null || typeof value === 'boolean') return `${value}`;
  if (value instanceof Uint8Array) return `b${value.join()}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof TypeValue) return `T${value.name}`;
  if (value instanceof Optional) return partsText('o', value.value === undefined ? [] : [value.value], ofDouble);
  if (isList(value)) return keyedListType(value) ? undefined : partsText('[', value, ofDouble);
  return isMapValue(value) ? partsText('{', mapEntries(value).flat(), ofDouble) : undefined;
}

/** Reports whether a value has a text, without writing it; `known` caches the results of its parts. */
export function hasText(value: CelValue, known = new Map<unknown, boolean>()): boolean {
  if (typeof value === 'number') return ofOneInteger(value) !== undefined;
  if (typeof value !== 'object' || value === null) return true;
  return getOrCompute(known, value, () => {
    const parts = partsOf(value);
    return parts === undefined ? canonicalText(value) !== undefined : parts.every((part) => hasText(part, known));
  });
}

/** Returns the parts of a value that are written one by one. */
function partsOf(value: CelValue & object): readonly CelValue[] | undefined {
  if (isList(value)) return keyedListType(value) ? undefined : value;
  if (value instanceof Optional) return value.value === undefined ? [] : [value.value];
  return isMapValue(value) ? mapEntries(value).map(([, part]) => part) : undefined;
}

/** From 2^53 on a double equals several integers, which do not equal each other. */
const ofOneInteger: OfDouble = (value) =>
  Math.abs(value) < 2 ** 53 || !Number.isFinite(value) ? doubleText(value) : undefined;

function doubleText(value: number): string | undefined {
  if (Number.isNaN(value)) return undefined;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toString();
}

function partsText(open: string, parts: readonly CelValue[], ofDouble: OfDouble): string | undefined {
  let text = open;
  for (const part of parts) {
    const written = textOf(part, ofDouble);
    if (written === undefined) return undefined;
    text += `${written},`;
  }
  return text;
}

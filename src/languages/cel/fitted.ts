/**
 * Values that are added to a list that was read: the sum keeps the schema of its items, so that invalid items fail when
 * they are read (kro: unstructuredList.Add in pkg/cel/unstructured). kro rejects computed objects, lists, durations,
 * timestamps and bytes; here they are accepted if their type matches.
 */
import { getOrCompute } from '../../core/model/lazily.ts';
import { fromStored, partFrom, storedForm, storedType } from './stored.ts';
import { type CelType, formatType } from './types.ts';
import { isList, isMapValue, kindOf } from './value/kind.ts';
import { CelMap, type CelRecord, type CelValue, fixedFailure, Optional, Unreadable } from './value/values.ts';

/** Cached results for each value and type of items: most sums are computed in loops. */
const cache = new WeakMap<object, Map<CelType, CelValue>>();

/** Returns the value as an item of a list whose items have this type; an invalid one can be added but not read. */
export function fitted(value: CelValue, type: CelType): CelValue {
  if (typeof value !== 'object' || value === null) return partFrom(() => fitting(value, type));
  if (type.kind === 'dyn' || storedType(value) === type || value instanceof Unreadable) return value;
  if (value instanceof Optional) return fitted(value.value ?? null, type);
  const known = getOrCompute(cache, value, () => new Map<CelType, CelValue>());
  return getOrCompute(known, type, () => partFrom(() => fitting(value, type)));
}

function fitting(value: CelValue, type: CelType): CelValue {
  if (typeof value !== 'object' || value === null) return fromStored(value, type);
  if (!isList(value) && (value instanceof CelMap || !isMapValue(value))) return ofClass(value, type);
  const read = fromStored(storedForm(value), type);
  // A value that was read keeps its stored form, whatever it contains.
  if (isList(value) || storedType(value) !== undefined) return read;
  return unreadableIn(read as CelRecord) ?? value;
}

/** Converts a value that is not data. */
function ofClass(value: CelValue, type: CelType): CelValue {
  const wanted = formatType(type);
  const fits = value instanceof CelMap ? ['map', 'object'].includes(type.kind) : kindOf(value) === wanted;
  if (fits) return value;
  throw fixedFailure(`invalid data, expected ${wanted}, got ${kindOf(value)}`);
}

/** Returns the first invalid part of a copy that was read. */
function unreadableIn(value: CelValue): Unreadable | undefined {
  if (value instanceof Unreadable) return value;
  if (typeof value !== 'object' || value === null || storedType(value) === undefined) return undefined;
  for (const part of Object.values(value)) {
    const found = unreadableIn(part as CelValue);
    if (found !== undefined) return found;
  }
  return undefined;
}

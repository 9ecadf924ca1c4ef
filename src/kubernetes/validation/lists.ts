import { phrase } from '../../core/diagnostics/index.ts';
import { get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { clipped } from '../../core/text/clip.ts';
import type { Schema } from '../schema/index.ts';
import { typeFault } from './type.ts';
import { breaks, type Check, checkAt, faultAt, type Visit } from './visit.ts';

export function listCheck(schema: Schema, item: Check): Check {
  const { minItems, maxItems, items } = schema;
  const duplicates = duplicateCheck(schema);
  const missing = items?.default;
  return (value, visit) => {
    if (!Array.isArray(value)) {
      typeFault('array', value, visit);
      return value;
    }
    const before = visit.problems.length;
    // A null item of a type that is not nullable gets the default of the type (apiextensions Default).
    const checked = value.map((one, index) => checkAt(item, index, one === null ? (missing ?? null) : one, visit));
    if (minItems !== undefined && checked.length < minItems) {
      breaks(visit, `should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && checked.length > maxItems) {
      breaks(visit, `should have at most ${maxItems} items`);
    }
    if (visit.problems.length === before) duplicates?.(checked, visit);
    return checked;
  };
}

/**
 * Checks that sets have no duplicate items, and keyed lists no duplicate keys (apiextensions
 * listtype.ValidateListSetsAndMaps).
 */
function duplicateCheck(schema: Schema): ((list: readonly Value[], visit: Visit) => void) | undefined {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = listType === 'set' ? (item: Value) => item : (item: Value) => keyOf(item, keys);
  return (list, visit) => {
    const seen = new Map<string, number>();
    list.forEach((item, index) => {
      const what = identity(item);
      const text = canonical(what);
      const times = (seen.get(text) ?? 0) + 1;
      seen.set(text, times);
      if (times === 2) faultAt(visit, index, 'instance-duplicate', phrase`Duplicate value: ${clipped(text, 200)}`);
    });
  };
}

function keyOf(item: Value, keys: readonly string[]): ValueMap {
  const found = keys.flatMap((key) => {
    const value = get(item, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found);
}

/** Returns JSON text that is the same for equal values. */
export function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isMap(value)) {
    const entries = Object.keys(value).sort();
    return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Value)}`).join(',')}}`;
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

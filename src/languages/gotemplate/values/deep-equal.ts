import { FunctionError } from '../fault.ts';
import { MAX_NESTING, type Meter } from '../meter.ts';
import { GoInt, GoList, GoMap, GoTime, type GoValue } from './values.ts';

/** Go's reflect.DeepEqual: types count too, so that an int differs from an int64, and nil from empty. */
export function deepEqual(a: GoValue, b: GoValue, meter: Meter, depth = 0): boolean {
  if (depth > MAX_NESTING) throw new FunctionError(`values are nested more than ${MAX_NESTING} deep`);
  if (a instanceof GoList) return b instanceof GoList && equalLists(a, b, meter, depth);
  if (a instanceof GoMap) return b instanceof GoMap && equalMaps(a, b, meter, depth);
  if (a instanceof GoInt) return b instanceof GoInt && a.kind === b.kind && a.value === b.value;
  if (a instanceof GoTime) return b instanceof GoTime && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) meter.spendBytes(a.length);
  return a === b;
}

function equalLists(a: GoList, b: GoList, meter: Meter, depth: number): boolean {
  meter.spendSteps(1);
  if (a.element !== b.element || a.isNil !== b.isNil || a.items.length !== b.items.length) return false;
  return a === b || a.items.every((item, index) => deepEqual(item, b.items[index] ?? null, meter, depth + 1));
}

function equalMaps(a: GoMap, b: GoMap, meter: Meter, depth: number): boolean {
  meter.spendSteps(1);
  if (a.element !== b.element || a.isNil !== b.isNil || a.entries.size !== b.entries.size) return false;
  if (a === b) return true;
  return [...a.entries].every(([key, item]) => {
    const other = b.entries.get(key);
    return other !== undefined && deepEqual(item, other, meter, depth + 1);
  });
}

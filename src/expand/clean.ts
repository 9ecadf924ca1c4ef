import { get, isMap, type Value, type ValueMap } from '../model/value.ts';

export { withoutBookkeeping } from '../model/bookkeeping.ts';

/** Maps merge, everything else (lists too) is taken from `over` (contract: desired laid over observed). */
export function layOver(over: Value, under: Value | undefined): Value {
  if (!isMap(over) || !isMap(under)) return over;
  const merged: ValueMap = { ...under };
  for (const key of Object.keys(over)) {
    const value = layOver(over[key] as Value, get(under, key));
    Object.defineProperty(merged, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return merged;
}

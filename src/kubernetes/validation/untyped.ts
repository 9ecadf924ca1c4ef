import { isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { isInt64 } from './type.ts';
import { type Check, checkAt } from './visit.ts';

/** Copies content without a schema. Integers beyond int64 are doubles in Kubernetes. */
export const untyped: Check = (value, visit) => {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (Array.isArray(value)) return value.map((item, index) => checkAt(untyped, index, item, visit));
  if (!isMap(value)) return value;
  const copy: ValueMap = {};
  for (const key of Object.keys(value)) setKey(copy, key, checkAt(untyped, key, value[key] as Value, visit));
  return copy;
};

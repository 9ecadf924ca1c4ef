import { mapItems, type Value, type ValueMap } from '../../core/model/value.ts';
import { isInt64 } from '../../core/text/go-numbers.ts';

/**
 * Returns the value with the numbers of a JSON decoder of Kubernetes: whole ones are integers if they fit int64. It is a
 * copy only if a number differs.
 */
export const asDecoded = (value: Value): Value => (isDecoded(value) ? value : decoded(value));

function isDecoded(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return decoded(value) === value;
  if (Array.isArray(value)) return value.every(isDecoded);
  for (const key in value) if (!isDecoded((value as ValueMap)[key] as Value)) return false;
  return true;
}

function decoded(value: Value): Value {
  if (typeof value === 'bigint') return isInt64(value) ? value : Number(value);
  if (typeof value === 'number') {
    return Number.isInteger(value) && isInt64(BigInt(value)) ? BigInt(value) : value;
  }
  return mapItems(value, decoded);
}

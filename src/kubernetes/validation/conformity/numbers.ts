import type { Value } from '../../../core/model/value.ts';
import type { Schema } from '../../schema/index.ts';
import { isInt64 } from '../type.ts';

const MAX_EXACT = 2 ** 53 - 1;
const NEAR = 1e-9;

/**
 * Reports whether the API server treats a double as an integer: an approximate one is accepted
 * (github.com/go-openapi/swag, IsFloat64AJSONInteger).
 */
function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_EXACT) return false;
  const rounded = Math.round(value);
  return value === rounded || (rounded !== 0 && Math.abs(value - rounded) < NEAR * Math.abs(rounded));
}

export const isInteger = (value: Value): boolean =>
  typeof value === 'bigint' ? isInt64(value) : typeof value === 'number' && isNearInteger(value);

/** Reports whether a number, of the value or of the schema, matches the type of the schema. */
export function fitsNumericType({ type, format }: Schema, value: bigint | number): boolean {
  if (type === 'number') return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  if (type !== 'integer') return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const integer = BigInt(value);
  return format === 'int32' ? BigInt.asIntN(32, integer) === integer : isInt64(integer);
}

/** Truncates a number of the schema as for a comparison with integers. */
export const cutOff = (number: bigint | number): bigint => BigInt(Math.trunc(Number(number)));

/** Reports a multiple: integers are divided by a truncated factor, doubles with a tolerance. */
export function isMultiple(value: bigint | number, factor: bigint | number): boolean {
  if (typeof value === 'bigint') {
    const whole = cutOff(factor);
    return whole > 0n && value % whole === 0n;
  }
  const by = Number(factor);
  return by > 0 && isNearInteger(by < 1 ? (1 / by) * value : value / by);
}

import type { Value } from '../../../core/model/value.ts';
import type { Schema } from '../../schema/index.ts';
import { isInt64 } from '../type.ts';

const MAX_EXACT = 2 ** 53 - 1;
const NEAR = 1e-9;

/** A double that the API server takes for an integer: almost one is enough (github.com/go-openapi/swag, IsFloat64AJSONInteger). */
export function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_EXACT) return false;
  const rounded = Math.round(value);
  return value === rounded || (rounded !== 0 && Math.abs(value - rounded) < NEAR * Math.abs(rounded));
}

export const isInteger = (value: Value): boolean =>
  typeof value === 'bigint' ? isInt64(value) : typeof value === 'number' && isNearInteger(value);

/** Whether a number, of the value or of the schema, can be one of the type of the schema. */
export function fitsNumericType({ type, format }: Schema, value: bigint | number): boolean {
  if (type === 'number') return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  if (type !== 'integer') return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const integer = BigInt(value);
  return format === 'int32' ? BigInt.asIntN(32, integer) === integer : isInt64(integer);
}

/** A number of the schema as integers are compared with it: its fraction is cut off. */
export const cutOff = (number: bigint | number): bigint => BigInt(Math.trunc(Number(number)));

/** Integers are divided by a factor whose fraction is cut off, doubles almost without a rest. */
export function isMultiple(value: bigint | number, factor: bigint | number): boolean {
  if (typeof value === 'bigint') {
    const whole = cutOff(factor);
    return whole > 0n && value % whole === 0n;
  }
  const by = Number(factor);
  return by > 0 && isNearInteger(by < 1 ? (1 / by) * value : value / by);
}

import { phrase } from '../../core/diagnostics/index.ts';
import type { Value } from '../../core/model/value.ts';
import { isInt64 } from '../../core/text/go-numbers.ts';
import type { Schema } from '../schema/index.ts';
import { hasFormat } from './formats/index.ts';
import { breaks, fault, matchesIn, type Pattern, type Visit } from './visit.ts';

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
function fitsNumericType({ type, format }: Schema, value: bigint | number): boolean {
  if (type === 'number') return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  if (type !== 'integer') return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const integer = typeof value === 'bigint' ? value : BigInt(value);
  return format === 'int32' ? BigInt.asIntN(32, integer) === integer : isInt64(integer);
}

/** Truncates a number of the schema as for a comparison with integers. */
const cutOff = (number: bigint | number): bigint => BigInt(Math.trunc(Number(number)));

/** Reports a multiple: integers are divided by a truncated factor, doubles with a tolerance. */
function isMultiple(value: bigint | number, factor: bigint | number): boolean {
  if (typeof value === 'bigint') {
    const whole = cutOff(factor);
    return whole > 0n && value % whole === 0n;
  }
  const by = Number(factor);
  return by > 0 && isNearInteger(by < 1 ? (1 / by) * value : value / by);
}

/** Checks lengths, which count code points, the pattern and the format of a text. */
export function textCheck(schema: Schema, isTyped: boolean): ((value: string, visit: Visit) => void) | undefined {
  const { minLength, maxLength } = schema;
  const pattern: Pattern | undefined = schema.pattern === undefined ? undefined : { text: schema.pattern };
  const ofFormat = formatCheck(schema, isTyped);
  const isBounded = minLength !== undefined || maxLength !== undefined;
  if (!isBounded && pattern === undefined && ofFormat === undefined) return undefined;
  return (value, visit) => {
    const length = isBounded ? [...value].length : 0;
    if (minLength !== undefined && length < minLength) breaks(visit, `should be at least ${minLength} chars long`);
    if (maxLength !== undefined && length > maxLength) breaks(visit, `should be at most ${maxLength} chars long`);
    if (pattern !== undefined && !matchesIn(visit, pattern, value)) breaks(visit, `should match '${pattern.text}'`);
    ofFormat?.(value, visit);
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d?:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Kubernetes' own types check base64 and times, and no other format. */
function formatCheck(
  { type, format = '' }: Schema,
  isTyped: boolean,
): ((value: string, visit: Visit) => void) | undefined {
  if (format === '' || (!isTyped && type !== undefined && type !== 'string')) return undefined;
  if (!isTyped) return (value, visit) => !hasFormat(format, value) && breaks(visit, `must be of type ${format}`);
  if (format === 'byte')
    return (value, visit) => !BASE64.test(value.replace(/[\r\n]/g, '')) && breaks(visit, 'must be base64');
  if (format !== 'date-time') return undefined;
  return (value, visit) => !TIME.test(value) && breaks(visit, 'must be a time such as 2006-01-02T15:04:05Z');
}

/** Returns a bound for integers, for which it is truncated, and for doubles (kube-openapi, validate/values.go). */
function boundsOf(bound: bigint | number | undefined): readonly [integer: bigint | number, double: number] | undefined {
  if (bound === undefined) return undefined;
  return [Number.isFinite(Number(bound)) ? cutOff(bound) : Number(bound), Number(bound)];
}

export function numberCheck(schema: Schema): ((value: bigint | number, visit: Visit) => void) | undefined {
  const { minimum, maximum, multipleOf, exclusiveMinimum = false, exclusiveMaximum = false, format } = schema;
  const bounds = Object.entries({ minimum, maximum, multipleOf });
  const wrong = bounds.find(([, number]) => number !== undefined && !fitsNumericType(schema, number));
  const [lowest, highest] = [boundsOf(minimum), boundsOf(maximum)];
  const isBounded = bounds.some(([, number]) => number !== undefined);
  if (!isBounded && format === undefined && schema.type !== 'integer') return undefined;
  return (value, visit) => {
    if (!fitsNumericType(schema, value)) return breaks(visit, `must be of type ${format ?? 'int64'}`);
    if (!isBounded) return;
    if (wrong !== undefined) {
      const [keyword, number = ''] = wrong;
      const message = phrase`allows no value: ${keyword} is ${number}, which is not of the type of the field`;
      return fault(visit, 'value', message);
    }
    const form = typeof value === 'bigint' ? 0 : 1;
    const orEqual = (isExclusive: boolean): string => (isExclusive ? '' : 'or equal to ');
    if (lowest !== undefined && (exclusiveMinimum ? value <= lowest[form] : value < lowest[form]))
      breaks(visit, `should be greater than ${orEqual(exclusiveMinimum)}${minimum}`);
    if (highest !== undefined && (exclusiveMaximum ? value >= highest[form] : value > highest[form]))
      breaks(visit, `should be less than ${orEqual(exclusiveMaximum)}${maximum}`);
    if (multipleOf !== undefined && !isMultiple(value, multipleOf))
      breaks(visit, `should be a multiple of ${multipleOf}`);
  };
}

import { phrase, phraseIf } from '../../../core/diagnostics/index.ts';
import { attempt } from '../../../core/model/attempt.ts';
import { spend } from '../../../core/model/limits.ts';
import type { Value } from '../../../core/model/value.ts';
import { compileRegex, EvaluationError, matchesWhile, patternSize } from '../../../languages/cel/index.ts';
import type { Schema } from '../../schema/index.ts';
import { hasFormat } from '../formats/index.ts';
import { isInt64 } from '../type.ts';
import { add, type PatternBudget, type Walk } from './walk.ts';

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
  const integer = BigInt(value);
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

export function checkText(schema: Schema, value: string, walk: Walk): void {
  const { pattern, minLength, maxLength } = schema;
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (minLength !== undefined && length < minLength)
    add(walk, 'value', phrase`must have at least ${minLength} characters`);
  if (maxLength !== undefined && length > maxLength)
    add(walk, 'value', phrase`must have at most ${maxLength} characters`);
  if (pattern !== undefined && isWithinBudget(pattern, walk.patterns) && !matches(pattern, value, walk.patterns)) {
    add(walk, 'value', phrase`must match '${pattern}'`);
  }
  const format = phraseIf(formatFault(schema, value, walk.custom));
  if (format !== undefined) add(walk, 'value', format);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d?:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Kubernetes' own types check base64 and times, and no other format. */
function formatFault({ type, format = '' }: Schema, value: string, custom: boolean): string | undefined {
  if (custom) {
    if (type !== undefined && type !== 'string') return undefined;
    return hasFormat(format, value) ? undefined : `must have the format '${format}'`;
  }
  if (format === 'byte' && !BASE64.test(value.replace(/[\r\n]/g, ''))) return 'must be base64';
  return format === 'date-time' && !TIME.test(value) ? 'must be a time such as 2006-01-02T15:04:05Z' : undefined;
}

/** Takes a pattern from the budget, each once. */
function isWithinBudget(pattern: string, budget: PatternBudget): boolean {
  if (!budget.known.has(pattern) && !spend(budget.characters, patternSize(pattern))) return false;
  budget.known.add(pattern);
  return budget.characters.left >= 0;
}

/** A pattern that is not RE2 is ignored: a cluster does not have such a CRD. */
function matches(pattern: string, value: string, budget: PatternBudget): boolean {
  const regex = attempt(() => compileRegex(pattern), EvaluationError);
  return regex === undefined || (matchesWhile(regex, value, (steps) => spend(budget.steps, steps)) ?? true);
}

/** Checks bounds: truncated ones for integers, exact ones for doubles (kube-openapi, validate/values.go). */
export function checkNumber(schema: Schema, value: bigint | number, walk: Walk): void {
  const { minimum, maximum, multipleOf, exclusiveMinimum, exclusiveMaximum, format } = schema;
  if (!fitsNumericType(schema, value)) {
    add(walk, 'value', phrase`must be a number of the format '${format ?? 'int64'}'`);
    return;
  }
  if (minimum === undefined && maximum === undefined && multipleOf === undefined) return;
  const compared = (bound: bigint | number): bigint | number =>
    typeof value === 'bigint' && Number.isFinite(Number(bound)) ? cutOff(bound) : Number(bound);
  for (const [keyword, number] of Object.entries({ minimum, maximum, multipleOf })) {
    if (number === undefined || fitsNumericType(schema, number)) continue;
    add(walk, 'value', phrase`allows no value: ${keyword} is ${number}, which is not of the type of the field`);
    return;
  }
  if (minimum !== undefined) {
    const low = compared(minimum);
    const isTooSmall = exclusiveMinimum === true ? value <= low : value < low;
    if (isTooSmall)
      add(
        walk,
        'value',
        phrase`must be ${exclusiveMinimum === true ? phrase`more than` : phrase`at least`} ${minimum}`,
      );
  }
  if (maximum !== undefined) {
    const high = compared(maximum);
    const isTooLarge = exclusiveMaximum === true ? value >= high : value > high;
    if (isTooLarge)
      add(walk, 'value', phrase`must be ${exclusiveMaximum === true ? phrase`less than` : phrase`at most`} ${maximum}`);
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    add(walk, 'value', phrase`must be a multiple of ${multipleOf}`);
  }
}

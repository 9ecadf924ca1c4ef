import { advise, type Message, phrase, quote, type RemedyOf, shown } from '../../core/diagnostics/index.ts';
import { isMap, mapItems, type Value, type ValueMap } from '../../core/model/value.ts';
import { clipped, enumerated } from '../../core/text/clip.ts';
import { isInt64, MAX_INT64, MIN_INT64 } from '../../core/text/go-numbers.ts';
import { nearest } from '../../core/text/nearest.ts';
import type { Schema } from '../schema/index.ts';
import { hasFormat } from './formats/index.ts';
import { breaks, fault, matchesIn, type Pattern, subjectOf, type Visit } from './visit.ts';

/** Returns the JSON type of a value in Kubernetes: whole numbers beyond int64 are numbers. */
export function typeOf(value: Value): string {
  if (typeof value === 'bigint') return isInt64(value) ? 'integer' : 'number';
  if (typeof value !== 'object') return typeof value;
  return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object';
}

export function typeFault(wanted: string, value: Value, visit: Visit): void {
  const message = phrase`${subjectOf(visit)}must be of type ${{ expected: shown(wanted) }}: "${{ got: shown(typeOf(value)) }}"`;
  fault(visit, 'type', message, visit.hints ? typeHint(wanted, value) : undefined);
}

/** Reports whether other formats, or YAML 1.1 without quotes, read a text as a boolean. */
export const isBooleanWord = (text: string): boolean => /^(true|false|yes|no|on|off|y|n|enabled|disabled)$/i.test(text);

const QUOTE = { kind: 'quote' } as const;

function typeHint(wanted: string, value: Value): Message | undefined {
  if (wanted === 'string') {
    if (typeof value === 'boolean')
      return advise(phrase`yes, no, on, off, true and false are booleans in YAML: put the text in quotes`, QUOTE);
    if (typeof value === 'bigint' || typeof value === 'number') return advise(phrase`quote it: "${value}"`, QUOTE);
    return undefined;
  }
  if (wanted === 'integer' && typeof value === 'bigint') return phrase`the largest integer is ${shown(MAX_INT64)}`;
  if (wanted === 'array' && value !== null && !Array.isArray(value))
    return advise(phrase`write a list, with - before each item`, { kind: 'make-list' });
  if (wanted === 'object') return phrase`write it as key: value`;
  if (typeof value !== 'string') return undefined;
  if (value.includes('${')) return phrase`only a template holds expressions: write the value`;
  const literal = wanted === 'boolean' ? /^(true|false)$/ : wanted === 'integer' ? /^-?[0-9]+$/ : /^-?[0-9.]+$/;
  if (literal.test(value)) return advise(phrase`write it without quotes`, { kind: 'unquote' });
  if (wanted !== 'boolean' || !isBooleanWord(value)) return undefined;
  return advise(phrase`write true or false, without quotes`, { kind: 'make-boolean' });
}

/** Makes whole numbers integers if they fit int64, as a JSON decoder of Kubernetes does. A copy only if one differs. */
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

/**
 * Reports whether a text or a number has the format of its schema. What checks instances and custom resources asks it,
 * and what must know whether kro can write a value into a template.
 */
export function fitsFormat(schema: Schema, value: Value): boolean {
  const { type, format = '' } = schema;
  if (typeof value === 'string') return (type !== undefined && type !== 'string') || hasFormat(format, value);
  return (typeof value !== 'bigint' && typeof value !== 'number') || fitsNumericType(schema, value);
}

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
function formatCheck(schema: Schema, isTyped: boolean): ((value: string, visit: Visit) => void) | undefined {
  const { type, format = '' } = schema;
  if (format === '' || (!isTyped && type !== undefined && type !== 'string')) return undefined;
  if (!isTyped) return (value, visit) => !fitsFormat(schema, value) && breaks(visit, `must be of type ${format}`);
  if (format === 'byte')
    return (value, visit) => !BASE64.test(value.replace(/[\r\n]/g, '')) && breaks(visit, 'must be base64');
  if (format !== 'date-time') return undefined;
  return (value, visit) => !TIME.test(value) && breaks(visit, 'must be a time such as 2006-01-02T15:04:05Z');
}

/**
 * Returns a bound for integers, for which it is truncated, and for doubles (kube-openapi, validate/values.go). Go converts
 * a bound that is too large for an int64 to the least one on x86-64, so that a maximum of 1e21 excludes all integers.
 */
function boundsOf(bound: bigint | number | undefined): readonly [integer: bigint, double: number] | undefined {
  if (bound === undefined) return undefined;
  const integer = Number.isFinite(Number(bound)) ? cutOff(bound) : MIN_INT64;
  return [isInt64(integer) ? integer : MIN_INT64, Number(bound)];
}

/** Returns a bound in a message: what an API server compares an integer with. */
const boundText = (bound: bigint | number | undefined, [integer]: readonly [bigint, number], value: bigint | number) =>
  typeof value === 'bigint' && integer === MIN_INT64 && Number(bound) > 0
    ? `${bound}, which is read as ${integer}`
    : bound;

export function numberCheck(schema: Schema): ((value: bigint | number, visit: Visit) => void) | undefined {
  const { minimum, maximum, multipleOf, exclusiveMinimum = false, exclusiveMaximum = false, format } = schema;
  const bounds = Object.entries({ minimum, maximum, multipleOf });
  // An API server reads bounds as doubles.
  const wrong = bounds.find(([, number]) => number !== undefined && !fitsNumericType(schema, Number(number)));
  const lowest = boundsOf(minimum);
  const highest = boundsOf(maximum);
  const isBounded = bounds.some(([, number]) => number !== undefined);
  if (!isBounded && format === undefined && schema.type !== 'integer') return undefined;
  return (value, visit) => {
    if (!fitsFormat(schema, value)) return breaks(visit, `must be of type ${format ?? 'int64'}`);
    if (!isBounded) return;
    if (wrong !== undefined) {
      const [keyword, number = ''] = wrong;
      const message = phrase`allows no value: ${{ key: keyword }} is ${{ value: number }}, which is not of the type of the field`;
      return fault(visit, 'value', message);
    }
    const form = typeof value === 'bigint' ? 0 : 1;
    const orEqual = (isExclusive: boolean): string => (isExclusive ? '' : 'or equal to ');
    if (lowest !== undefined && (exclusiveMinimum ? value <= lowest[form] : value < lowest[form]))
      breaks(visit, `should be greater than ${orEqual(exclusiveMinimum)}${minimum}`);
    if (highest !== undefined && (exclusiveMaximum ? value >= highest[form] : value > highest[form]))
      breaks(visit, `should be less than ${orEqual(exclusiveMaximum)}${boundText(maximum, highest, value)}`);
    if (multipleOf !== undefined && !isMultiple(value, multipleOf))
      breaks(visit, `should be a multiple of ${multipleOf}`);
  };
}

const plainIntegers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
const textOf = (value: Value): string => JSON.stringify(value, plainIntegers);

export function enumCheck(
  { enum: values }: Schema,
  isTyped: boolean,
): ((value: Value, visit: Visit) => void) | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const supported = enumerated(values.map((value) => (isMap(value) ? textOf(value) : `"${String(value)}"`)));
  const options = new Set(values.filter((value) => typeof value === 'string'));
  return (value, visit) => {
    // For Kubernetes' own kinds an empty string is absent, and filled in by the API server.
    if (isTyped && value === '') return;
    if (typeof value === 'string' ? options.has(value) : values.some((one) => isOption(one, value))) return;
    const refused = quote(`Unsupported value: ${clipped(textOf(value), 100)}: `, '');
    const message = phrase`${refused}supported values: ${{ expected: shown(supported) }}`;
    fault(visit, 'value', visit.hints ? advise(message, remediesFor(value, options)) : message);
  };
}

/** Enumerations of more values have a remedy only for a value that is similar to one of them. */
const MOST_OFFERED = 8;

/** Returns the values that may be meant: those of similar spelling, or all of a short enumeration. */
function remediesFor(value: Value, options: ReadonlySet<string>): RemedyOf<Message>[] {
  const close = typeof value === 'string' ? nearest(value, options) : [];
  const all = options.size <= MOST_OFFERED ? [...options] : [];
  return (close.length > 0 ? close : all).map((one) => ({ kind: 'write-value', value: shown(one) }));
}

/** Compares as the API server does: the value is converted to the type of the option; null never matches. */
function isOption(option: Value, value: Value): boolean {
  if (value === null || option === null) return false;
  if (typeof option === 'bigint' && typeof value === 'number') return BigInt(Math.trunc(value)) === option;
  if (typeof option === 'number' && typeof value === 'bigint') return Number(value) === option;
  if (typeof option === 'string' && typeof value === 'bigint') return characterOf(value) === option;
  return typeof option === 'object' ? textOf(option) === textOf(value) : option === value;
}

const characterOf = (code: bigint): string =>
  code >= 0n && code <= 0x10ffffn ? String.fromCodePoint(Number(code)) : '\ufffd';

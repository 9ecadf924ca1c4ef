import { generalFloat } from './float.ts';
import { isInt64, MAX_INT64, MAX_UINT64, MIN_INT64 } from './go-numbers.ts';

/**
 * Resolves plain scalars as Kubernetes does: sigs.k8s.io/yaml reads YAML with go-yaml v2, writes JSON, and apimachinery
 * reads that with integers that fit int64 as int64 and every other number as float64.
 */

/** Numbers that JSON cannot represent (`.inf`, `.nan`) are returned; the caller rejects them. */
export type Scalar = null | boolean | bigint | number | string;

const WORDS = new Map<string, Scalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

/** The possible types of a scalar by its first character. */
const WORD = 1;
const NUMBER = 2;
const POINT = 3;
const HINTS = new Uint8Array(128);
for (const char of 'yYnNtTfFoO~') HINTS[char.charCodeAt(0)] = WORD;
for (const char of '+-0123456789') HINTS[char.charCodeAt(0)] = NUMBER;
HINTS['.'.charCodeAt(0)] = POINT;

const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const SMALL_INTEGER = /^[1-9][0-9]{0,14}$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const POINT_FLOAT = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/;

const hintOf = (text: string): number => {
  const first = text.charCodeAt(0);
  return first < 128 ? (HINTS[first] as number) : 0;
};

export function resolvePlain(text: string): Scalar {
  const value = resolveAsWritten(text);
  if (typeof value === 'number') return asJsonNumber(value);
  return typeof value === 'bigint' ? toInt64(value) : value;
}

const TIMESTAMP =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})| +([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?$/;

/** Dates and times: go-yaml reads them as such, and writes them as strings again. */
function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, ...clock] = match
    .slice(1)
    .filter((part) => part !== undefined)
    .map(Number);
  const [hour = 0, minute = 0, second = 0] = clock;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
}

/** Reports whether go-yaml reads an unquoted text as a string, and so writes that string without quotes. */
export const isStringWhenPlain = (text: string): boolean =>
  typeof resolveAsWritten(text) === 'string' && !isTimestamp(text);

/** Returns the scalar as go-yaml reads it: 1.0 is still a float, and an integer may need 64 unsigned bits. */
function resolveAsWritten(text: string): Scalar {
  if (text === '') return null;
  const hint = hintOf(text);
  if (hint === 0) return text;
  if (hint === NUMBER && SMALL_INTEGER.test(text)) return BigInt(text);
  if (text.length <= 5) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  if (hint === WORD) return text;
  if (hint === POINT && !POINT_FLOAT.test(text)) return text;
  const digits = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = integerOf(digits);
  if (integer !== undefined) return integer;
  const float = FLOAT.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(float) ? float : text;
}

function integerOf(text: string): bigint | undefined {
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  let size: bigint;
  if (decimal !== undefined) size = BigInt(decimal);
  else if (octal !== undefined) size = BigInt(`0o${octal}`);
  else size = hex !== undefined ? BigInt(`0x${hex}`) : BigInt(`0b${binary}`);
  const value = sign === '-' ? -size : size;
  const fits = value >= MIN_INT64 && value <= (sign === '' ? MAX_UINT64 : MAX_INT64);
  return fits ? value : undefined;
}

/** A whole float64 is written without a fraction, so it is read back as an integer if it fits. */
function asJsonNumber(value: number): bigint | number {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  const whole = BigInt(value.toString());
  return isInt64(whole) ? whole : value;
}

/** Returns the value of a scalar with an explicit tag; `undefined` if its text does not match the tag. */
export function resolveTagged(text: string, type: 'bool' | 'int' | 'float' | 'null'): Scalar | undefined {
  const value = resolveAsWritten(text);
  if (type === 'null') return value === null ? null : undefined;
  if (type === 'bool') return typeof value === 'boolean' ? value : undefined;
  if (type === 'int') return typeof value === 'bigint' ? toInt64(value) : undefined;
  return typeof value === 'number' ? asJsonNumber(value) : typeof value === 'bigint' ? toInt64(value) : undefined;
}

/** An integer beyond int64 becomes a float64 when apimachinery reads the JSON. */
const toInt64 = (value: bigint): bigint | number => (value > MAX_INT64 ? Number(value) : value);

/** Reports whether a map key may come from a boolean or a number. */
export const mayBeTyped = (key: string): boolean => hintOf(key) !== 0;

/** Returns a map key as sigs.k8s.io/yaml converts it to a string; `undefined` for what it rejects (null, uint64). */
export function plainKey(text: string): string | undefined {
  if (hintOf(text) === 0 && text !== '') return text;
  const value = resolveAsWritten(text);
  if (typeof value === 'number') return float32Text(value);
  if (value === null || (typeof value === 'bigint' && value > MAX_INT64)) return undefined;
  return String(value);
}

/** Formats as Go's FormatFloat(value, 'g', -1, 32), with YAML's names for values that are not finite. */
function float32Text(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return Number.isNaN(single) ? '.nan' : single < 0 ? '-.inf' : '.inf';
  if (single === 0) return generalFloat(single);
  let digits = 1;
  while (Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  return generalFloat(Number(single.toPrecision(digits)));
}

/** CEL's operators, with overflow errors as in cel-go (common/types/overflow.go), `size`, and tests of texts. */

import { attempt } from '../../../core/model/attempt.ts';
import { generalFloat } from '../../../core/text/float.ts';
import { MAX_UINT64, MIN_INT64, parseBool, parseFloatText, parseInt64 } from '../../../core/text/go-numbers.ts';
import { utf8 } from '../../../core/text/utf8.ts';
import { type Call, type Costs, fn, type Library, matching, method, type Overload } from '../library.ts';
import { type Charge, compileRegex, matchesText } from '../regex.ts';
import { find, findOptional, fitted, index, storedType, withType } from '../stored.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  optionalOf,
  param,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
} from '../types.ts';
import { areEqual, comparison, equalValues, mergedLists, type Spend } from '../value/equal.ts';
import { attemptWork, compareValues, fixedWork, mapSize, pointCount, pointWork, searchWork } from '../value/order.ts';
import {
  type CelValue,
  duration,
  fixedFailure,
  int,
  isList,
  keyOf,
  kindOf,
  readable,
  TypeValue,
  timestamp,
  Uint,
  Unreadable,
  uint,
} from '../value/values.ts';
import { parseDuration, parseTimestamp, secondsText, times, zonedText } from './times.ts';

const A = param('A');
const B = param('B');
const LIST = listOf(A);
const MAP = mapOf(A, B);

/** An operator on two values of one type, which returns that type too. */
const same = <const T extends CelType>(
  name: string,
  type: T,
  call: Call<readonly [T, T], CelValue>,
  costs?: Costs<readonly [T, T]>,
) => fn(name, [type, type], type, call, costs);

const integers = (name: string, run: (a: bigint, b: bigint) => bigint): Overload[] => [
  same(name, INT, (a, b) => int(run(a, b))),
  same(name, UINT, (a, b) => uint(run(a.value, b.value))),
];

const nonZero = (value: bigint, message: string): bigint => {
  if (value === 0n) throw fixedFailure(message);
  return value;
};

/** cel-go rejects the one remainder whose quotient overflows. */
function modulo(a: bigint, b: bigint): bigint {
  if (a === MIN_INT64 && b === -1n) throw fixedFailure('integer overflow');
  return a % nonZero(b, 'modulus by zero');
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** A list that was read has a schema, which the sum keeps. */
function joined(a: readonly CelValue[], b: readonly CelValue[]): readonly CelValue[] {
  const type = storedType(a);
  if (type?.kind !== 'list') return [...a, ...b];
  const added = b.map((item) => fitted(item, type.element));
  return type.listType === undefined ? withType([...a, ...added], type) : mergedLists(type, a, added);
}

const JOINED = { size: (a: { length: number }, b: { length: number }): number => a.length + b.length };

const length = (value: { length: number }): bigint => BigInt(value.length);

const size = <const T extends CelType>(type: T, call: Call<readonly [T], CelValue>, costs?: Costs<readonly [T]>) => [
  fn('size', [type] as const, INT, call, costs),
  method('size', [type] as const, INT, call, costs),
];

/** Numbers are compared with the same type and, if the environment allows it, with other number types. */
const NUMBERS: readonly CelType[] = [INT, UINT, DOUBLE];
const OTHERS: readonly CelType[] = [BOOL, STRING, BYTES, TIMESTAMP, DURATION];

type Compare = (a: CelValue, b: CelValue) => boolean;

/** Every comparison with NaN is false. */
const compare =
  (holds: (order: number) => boolean): Compare =>
  (a, b) =>
    !Number.isNaN(a) && !Number.isNaN(b) && holds(compareValues(a, b));

/** By operator; numbers of two types compare by value. */
export const comparisons: ReadonlyMap<string, Compare> = new Map([
  ['_<_', compare((order) => order < 0)],
  ['_<=_', compare((order) => order <= 0)],
  ['_>_', compare((order) => order > 0)],
  ['_>=_', compare((order) => order >= 0)],
]);

const COMPARED = [
  ...OTHERS.map((type) => [type, type] as const),
  ...NUMBERS.flatMap((left) => NUMBERS.map((right) => [left, right] as const)),
];

/**
 * Reports whether a list has an equal element or a map has the key.
 * @throws EvaluationError (failure) if a list has none, but an element that does not match its schema
 */
export function isIn(value: CelValue, container: CelValue, spend?: Spend): boolean {
  if (!isList(container)) return keyOf(value) !== undefined && find(container, value) !== undefined;
  // The first of two values decides how they compare (for example as sets): cel-go asks the items of a list that was
  // read, and reports invalid items at the end.
  const isRead = storedType(container) !== undefined;
  let unreadable: Unreadable | undefined;
  for (const item of container) {
    spend?.(1);
    if (!isRead && areEqual(value, readable(item), spend)) return true;
    const equal = isRead && (item instanceof Unreadable ? item : comparison(item, value, spend));
    if (equal === true) return true;
    if (equal !== false) unreadable ??= equal;
  }
  readable(unreadable);
  return false;
}

// The engine's startsWith and endsWith compare character by character: they take many times as long as comparing a
// copied part.

const startsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(0, part.length) === part;

const endsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(text.length - part.length) === part;

const matches = (charge: Charge, text: string, pattern: string): boolean =>
  matchesText(compileRegex(pattern), text, charge);

const operators: Library = [
  fn('_[_]', [LIST, INT], A, index),
  fn('_[_]', [MAP, A], B, index),
  fn('_[_]', [optionalOf(LIST), INT], optionalOf(A), findOptional),
  fn('_[_]', [optionalOf(MAP), A], optionalOf(B), findOptional),
  fn('_[?_]', [LIST, INT], optionalOf(A), findOptional),
  fn('_[?_]', [optionalOf(LIST), INT], optionalOf(A), findOptional),
  fn('_[?_]', [MAP, A], optionalOf(B), findOptional),
  fn('_[?_]', [optionalOf(MAP), A], optionalOf(B), findOptional),
  ...size(BYTES, length),
  ...size(LIST, length),
  ...size(MAP, (map) => BigInt(mapSize(map))),
  ...size(STRING, (text) => BigInt(pointCount(text)), { work: pointWork }),
  same('_+_', BYTES, concatBytes, JOINED),
  same('_+_', DOUBLE, (a, b) => a + b),
  same('_+_', DURATION, (a, b) => duration(a.nanos + b.nanos)),
  fn('_+_', [DURATION, TIMESTAMP], TIMESTAMP, (a, b) => timestamp(a.nanos + b.nanos, b.zone)),
  fn('_+_', [TIMESTAMP, DURATION], TIMESTAMP, (a, b) => timestamp(a.nanos + b.nanos, a.zone)),
  ...integers('_+_', (a, b) => a + b),
  same('_+_', LIST, joined, JOINED),
  same('_+_', STRING, (a, b) => a + b, JOINED),
  same('_-_', DOUBLE, (a, b) => a - b),
  same('_-_', DURATION, (a, b) => duration(a.nanos - b.nanos)),
  fn('_-_', [TIMESTAMP, DURATION], TIMESTAMP, (a, b) =>
    // Computed by adding the negative, which the smallest duration does not have.
    timestamp(a.nanos + int(-b.nanos), a.zone),
  ),
  fn('_-_', [TIMESTAMP, TIMESTAMP], DURATION, (a, b) => duration(a.nanos - b.nanos)),
  ...integers('_-_', (a, b) => a - b),
  same('_*_', DOUBLE, (a, b) => a * b),
  ...integers('_*_', (a, b) => a * b),
  same('_/_', DOUBLE, (a, b) => a / b),
  ...integers('_/_', (a, b) => a / nonZero(b, 'division by zero')),
  ...integers('_%_', modulo),
  fn('-_', [DOUBLE], DOUBLE, (a) => -a),
  fn('-_', [INT], INT, (a) => int(-a)),
  // cel-go declares no overload for durations but negates them anyway.
  { ...fn('-_', [DURATION], DURATION, (a) => duration(-a.nanos)), unchecked: true },
  fn('_==_', [A, A], BOOL, (a, b) => equalValues(a, b)),
  fn('_!=_', [A, A], BOOL, (a, b) => !equalValues(a, b)),
  ...[...comparisons].flatMap(([name, call]) => COMPARED.map((params) => fn(name, params, BOOL, call))),
  fn('@in', [A, LIST], BOOL, (value, list) => isIn(value, list)),
  fn('@in', [A, MAP], BOOL, (value, map) => isIn(value, map)),
  fn('!_', [BOOL], BOOL, (a) => !a),
  fn('_?_:_', [BOOL, A, A], A, (condition: boolean, yes: CelValue, no: CelValue) => (condition ? yes : no)),
  method('contains', [STRING, STRING], BOOL, (text, part) => text.includes(part), { work: searchWork }),
  method('endsWith', [STRING, STRING], BOOL, endsWith),
  method('startsWith', [STRING, STRING], BOOL, startsWith),
  matching(fn, 'matches', [STRING, STRING], BOOL, matches),
  matching(method, 'matches', [STRING, STRING], BOOL, matches),
];

/** `int`, `uint`, `double`, `string`, `bool`, `bytes`, `duration`, `timestamp`, `type` and `dyn`. */

const SECOND = 1_000_000_000n;

const identity = (value: CelValue): CelValue => value;

function converted<T>(value: T | undefined, type: string): T {
  if (value === undefined) throw fixedFailure(`type conversion error from 'string' to '${type}'`);
  return value;
}

function parseUint64(text: string): Uint {
  const value = /^0*[0-9]{1,20}$/.test(text) ? BigInt(text) : undefined;
  return new Uint(converted(value !== undefined && value <= MAX_UINT64 ? value : undefined, 'uint'));
}

function parseDouble(text: string): number {
  const value = converted(parseFloatText(text), 'double');
  return converted(Number.isFinite(value) || !/[0-9]/.test(text) ? value : undefined, 'double');
}

/** Doubles next to the limits are rejected, because they may have been rounded (cel-go overflow.go). */
function doubleToInt(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw fixedFailure('integer overflow');
  return BigInt(Math.trunc(value));
}

function doubleToUint(value: number): Uint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw fixedFailure('unsigned integer overflow');
  return new Uint(BigInt(Math.trunc(value)));
}

/** Returns the text of bytes; `undefined` if they are not UTF-8. */
export const utf8Text = (bytes: Uint8Array): string | undefined =>
  attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), TypeError);

function decodeText(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text === undefined) throw fixedFailure('invalid UTF-8 in bytes, cannot convert to string');
  return text;
}

const floorSeconds = (nanos: bigint): bigint => (nanos - (((nanos % SECOND) + SECOND) % SECOND)) / SECOND;

/** The steps of arithmetic with big numbers, of conversions between text and bytes, and of dates. */
const BIGINTS = 6;
const ENCODING = 10;
const DATE = 25;

const conversions: Library = [
  // Lists and maps have one type each, whatever they contain.
  fn('type', [A], typeOf(A), (value) => new TypeValue(kindOf(value))),
  fn('dyn', [A], DYN, identity),
  fn('bool', [BOOL], BOOL, identity),
  fn('bool', [STRING], BOOL, (text) => converted(parseBool(text), 'bool')),
  fn('bytes', [BYTES], BYTES, identity),
  fn('bytes', [STRING], BYTES, utf8, { work: fixedWork(ENCODING) }),
  fn('double', [DOUBLE], DOUBLE, identity),
  fn('double', [INT], DOUBLE, Number as (value: bigint) => number),
  fn('double', [STRING], DOUBLE, parseDouble, { work: attemptWork }),
  fn('double', [UINT], DOUBLE, ({ value }) => Number(value)),
  fn('duration', [DURATION], DURATION, identity),
  fn('duration', [STRING], DURATION, parseDuration, { work: attemptWork }),
  fn('int', [INT], INT, identity),
  fn('int', [DOUBLE], INT, doubleToInt),
  fn('int', [DURATION], INT, ({ nanos }) => nanos),
  fn('int', [STRING], INT, (text) => converted(parseInt64(text), 'int'), { work: fixedWork(BIGINTS) }),
  fn('int', [TIMESTAMP], INT, ({ nanos }) => floorSeconds(nanos)),
  fn('int', [UINT], INT, ({ value }) => int(value)),
  fn('string', [STRING], STRING, identity),
  fn('string', [BOOL], STRING, String as (value: boolean) => string),
  fn('string', [BYTES], STRING, decodeText, { work: fixedWork(ENCODING) }),
  fn('string', [DOUBLE], STRING, generalFloat, { work: fixedWork(DATE) }),
  fn('string', [DURATION], STRING, ({ nanos }) => secondsText(nanos), { work: fixedWork(DATE) }),
  fn('string', [INT], STRING, String as (value: bigint) => string),
  fn('string', [TIMESTAMP], STRING, zonedText, { work: fixedWork(DATE) }),
  fn('string', [UINT], STRING, ({ value }) => String(value)),
  fn('timestamp', [TIMESTAMP], TIMESTAMP, identity),
  fn('timestamp', [INT], TIMESTAMP, (seconds) => timestamp(seconds * SECOND), { work: fixedWork(BIGINTS) }),
  fn('timestamp', [STRING], TIMESTAMP, parseTimestamp, { work: fixedWork(DATE) }),
  fn('uint', [UINT], UINT, identity),
  fn('uint', [DOUBLE], UINT, doubleToUint),
  fn('uint', [INT], UINT, uint),
  fn('uint', [STRING], UINT, parseUint64, { work: fixedWork(BIGINTS) }),
];

/** CEL's standard functions and operators (https://github.com/google/cel-spec/blob/master/doc/langdef.md#functions). */
export const standardLibrary: Library = [...operators, ...conversions, ...times];

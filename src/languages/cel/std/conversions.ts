/** `int`, `uint`, `double`, `string`, `bool`, `bytes`, `duration`, `timestamp`, `type` and `dyn`. */
import { attempt } from '../../../core/model/attempt.ts';
import { generalFloat } from '../../../core/text/float.ts';
import { MAX_UINT64, parseBool, parseFloatText, parseInt64 } from '../../../core/text/go-numbers.ts';
import { utf8 } from '../../../core/text/utf8.ts';
import { fn, type Library } from '../library.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, param, STRING, TIMESTAMP, typeOf, UINT } from '../types.ts';
import { attemptWork, fixedWork } from '../value/order.ts';
import { type CelValue, fixedFailure, int, kindOf, TypeValue, timestamp, Uint, uint } from '../value/values.ts';
import { parseDuration, parseTimestamp, secondsText, zonedText } from './times.ts';

const A = param('A');
const SECOND = 1_000_000_000n;

const same = (value: CelValue): CelValue => value;

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

export const conversions: Library = [
  // Lists and maps have one type each, whatever they contain.
  fn('type', [A], typeOf(A), (value) => new TypeValue(kindOf(value))),
  fn('dyn', [A], DYN, same),
  fn('bool', [BOOL], BOOL, same),
  fn('bool', [STRING], BOOL, (text) => converted(parseBool(text), 'bool')),
  fn('bytes', [BYTES], BYTES, same),
  fn('bytes', [STRING], BYTES, utf8, { work: fixedWork(ENCODING) }),
  fn('double', [DOUBLE], DOUBLE, same),
  fn('double', [INT], DOUBLE, Number as (value: bigint) => number),
  fn('double', [STRING], DOUBLE, parseDouble, { work: attemptWork }),
  fn('double', [UINT], DOUBLE, ({ value }) => Number(value)),
  fn('duration', [DURATION], DURATION, same),
  fn('duration', [STRING], DURATION, parseDuration, { work: attemptWork }),
  fn('int', [INT], INT, same),
  fn('int', [DOUBLE], INT, doubleToInt),
  fn('int', [DURATION], INT, ({ nanos }) => nanos),
  fn('int', [STRING], INT, (text) => converted(parseInt64(text), 'int'), { work: fixedWork(BIGINTS) }),
  fn('int', [TIMESTAMP], INT, ({ nanos }) => floorSeconds(nanos)),
  fn('int', [UINT], INT, ({ value }) => int(value)),
  fn('string', [STRING], STRING, same),
  fn('string', [BOOL], STRING, String as (value: boolean) => string),
  fn('string', [BYTES], STRING, decodeText, { work: fixedWork(ENCODING) }),
  fn('string', [DOUBLE], STRING, generalFloat, { work: fixedWork(DATE) }),
  fn('string', [DURATION], STRING, ({ nanos }) => secondsText(nanos), { work: fixedWork(DATE) }),
  fn('string', [INT], STRING, String as (value: bigint) => string),
  fn('string', [TIMESTAMP], STRING, zonedText, { work: fixedWork(DATE) }),
  fn('string', [UINT], STRING, ({ value }) => String(value)),
  fn('timestamp', [TIMESTAMP], TIMESTAMP, same),
  fn('timestamp', [INT], TIMESTAMP, (seconds) => timestamp(seconds * SECOND), { work: fixedWork(BIGINTS) }),
  fn('timestamp', [STRING], TIMESTAMP, parseTimestamp, { work: fixedWork(DATE) }),
  fn('uint', [UINT], UINT, same),
  fn('uint', [DOUBLE], UINT, doubleToUint),
  fn('uint', [INT], UINT, uint),
  fn('uint', [STRING], UINT, parseUint64, { work: fixedWork(BIGINTS) }),
];

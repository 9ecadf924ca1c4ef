/** `+ - * / %` and negation, with overflow errors as in cel-go (common/types/overflow.go). */

import { MIN_INT64 } from '../../../core/text/go-numbers.ts';
import { type Call, fn, type Overload } from '../library.ts';
import { fitted, storedType, withType } from '../stored.ts';
import { BYTES, type CelType, DOUBLE, DURATION, INT, listOf, param, STRING, TIMESTAMP, UINT } from '../types.ts';
import { mergedLists } from '../value/equal.ts';
import { duration, int, timestamp, uint } from '../value/ranges.ts';
import { type CelValue, fixedFailure, type Uint } from '../value/values.ts';

const LIST = listOf(param('A'));

const ints = (name: string, run: (a: bigint, b: bigint) => bigint) =>
  fn(name, [INT, INT], INT, (a: bigint, b: bigint) => int(run(a, b)));
const uints = (name: string, run: (a: bigint, b: bigint) => bigint) =>
  fn(name, [UINT, UINT], UINT, (a: Uint, b: Uint) => uint(run(a.value, b.value)));
const doubles = (name: string, run: (a: number, b: number) => number) =>
  fn(name, [DOUBLE, DOUBLE], DOUBLE, (a: number, b: number) => run(a, b));
const same = <const T extends CelType>(name: string, type: T, call: Call<readonly [T, T], CelValue>) =>
  fn(name, [type, type], type, call);

const nonZero = (value: bigint, message: string): bigint => {
  if (value === 0n) throw fixedFailure(message);
  return value;
};
const divide = (a: bigint, b: bigint): bigint => a / nonZero(b, 'division by zero');
const modulo = (a: bigint, b: bigint): bigint => a % nonZero(b, 'modulus by zero');

/** cel-go rejects the one remainder whose quotient overflows. */
function intModulo(a: bigint, b: bigint): bigint {
  if (a === MIN_INT64 && b === -1n) throw fixedFailure('integer overflow');
  return modulo(a, b);
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

const bothLengths = (a: { length: number }, b: { length: number }): number => a.length + b.length;

export const arithmetic: readonly Overload[] = [
  fn('_+_', [BYTES, BYTES], BYTES, concatBytes, { size: bothLengths }),
  doubles('_+_', (a, b) => a + b),
  same('_+_', DURATION, (a, b) => duration(a.nanos + b.nanos)),
  fn('_+_', [DURATION, TIMESTAMP], TIMESTAMP, (a, b) => timestamp(a.nanos + b.nanos, b.zone)),
  fn('_+_', [TIMESTAMP, DURATION], TIMESTAMP, (a, b) => timestamp(a.nanos + b.nanos, a.zone)),
  ints('_+_', (a, b) => a + b),
  fn('_+_', [LIST, LIST], LIST, joined, { size: bothLengths }),
  fn('_+_', [STRING, STRING], STRING, (a, b) => a + b, { size: bothLengths }),
  uints('_+_', (a, b) => a + b),
  doubles('_-_', (a, b) => a - b),
  same('_-_', DURATION, (a, b) => duration(a.nanos - b.nanos)),
  ints('_-_', (a, b) => a - b),
  fn('_-_', [TIMESTAMP, DURATION], TIMESTAMP, (a, b) =>
    // Computed by adding the negative, which the smallest duration does not have.
    timestamp(a.nanos + int(-b.nanos), a.zone),
  ),
  fn('_-_', [TIMESTAMP, TIMESTAMP], DURATION, (a, b) => duration(a.nanos - b.nanos)),
  uints('_-_', (a, b) => a - b),
  doubles('_*_', (a, b) => a * b),
  ints('_*_', (a, b) => a * b),
  uints('_*_', (a, b) => a * b),
  doubles('_/_', (a, b) => a / b),
  ints('_/_', divide),
  uints('_/_', divide),
  ints('_%_', intModulo),
  uints('_%_', modulo),
  fn('-_', [DOUBLE], DOUBLE, (a) => -a),
  fn('-_', [INT], INT, (a) => int(-a)),
  // cel-go declares no overload for durations but negates them anyway.
  { ...fn('-_', [DURATION], DURATION, (a) => duration(-a.nanos)), unchecked: true },
];

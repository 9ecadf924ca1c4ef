import { find, keyOf, readable } from '../access.ts';
import { fn, matching, method, type Overload } from '../library.ts';
import { compileRegex } from '../regex.ts';
import { type Charge, matchesText } from '../regex-match.ts';
import { storedType } from '../stored.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  param,
  STRING,
  TIMESTAMP,
  UINT,
} from '../types.ts';
import { areEqual, comparison, equalValues, type Spend } from '../value/equal.ts';
import { isList } from '../value/kind.ts';
import { compareValues } from '../value/order.ts';
import { searchWork } from '../value/size.ts';
import { type CelValue, Unreadable } from '../value/values.ts';

/** Equality, ordering, membership, and what decides: `== != < <= > >= in ! ?: `. */

const A = param('A');
const B = param('B');

/** Compared with the same type and, if the environment allows it, with other number types. */
const NUMBERS: readonly CelType[] = [INT, UINT, DOUBLE];
const OTHERS: readonly CelType[] = [BOOL, STRING, BYTES, TIMESTAMP, DURATION];

type Compare = (a: CelValue, b: CelValue) => boolean;

function ordering(name: string, call: Compare): Overload[] {
  const pairs = OTHERS.map((type): [CelType, CelType] => [type, type]);
  for (const left of NUMBERS) for (const right of NUMBERS) pairs.push([left, right]);
  return pairs.map((params) => fn(name, params, BOOL, call));
}

/** Every comparison with NaN is false. */
const compare =
  (holds: (order: number) => boolean): Compare =>
  (a, b) =>
    !Number.isNaN(a) && !Number.isNaN(b) && holds(compareValues(a, b));

const less = compare((order) => order < 0);
const lessOrEqual = compare((order) => order <= 0);
const greater = compare((order) => order > 0);
const greaterOrEqual = compare((order) => order >= 0);

/** By operator; numbers of two types compare by value. */
export const comparisons: ReadonlyMap<string, Compare> = new Map([
  ['_<_', less],
  ['_<=_', lessOrEqual],
  ['_>_', greater],
  ['_>=_', greaterOrEqual],
]);

/**
 * Reports whether a list has an equal element or a map has the key.
 * @throws EvaluationError (failure) if a list has none, but an element that does not match its schema
 */
export function isIn(value: CelValue, container: CelValue, spend?: Spend): boolean {
  if (!isList(container)) return keyOf(value) !== undefined && find(container, value) !== undefined;
  // The first of two values decides how they compare (for example as sets): cel-go asks the items of a list that was
  // read, and reports invalid items at the end.
  if (storedType(container) === undefined) {
    return container.some((item) => {
      spend?.(1);
      return areEqual(value, readable(item), spend);
    });
  }
  let unreadable: Unreadable | undefined;
  for (const item of container) {
    spend?.(1);
    const equal = item instanceof Unreadable ? item : comparison(item, value, spend);
    if (equal === true) return true;
    if (equal !== false) unreadable ??= equal;
  }
  readable(unreadable);
  return false;
}

export const relations: readonly Overload[] = [
  fn('_==_', [A, A], BOOL, (a, b) => equalValues(a, b)),
  fn('_!=_', [A, A], BOOL, (a, b) => !equalValues(a, b)),
  ...[...comparisons].flatMap(([name, call]) => ordering(name, call)),
  fn('@in', [A, listOf(A)], BOOL, (value, list) => isIn(value, list)),
  fn('@in', [A, mapOf(A, B)], BOOL, (value, map) => isIn(value, map)),
  fn('!_', [BOOL], BOOL, (a) => !a),
  fn('_?_:_', [BOOL, A, A], A, (condition: boolean, yes: CelValue, no: CelValue) => (condition ? yes : no)),
];

// The engine's startsWith and endsWith compare character by character: they take many times as long as comparing a
// copied part.

const startsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(0, part.length) === part;

const endsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(text.length - part.length) === part;

const matches = (charge: Charge, text: string, pattern: string): boolean =>
  matchesText(compileRegex(pattern), text, charge);

export const strings: readonly Overload[] = [
  method('contains', [STRING, STRING], BOOL, (text, part) => text.includes(part), {
    work: searchWork,
  }),
  method('endsWith', [STRING, STRING], BOOL, endsWith),
  method('startsWith', [STRING, STRING], BOOL, startsWith),
  matching(fn, 'matches', [STRING, STRING], BOOL, matches),
  matching(method, 'matches', [STRING, STRING], BOOL, matches),
];

import type { FunctionError } from '../fault.ts';
import { GoList, GoMap, GoTime, type GoValue, integerOf, typeName } from '../values/values.ts';
import { type FunctionTable, fail, fixed, variadic } from './define.ts';

/** The comparable kinds; Go calls them basic kinds. */
type Kind = 'bool' | 'int' | 'float' | 'string' | 'none';

function kindOf(value: GoValue): Kind {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'string';
  return integerOf(value) === undefined ? 'none' : 'int';
}

const incompatible = (a: GoValue, b: GoValue): FunctionError =>
  fail(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`, 'incompatible-kinds');

function areEqual(a: GoValue, b: GoValue): boolean {
  const kind = kindOf(a);
  if (kind !== kindOf(b)) {
    if (a === null || b === null) return false;
    throw incompatible(a, b);
  }
  if (kind === 'int') return integerOf(a) === integerOf(b);
  return kind === 'none' ? areSame(a, b) : a === b;
}

const isNil = (value: GoValue): boolean =>
  value === null || ((value instanceof GoList || value instanceof GoMap) && value.isNil);

/** Lists and maps can only be compared with nil. */
function areSame(a: GoValue, b: GoValue): boolean {
  const sameKind = a instanceof GoList === b instanceof GoList && a instanceof GoMap === b instanceof GoMap;
  if (a !== null && b !== null && !sameKind) throw fail(`non-comparable types ${typeName(a)} and ${typeName(b)}`);
  if (isNil(a) || isNil(b)) return isNil(a) && isNil(b);
  if (a instanceof GoTime && b instanceof GoTime) return a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  throw fail(`non-comparable type ${typeName(b)}`);
}

function isLess(a: GoValue, b: GoValue): boolean {
  const [kind, other] = [kindOf(a), kindOf(b)];
  if (kind === 'none' || other === 'none') throw fail('invalid type for comparison');
  if (kind !== other) throw incompatible(a, b);
  if (kind === 'bool') throw fail('invalid type for comparison');
  if (kind === 'int') return (integerOf(a) ?? 0n) < (integerOf(b) ?? 0n);
  return (a as string) < (b as string);
}

const isAtMost = (a: GoValue, b: GoValue): boolean => isLess(a, b) || areEqual(a, b);

const pair = (compare: (a: GoValue, b: GoValue) => boolean) => fixed(['value', 'value'], ([a, b]) => compare(a, b));

export const comparisonFunctions: FunctionTable = [
  [
    'eq',
    variadic(['value', 'value'], ([first, ...others]) => {
      if (others.length === 0) throw fail('missing argument for comparison');
      return others.some((other) => areEqual(first, other));
    }),
  ],
  ['ne', pair((a, b) => !areEqual(a, b))],
  ['lt', pair(isLess)],
  ['le', pair(isAtMost)],
  ['gt', pair((a, b) => !isAtMost(a, b))],
  ['ge', pair((a, b) => !isLess(a, b))],
];

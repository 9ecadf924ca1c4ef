import { isRecord } from '../access.ts';
import type { Overload } from '../library.ts';
import { type CelType, DYN, listOf } from '../types.ts';
import { CelMap, CelObject, type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from '../value/values.ts';

/** Reports whether a value matches a declared type. */
export type Guard = (value: CelValue) => boolean;

const anything: Guard = () => true;

/**
 * Checks an argument at run time: dyn values and invalid data bypass the type checker. Of a list only the first element
 * is checked, as in cel-go; a function must check the others.
 */
function guardOf(type: CelType): Guard {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return anything;
    case 'list':
      return listGuard(guardOf(type.element));
    case 'opaque':
      return (value) => value instanceof CelObject && value.typeName === type.name;
    default:
      return GUARDS[type.kind];
  }
}

const isMap: Guard = (value) => isRecord(value) || value instanceof CelMap;

const GUARDS: Readonly<Record<Exclude<CelType['kind'], 'dyn' | 'param' | 'list' | 'opaque'>, Guard>> = {
  null: (value) => value === null,
  bool: (value) => typeof value === 'boolean',
  int: (value) => typeof value === 'bigint',
  uint: (value) => value instanceof Uint,
  double: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  duration: (value) => value instanceof Duration,
  timestamp: (value) => value instanceof Timestamp,
  map: isMap,
  object: isMap,
  optional: (value) => value instanceof Optional,
  type: (value) => value instanceof TypeValue,
};

function listGuard(element: Guard): Guard {
  if (element === anything) return Array.isArray;
  return (value) => Array.isArray(value) && (value.length === 0 || element(value[0]));
}

const guards = new WeakMap<Overload, readonly Guard[]>();

/** Returns the guards of an overload's parameters. */
export function guardsOf(overload: Overload): readonly Guard[] {
  let known = guards.get(overload);
  if (known === undefined) {
    known = overload.params.map((type) => guardOf(overload.anyElements && type.kind === 'list' ? listOf(DYN) : type));
    guards.set(overload, known);
  }
  return known;
}

import { isRecord } from '../access.ts';
import type { Overload } from '../library.ts';
import { type CelType, DYN, listOf } from '../types.ts';
import { CelMap, CelObject, type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from '../value/values.ts';

/** Whether a value may be passed where a type is declared. */
export type Guard = (value: CelValue) => boolean;

const anything: Guard = () => true;

/**
 * Run-time check of an argument. The checker has done its part, but dyn values and data that breaks its schema still
 * reach calls. Of a list the first element decides, as in cel-go; what a function wants of the others it has to check.
 */
export function guardOf(type: CelType): Guard {
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

/** The guards of an overload's parameters. */
export function guardsOf(overload: Overload): readonly Guard[] {
  let known = guards.get(overload);
  if (known === undefined) {
    known = overload.params.map((type) => guardOf(overload.anyElements && type.kind === 'list' ? listOf(DYN) : type));
    guards.set(overload, known);
  }
  return known;
}

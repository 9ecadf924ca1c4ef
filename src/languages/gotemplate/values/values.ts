import { MAX_NESTING } from '../../../core/model/limits.ts';
import { FunctionError } from '../fault.ts';
import type { Meter } from '../meter.ts';

/**
 * Values as templates see them: an untyped nil is `null`, bool, int64 and float64 are boolean, bigint and number, and a
 * string has one character for each byte. Other types of Go have a class; maps have keys that are strings.
 */
export type GoValue = null | boolean | bigint | number | string | GoInt | GoList | GoMap | GoTime | NilInterface;

type IntKind = 'int' | 'uint8' | 'time.Month' | 'time.Weekday' | 'time.Duration';

export class GoInt {
  constructor(
    readonly value: bigint,
    readonly kind: IntKind = 'int',
  ) {}
}

type ElementType = 'interface {}' | 'string' | 'int' | '[]interface {}';

export class GoList {
  constructor(
    readonly items: GoValue[],
    readonly element: ElementType = 'interface {}',
    /** A nil slice: empty, but null in JSON. */
    readonly isNil = false,
  ) {}
}

export class GoMap {
  constructor(
    readonly entries: Map<string, GoValue>,
    readonly element: 'interface {}' | 'string' = 'interface {}',
    /** A nil map: empty and read-only. */
    readonly isNil = false,
  ) {}
}

/** A time zone: its offset in seconds east of UTC, and its name. */
export interface Zone {
  offset: number;
  name: string;
}

/** A time with its zone. */
export class GoTime {
  constructor(
    /** Seconds since 1970. */
    readonly seconds: bigint,
    readonly nanoseconds = 0,
    readonly zone: Zone = UTC,
  ) {}
}

export const UTC: Zone = { offset: 0, name: 'UTC' };

/** A nil in a list or a map: unlike an untyped nil it is not a nil map. */
export class NilInterface {
  readonly element = undefined;
}

const NIL_INTERFACE = new NilInterface();

/** Returns an item of a list or map as an expression sees it. */
export const stored = (value: GoValue): GoValue => (value === null ? NIL_INTERFACE : value);
/** Returns the value itself. */
export const plain = (value: GoValue): GoValue => (value instanceof NilInterface ? null : value);

export const int = (value: number | bigint): GoInt => new GoInt(BigInt(value));
export const list = (items: GoValue[]): GoList => new GoList(items);
export const strings = (items: string[]): GoList => new GoList(items, 'string');
export const map = (entries: Iterable<readonly [string, GoValue]> = []): GoMap => new GoMap(new Map(entries));
export const NIL_MAP = new GoMap(new Map(), 'interface {}', true);
export const nilList = (element: ElementType = 'interface {}'): GoList => new GoList([], element, true);

/** Returns Go's name of the type, as %T prints it. */
export function typeName(value: GoValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'string') return 'string';
  if (value instanceof GoInt) return value.kind;
  if (value instanceof GoList) return `[]${value.element}`;
  if (value instanceof GoMap) return `map[string]${value.element}`;
  return value instanceof GoTime ? 'time.Time' : 'interface {}';
}

/** Returns Go's kind of the value, as reflect names it. */
export function kindName(value: GoValue): string {
  if (value === null) return 'invalid';
  if (value instanceof GoInt) return KINDS[value.kind];
  if (value instanceof GoList) return 'slice';
  if (value instanceof GoMap) return 'map';
  if (value instanceof GoTime) return 'struct';
  return value instanceof NilInterface ? 'interface' : typeName(value);
}

const KINDS: Record<IntKind, string> = {
  int: 'int',
  uint8: 'uint8',
  'time.Month': 'int',
  'time.Weekday': 'int',
  'time.Duration': 'int64',
};

/** Returns the integer of a value, `undefined` for others. */
export function integerOf(value: GoValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof GoInt ? value.value : undefined;
}

/** Returns Go's truth: not the zero value of its type. */
export function isTrue(value: GoValue): boolean {
  if (value === null || value instanceof NilInterface) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value !== '';
  if (typeof value === 'number') return value !== 0;
  if (value instanceof GoList) return value.items.length > 0;
  if (value instanceof GoMap) return value.entries.size > 0;
  return value instanceof GoTime ? true : integerOf(value) !== 0n;
}

export const wrap64 = (value: bigint): bigint => BigInt.asIntN(64, value);

/** Returns entries in the order of the bytes of their keys; that of Go's maps is random. */
export const sortedEntries = ({ entries }: GoMap): [string, GoValue][] =>
  [...entries].sort(([a], [b]) => compareBytes(a, b));

export const compareBytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Go's reflect.DeepEqual: types count too, so that an int differs from an int64, and nil from empty. */
export function deepEqual(a: GoValue, b: GoValue, meter: Meter, depth = 0): boolean {
  if (depth > MAX_NESTING) throw new FunctionError(`values are nested more than ${MAX_NESTING} deep`);
  if (a instanceof GoList) return b instanceof GoList && equalLists(a, b, meter, depth);
  if (a instanceof GoMap) return b instanceof GoMap && equalMaps(a, b, meter, depth);
  if (a instanceof GoInt) return b instanceof GoInt && a.kind === b.kind && a.value === b.value;
  if (a instanceof GoTime) return b instanceof GoTime && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds;
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) meter.spendBytes(a.length);
  return a === b;
}

function equalLists(a: GoList, b: GoList, meter: Meter, depth: number): boolean {
  meter.spendSteps(1);
  if (a.element !== b.element || a.isNil !== b.isNil || a.items.length !== b.items.length) return false;
  return a === b || a.items.every((item, index) => deepEqual(item, b.items[index] ?? null, meter, depth + 1));
}

function equalMaps(a: GoMap, b: GoMap, meter: Meter, depth: number): boolean {
  meter.spendSteps(1);
  if (a.element !== b.element || a.isNil !== b.isNil || a.entries.size !== b.entries.size) return false;
  if (a === b) return true;
  return [...a.entries].every(([key, item]) => {
    const other = b.entries.get(key);
    return other !== undefined && deepEqual(item, other, meter, depth + 1);
  });
}

const SCALAR = 8;

/** Returns about the length of its text. @throws FunctionError if it is too large, too deep, or contains itself */
export function sizeOf(value: GoValue, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (depth > MAX_NESTING) throw new FunctionError(`values are nested more than ${MAX_NESTING} deep`);
  let size = SCALAR;
  if (value instanceof GoList) {
    for (const item of value.items) size = bounded(size + sizeOf(item, depth + 1));
  } else if (value instanceof GoMap) {
    for (const [key, item] of value.entries) size = bounded(size + key.length + sizeOf(item, depth + 1));
  }
  return size;
}

const MOST = 1 << 25;

/** Limits the size of values with exponential repetition. */
function bounded(size: number): number {
  if (size > MOST) throw new FunctionError('the value is too large');
  return size;
}

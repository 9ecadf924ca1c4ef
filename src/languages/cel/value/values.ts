import { isInt64, MAX_UINT64 } from '../../../core/text/go-numbers.ts';
import type { OpaqueType } from '../types.ts';

/**
 * CEL values at run time. Data of objects needs no conversion: an int is a `bigint`, a double a `number`, a list an
 * array, a map with string keys an ordinary object (read with `Object.hasOwn`). Everything else is a class.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | readonly CelValue[]
  | CelRecord
  | Uint
  | Duration
  | Timestamp
  | CelMap
  | Optional
  | TypeValue
  | CelObject
  | Unreadable;

export interface CelRecord {
  readonly [key: string]: CelValue;
}

export class Uint {
  constructor(readonly value: bigint) {}
}

/** A length of time in whole nanoseconds, negative allowed. */
export class Duration {
  constructor(readonly nanos: bigint) {}
}

/** Nanoseconds since 1970-01-01T00:00:00Z; `zone`, in minutes east of UTC, is only shown by `string()`. */
export class Timestamp {
  constructor(
    readonly nanos: bigint,
    readonly zone = 0,
  ) {}
}

export type CelKey = string | bigint | boolean | Uint;

/** A map with keys of any key type, not only strings, iterated in key order. Entries are indexed by `keyText`. */
export class CelMap {
  constructor(readonly entries: ReadonlyMap<string, readonly [CelKey, CelValue]>) {}
}

/** Returns a text that is equal for equal keys; int and uint of one value are equal (CEL equality). */
export function keyText(key: CelKey): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  return `i${typeof key === 'bigint' ? key : key.value}`;
}

/** `optional_type`: with a value, or none. */
export class Optional {
  static readonly none = new Optional(undefined);
  private constructor(readonly value: CelValue | undefined) {}
  static of(value: CelValue): Optional {
    return new Optional(value);
  }
}

/** A type as a value, for example what `type(1)` yields: `int`, `list`, `kubernetes.Quantity`. */
export class TypeValue {
  constructor(readonly name: string) {}
}

/** A part of stored data that does not match its schema, or that is unknown (`UnknownPart`); reading it fails. */
export class Unreadable {
  constructor(readonly reason: EvaluationError) {}
}

/** What is known of the values of a library's own type. */
export interface OwnValues<Held> {
  readonly name: string;
  equals(a: Held, b: Held): boolean;
  /** Why a value cannot be compared with any other one. */
  readonly incomparable?: string;
  /** Returns the steps of reading all of a value. Default: one. */
  weight?(held: Held): number;
}

/** A value of a library's own type (Quantity, URL, IP, CIDR, Semver). */
// biome-ignore lint/suspicious/noExplicitAny: the type says what it holds
export class CelObject<Held = any> {
  constructor(
    readonly type: OwnValues<Held>,
    readonly held: Held,
  ) {}
}

export type OwnType<Held> = OpaqueType<CelObject<Held>> & OwnValues<Held>;

/** Declares a library's own type, and what creates its values. */
export function ownType<Held>(
  name: string,
  equals: OwnValues<Held>['equals'],
  weight?: OwnValues<Held>['weight'],
): [OwnType<Held>, (held: Held) => CelObject<Held>] {
  const type: OwnType<Held> = { kind: 'opaque', name, equals, ...(weight && { weight }) };
  return [type, (held) => new CelObject(type, held)];
}

/** The literal part of a read: of `svc.status.ports[0]` all, of `f(x).port` the field, of `a[b]` nothing. */
export interface WrittenRead {
  /** The start of the read; undefined for a computed value. */
  readonly variable: string | undefined;
  /** The fields and indexes from there. */
  readonly path: readonly (string | number)[];
}

/** Why an evaluation failed. An observed object may supply what is `missing`; `budget` is a limit of this program. */
export type Reason =
  | {
      readonly kind: 'missing';
      readonly what: 'variable' | 'key' | 'element';
      /** The name of the variable, the key, or the index of the element. */
      readonly key: CelValue;
      /** The value that was searched; absent for a variable. */
      readonly on?: CelValue;
    }
  | { readonly kind: 'budget' }
  /** See `Unknown`. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'failure';
      /** The message only has fixed words and types: no values. */
      readonly isFixed: boolean;
    };

export type EvaluationErrorKind = Reason['kind'];

/**
 * An outcome of data that is thrown. It is no `Error`, because the stack of one takes longer than an evaluation and nobody
 * reads it.
 */
export class EvaluationError {
  /** The id of the failed expression, set by the evaluator, from which the position is derived. */
  nodeId: number | undefined;
  /** For the reason `missing`, set by the evaluator: the read, with the missing part last. */
  read: WrittenRead | undefined;
  constructor(
    readonly reason: Reason,
    readonly message: string,
  ) {}
  get kind(): EvaluationErrorKind {
    return this.reason.kind;
  }
  /** Returns a copy, so that each reader can set its own position. */
  again(): EvaluationError {
    return new EvaluationError(this.reason, this.message);
  }
}

const BUDGET: Reason = { kind: 'budget' };
const FAILURE: Reason = { kind: 'failure', isFixed: false };
const FIXED: Reason = { kind: 'failure', isFixed: true };

export const missing = (message: string, what: Omit<Extract<Reason, { kind: 'missing' }>, 'kind'>): EvaluationError =>
  new EvaluationError({ kind: 'missing', ...what }, message);
export const overBudget = (message: string): EvaluationError => new EvaluationError(BUDGET, message);
export const failure = (message: string): EvaluationError => new EvaluationError(FAILURE, message);
/** Returns a failure whose message does not depend on values. */
export const fixedFailure = (message: string): EvaluationError => new EvaluationError(FIXED, message);

export function outcomeOf<T>(action: () => T): T | EvaluationError {
  try {
    return action();
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** Reports whether a conversion succeeds, for the `is...` functions. */
export const succeeds = (convert: () => unknown): boolean => !(outcomeOf(convert) instanceof EvaluationError);

/** Runs the action; the message of its failure begins with the prefix. */
export function prefixed<T>(prefix: string, action: () => T): T {
  const value = outcomeOf(action);
  if (value instanceof EvaluationError) throw failure(prefix + value.message);
  return value;
}

/** Narrows to a list value; `Array.isArray` alone does not narrow read-only arrays. */
export const isList = (value: CelValue): value is readonly CelValue[] => Array.isArray(value);

/** Reports whether a value is an ordinary object, which is a map with string keys. */
export function isRecord(value: CelValue): value is CelRecord {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export const isMapValue = (value: CelValue): value is CelRecord | CelMap => value instanceof CelMap || isRecord(value);

/** Returns the run-time type name of a value, as in cel-go's messages. */
export function kindOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
  }
  if (value === null) return 'null_type';
  if (isList(value)) return 'list';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof CelObject) return value.type.name;
  if (value instanceof Unreadable) return 'error';
  return 'map';
}

/** Returns Go's name of the type of a map key. */
export function keyKind(key: CelKey): string {
  if (typeof key === 'bigint') return 'int64';
  return key instanceof Uint ? 'uint64' : typeof key === 'boolean' ? 'bool' : 'string';
}

/** Numbers, durations and timestamps within the range of CEL, as in cel-go (common/types/overflow.go). */

export function int(value: bigint): bigint {
  if (!isInt64(value)) throw fixedFailure('integer overflow');
  return value;
}

export function uint(value: bigint): Uint {
  if (value < 0n || value > MAX_UINT64) throw fixedFailure('unsigned integer overflow');
  return new Uint(value);
}

export function duration(nanos: bigint): Duration {
  if (!isInt64(nanos)) throw fixedFailure('duration overflow');
  return new Duration(nanos);
}

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z, the range of google.protobuf.Timestamp. */
const MIN_TIME = -62_135_596_800_000_000_000n;
const MAX_TIME = 253_402_300_799_999_999_999n;

export function timestamp(nanos: bigint, zone = 0): Timestamp {
  if (nanos < MIN_TIME || nanos > MAX_TIME) throw fixedFailure('timestamp overflow');
  return new Timestamp(nanos, zone);
}

/** @throws EvaluationError (failure) if the data does not match its schema */
export function readable<T extends CelValue | undefined>(value: T): T {
  if (value instanceof Unreadable) throw value.reason.again();
  return value;
}

/** Returns a value as a map key: whole doubles match integer keys (CEL equality), other types cannot be keys. */
export function keyOf(value: CelValue): CelKey | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  return value instanceof Uint ? value : undefined;
}

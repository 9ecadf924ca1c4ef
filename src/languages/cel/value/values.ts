import { type CelType, formatType } from '../types.ts';

/**
 * CEL values at run time. Data from Kubernetes objects is used as it is, with no conversion:
 * int is `bigint`, double is `number`, string, bool and null are themselves, bytes is `Uint8Array`, a list is an
 * array, a map with string keys is an ordinary object (read with `Object.hasOwn`). Everything else is a class.
 * A map that has, or may have, keys that are not strings is a `CelMap`.
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

/** An unsigned 64-bit integer. */
export class Uint {
  constructor(readonly value: bigint) {}
}

/** A length of time in whole nanoseconds, negative allowed. */
export class Duration {
  constructor(readonly nanos: bigint) {}
}

/**
 * A point in time in nanoseconds since 1970-01-01T00:00:00Z. `zone` counts minutes east of UTC, as the text had it that
 * the timestamp was read from; only `string()` shows it.
 */
export class Timestamp {
  constructor(
    readonly nanos: bigint,
    readonly zone = 0,
  ) {}
}

/** What may be a map key. */
export type CelKey = string | bigint | boolean | Uint;

/** A map with keys of any key type, iterated in key order. Entries are keyed by `keyText`. */
export class CelMap {
  constructor(readonly entries: ReadonlyMap<string, readonly [CelKey, CelValue]>) {}
}

/** Two keys are the same entry exactly when their texts are equal; int and uint of one value are (CEL equality). */
export function keyText(key: CelKey): string {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  return `i${typeof key === 'bigint' ? key : key.value}`;
}

/** `optional_type`: of a value, or none. */
export class Optional {
  static readonly none = new Optional(undefined);
  private constructor(readonly value: CelValue | undefined) {}
  static of(value: CelValue): Optional {
    return new Optional(value);
  }
}

/** A type as a value, for example what `type(1)` yields. */
export class TypeValue {
  readonly name: string;
  constructor(readonly type: CelType) {
    this.name = formatType(type);
  }
}

/** A part of stored data that does not fit its schema; reading it fails. */
export class Unreadable {
  constructor(readonly reason: EvaluationError) {}
}

/** A value of a library's own type (Quantity, URL, IP, CIDR, Semver). */
export abstract class CelObject {
  abstract readonly typeName: string;
  abstract equals(other: CelObject): boolean;
  /** How many steps of a budget it takes to look at the whole of it. */
  get weight(): number {
    return 1;
  }
}

/** What an expression spells out of a read: of `svc.status.ports[0]` all, of `f(x).port` the field, of `a[b]` nothing. */
export interface WrittenRead {
  /** Where the read starts; undefined where that is a computed value. */
  readonly variable: string | undefined;
  /** The fields and indexes from there. */
  readonly path: readonly (string | number)[];
}

/**
 * Why an evaluation failed. `missing` (no such variable, key, field or element) is what may be supplied later by an
 * observed object; `budget` is a limit of this program; everything else is `failure`.
 */
export type Reason =
  | {
      readonly kind: 'missing';
      readonly what: 'variable' | 'key' | 'element';
      /** The name of the variable, the key, or the index of the element. */
      readonly key: CelValue;
      /** What it was looked for in; a variable is looked for in nothing. */
      readonly on?: CelValue;
    }
  | { readonly kind: 'budget' }
  | {
      readonly kind: 'failure';
      /** The words are the program's own and those of types: no value is in them. */
      readonly isFixed: boolean;
    };

export type EvaluationErrorKind = Reason['kind'];

export class EvaluationError extends Error {
  /** The expression id that failed, set by the evaluator; a position is looked up from it. */
  nodeId: number | undefined;
  /** Of a reason `missing`, set by the evaluator: what was read, what is missing last. */
  read: WrittenRead | undefined;
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
  }
  get kind(): EvaluationErrorKind {
    return this.reason.kind;
  }
}

const BUDGET: Reason = { kind: 'budget' };
const FAILURE: Reason = { kind: 'failure', isFixed: false };
const FIXED: Reason = { kind: 'failure', isFixed: true };

export const missing = (message: string, what: Omit<Extract<Reason, { kind: 'missing' }>, 'kind'>): EvaluationError =>
  new EvaluationError({ kind: 'missing', ...what }, message);
export const overBudget = (message: string): EvaluationError => new EvaluationError(BUDGET, message);
export const failure = (message: string): EvaluationError => new EvaluationError(FAILURE, message);
/** A failure that is reported in the same words whatever the values are. */
export const fixedFailure = (message: string): EvaluationError => new EvaluationError(FIXED, message);

import {
  CelMap,
  type CelRecord,
  type CelValue,
  EvaluationError,
  isList,
  isRecord,
  Optional,
  Unreadable,
} from './values.ts';

/*
 * Values that only a cluster knows. A part of the data is unknown; what an expression makes of it is unknown too, or has
 * a value that does not depend on it: cel-go's partial evaluation (interpreter/attribute_patterns.go).
 */

/** The results that an expression may have. Those of a value that is not boolean count as both. */
export interface Results {
  readonly true: boolean;
  readonly false: boolean;
  readonly fails: boolean;
}

export const ANYTHING: Results = { true: true, false: true, fails: true };
const FAILS: Results = { true: false, false: false, fails: true };

/**
 * An unknown result: which unknown parts decide it, and what it may be. It is thrown as an error is, because both end the
 * evaluation of everything but `&&`, `||` and `?:`.
 */
export class Unknown extends EvaluationError {
  #ofFunction: Unknown | undefined;
  constructor(
    readonly parts: readonly UnknownPart[],
    readonly results: Results = ANYTHING,
    /** The error that it is in the end, whatever the unknown parts are. */
    readonly certain?: EvaluationError,
    /** It is an unknown part as it was read, and not the result of a function or an operator. */
    readonly isRead = false,
  ) {
    super({ kind: 'unknown' }, 'unknown');
  }
  override again(): EvaluationError {
    return this;
  }
  /** Returns what a function of it yields: any result. It is created once, because creating an error takes long. */
  ofFunction(): Unknown {
    if (this.results === ANYTHING && !this.isRead) return this;
    this.#ofFunction ??= unknownOf(this.parts, ANYTHING, this.certain);
    return this.#ofFunction;
  }
}

/** An unknown part of the data. Everything around it is known, and also that something is there. */
export class UnknownPart extends Unreadable {
  /** Why it is unknown, or where it is, for whoever made it. */
  readonly about: string;
  constructor(about: string) {
    const parts: UnknownPart[] = [];
    super(new Unknown(parts, ANYTHING, undefined, true));
    this.about = about;
    parts.push(this);
  }
}

/** A value, an error, or an unknown result. */
export type Outcome = CelValue | EvaluationError;

/** Returns the error that an outcome certainly is. */
export function certainError(outcome: Outcome): EvaluationError | undefined {
  return outcome instanceof Unknown ? outcome.certain : outcome instanceof EvaluationError ? outcome : undefined;
}

/** Returns an unknown result of which the error is certain, if there is one. */
export function unknownOf(
  parts: readonly UnknownPart[],
  results: Results,
  certain: EvaluationError | undefined,
): Unknown {
  return certain === undefined ? new Unknown(parts, results) : new Unknown(parts, FAILS, certain);
}

/** Returns the results that an operand of a boolean operator may have. */
export function resultsOf(outcome: Outcome): Results {
  if (outcome instanceof Unknown) return outcome.results;
  if (outcome instanceof EvaluationError || typeof outcome !== 'boolean') return FAILS;
  return { true: outcome, false: !outcome, fails: false };
}

/** Returns the unknown parts of several outcomes, each once. */
export function partsOf(outcomes: Iterable<Outcome>): UnknownPart[] {
  const parts = new Set<UnknownPart>();
  for (const outcome of outcomes) if (outcome instanceof Unknown) for (const part of outcome.parts) parts.add(part);
  return [...parts];
}

/** The unknown parts of lists and maps, which do not change. */
const found = new WeakMap<object, readonly UnknownPart[]>();
const NONE: readonly UnknownPart[] = [];

/** Returns the unknown parts inside a value. */
export function unknownWithin(value: CelValue): readonly UnknownPart[] {
  if (typeof value !== 'object' || value === null) return NONE;
  if (value instanceof UnknownPart) return [value];
  const inner = innerValues(value);
  if (inner === undefined) return NONE;
  const known = found.get(value);
  if (known !== undefined) return known;
  const parts = new Set<UnknownPart>();
  for (const one of inner) for (const part of unknownWithin(one)) parts.add(part);
  const list = parts.size === 0 ? NONE : [...parts];
  found.set(value, list);
  return list;
}

function innerValues(value: CelValue & object): Iterable<CelValue> | undefined {
  if (isList(value)) return value;
  if (isRecord(value)) return Object.values(value);
  if (value instanceof CelMap) return [...value.entries.values()].map(([, one]) => one);
  return value instanceof Optional && value.value !== undefined ? [value.value] : undefined;
}

/** Returns the paths of parts in the data of a variable, in order. */
export function pathsOfParts(value: unknown, parts: ReadonlySet<unknown>): (readonly (string | number)[])[] {
  if (parts.has(value)) return [[]];
  return itemsOf(value).flatMap(([step, item]) => pathsOfParts(item, parts).map((path) => [step, ...path]));
}

function itemsOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return isRecord(value as CelValue) ? Object.entries(value as CelRecord) : [];
}

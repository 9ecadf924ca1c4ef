import { get, isMap, listOf, type Value } from '../../src/core/model/value.ts';
import type { Outcome } from './compare.ts';

/** A difference of the first commit of the engine of kro 0.10 that the outcome of one instance shows. */
export interface Trace {
  /** A part of the sentence in docs/differences.md that documents it. */
  documented: string;
  /** `status` is what the RGD of the instance declares. */
  isIn(outcome: Outcome, status: Value | undefined): boolean;
}

/** The errors of CEL for which a later evaluation may have a value. */
const MISSING = '(?:no such key|no such field|no such attribute|index out of bounds)';

/** The node that writes the status of an instance. */
const STATUS_NODE = 'instance';

const fails =
  (pattern: RegExp) =>
  ({ stage, error = '' }: Outcome): boolean =>
    stage === 'expand' && pattern.test(error);

export const traces = {
  forEachFails: {
    documented: 'A list of `forEach` that reads a missing field is an error in the commit',
    isIn: fails(new RegExp(String.raw`forEach "\w+": eval: eval ".*": ${MISSING}`, 's')),
  },
  optionalConditionFails: {
    documented: 'A condition that is an optional without a value is an error in the commit',
    isIn: fails(/includeWhen ".*" returned <nil>, want bool/s),
  },
  statusElementBlocks: {
    documented: 'A pending element of a list in the status leaves out the whole status in the commit',
    // The node of the status waits for nothing else.
    isIn: ({ stage, waits = [] }: Outcome): boolean => stage === 'pending' && waits.includes(STATUS_NODE),
  },
  statusWritesEmptyMaps: {
    documented: 'A map in the status whose members all wait is an empty map in the commit',
    isIn: ({ status }: Outcome, declared: Value | undefined): boolean => hasEmptied(declared, status),
  },
  statusNeedsFields: {
    documented: 'A field of the status that is an empty list or map fails the instance in the commit',
    isIn: fails(/build node "instance": parse patch payload: error getting field schema for path status\./),
  },
  statusNeedsOneType: {
    documented: 'Elements of one list in the status that have different types fail the instance in the commit',
    // Of an expression, or of a literal.
    isIn: fails(
      /compile node "instance": type mismatch in node "instance" at path "status\.[^"]*\[\d+\]|build node "instance": parse patch payload: expected \w+ type for path status\.[^ ]*\[\d+\],/,
    ),
  },
} satisfies Record<string, Trace>;

const CONDITION_FAILS = new RegExp(`^includeWhen ".*": eval ".*": ${MISSING}`, 's');

/**
 * Reports whether an instance shows a difference of the first commit that its outcome in kro 0.9 tells: a condition of the
 * instance that waits, a field `state` that is written, and a field that reads a collection that is omitted.
 */
export function isTracedSince(was: Outcome, is: Outcome, objects: readonly unknown[]): boolean {
  if (was.stage === 'expand' && is.stage === 'pending' && CONDITION_FAILS.test(was.error ?? '')) return true;
  const rgd = rgdOf(is, objects);
  const declared = get(get(rgd, 'schema'), 'status');
  if (get(declared, 'state') !== undefined && is.status?.state !== undefined) return true;
  const collections = listOf(get(rgd, 'resources')).flatMap((node) =>
    get(node, 'forEach') === undefined ? [] : [String(get(node, 'id'))],
  );
  return hasMore(declared, was.status, is.status, (text) =>
    collections.some((id) => new RegExp(`\\b${id}\\b`).test(text)),
  );
}

/** Reports whether a field that `isMeant` is written, and was not. */
function hasMore(
  declared: Value | undefined,
  was: Value | undefined,
  is: Value | undefined,
  isMeant: (text: string) => boolean,
): boolean {
  if (is === undefined) return false;
  if (Array.isArray(declared))
    return declared.some((item, at) => hasMore(item, listOf(was)[at] ?? undefined, listOf(is)[at], isMeant));
  if (isMap(declared))
    return Object.keys(declared).some((key) => hasMore(declared[key], get(was, key), get(is, key), isMeant));
  return was === undefined && typeof declared === 'string' && isMeant(declared);
}

/** Reports whether a map is empty that is declared with members. */
function hasEmptied(declared: Value | undefined, written: Value | undefined): boolean {
  if (Array.isArray(declared)) {
    return Array.isArray(written) && declared.some((item, index) => hasEmptied(item, written[index]));
  }
  if (!isMap(declared) || !isMap(written)) return false;
  const keys = Object.keys(declared);
  if (keys.length > 0 && Object.keys(written).length === 0) return true;
  return keys.some((key) => hasEmptied(declared[key], written[key]));
}

/** Reports whether the first commit of the engine shows a difference in an instance of a package. */
export const isTraced = (
  { isIn }: Trace,
  outcomes: readonly Outcome[] | undefined,
  objects: readonly unknown[],
): boolean => outcomes?.some((outcome) => isIn(outcome, declaredStatus(outcome, objects))) === true;

/** Returns the status that the RGD of an instance declares. */
const declaredStatus = (outcome: Outcome, objects: readonly unknown[]): Value | undefined =>
  get(get(rgdOf(outcome, objects), 'schema'), 'status');

/** Returns the `spec` of the RGD of an instance. */
function rgdOf({ subject }: Outcome, objects: readonly unknown[]): Value | undefined {
  const kind = subject.slice(0, subject.indexOf('/'));
  const specs = objects.map((one) => get(one as Value, 'spec'));
  return specs.find((spec) => get(get(spec, 'schema'), 'kind') === kind);
}

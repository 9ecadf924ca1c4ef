import { isMap, type Value, type ValueMap } from '../../src/core/model/value.ts';
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

const fails =
  (pattern: RegExp) =>
  ({ stage, error = '' }: Outcome): boolean =>
    stage === 'expand' && pattern.test(error);

const waits =
  (pattern: RegExp) =>
  ({ stage, error = '' }: Outcome): boolean =>
    stage === 'pending' && pattern.test(error);

export const traces = {
  forEachFails: {
    documented: 'A list of `forEach` that reads a missing field is an error in the commit',
    isIn: fails(new RegExp(String.raw`forEach "\w+": eval: eval ".*": ${MISSING}`, 's')),
  },
  includeWhenWaits: {
    documented: '`includeWhen` that reads a missing field of the instance is pending in the commit',
    isIn: waits(/: includeWhen ".*\(data pending\)/s),
  },
  optionalConditionFails: {
    documented: 'A condition that is an optional without a value is an error in the commit',
    isIn: fails(/includeWhen ".*" returned <nil>, want bool/s),
  },
  statusElementBlocks: {
    documented: 'A pending element of a list in the status leaves out the whole status in the commit',
    isIn: waits(/^apply "instance": resolve: .* at "status\.[^"]*\[\d+\][^"]*": .*\(data pending\)/s),
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
    isIn: fails(/compile node "instance": type mismatch in node "instance" at path "status\.[^"]*\[\d+\]/),
  },
} satisfies Record<string, Trace>;

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
function declaredStatus({ subject }: Outcome, objects: readonly unknown[]): Value | undefined {
  const kind = subject.slice(0, subject.indexOf('/'));
  const schemas = objects.map(
    (one) => ((one as ValueMap).spec as ValueMap | undefined)?.schema as ValueMap | undefined,
  );
  return schemas.find((schema) => schema?.kind === kind)?.status;
}

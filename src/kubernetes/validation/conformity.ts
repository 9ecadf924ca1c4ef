import { format, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { allowance, MATCHING_STEPS, MAX_PATTERNS } from '../../core/model/limits.ts';
import { isKubeObject } from '../../core/model/object.ts';
import { formatPath, type Value } from '../../core/model/value.ts';
import type { Schema } from '../schema/index.ts';
import { compileCheck } from './check.ts';
import { isExempt, nativeFaults } from './native/index.ts';
import { asDecoded } from './type.ts';
import { OF_OBJECT, type PatternBudget, startVisit, type Visit } from './visit.ts';

const TOO_MANY_PATTERNS = phrase`the patterns in the schemas of rendered objects are too large: with counted repetitions written out they take more than ${shown(MAX_PATTERNS)} characters`;

const TOO_MUCH_MATCHING = phrase`the patterns in the schemas of rendered objects take more than ${shown(MATCHING_STEPS)} steps to match`;

const MAX_FAULTS = 100;

export interface ConformityCheck {
  /** Whether a CRD or an extension server defines the kind, instead of a type of Kubernetes. */
  custom: boolean;
  /** Shared by all objects of a package. */
  patterns: PatternBudget;
}

/**
 * Validates an object against the schema of its kind as an API server does when it is created. Returns what an API
 * server would reject in it, or drop, quoting only names of fields, and the object for validation rules: with defaults,
 * without nulls that the schema rejects.
 */
export function conformityOf(
  schema: Schema,
  value: Value,
  { custom, patterns }: ConformityCheck,
): { faults: Problem[]; object: Value } {
  const visit: Visit = {
    ...startVisit([], allowance(Number.POSITIVE_INFINITY)),
    words: OF_OBJECT,
    most: MAX_FAULTS,
    hints: false,
    patterns,
  };
  const check = custom ? compileCheck(asResource(schema), 'custom') : compileCheck(schema, 'typed');
  const object = check(asDecoded(value), visit);
  const { characters, steps } = patterns;
  const exceeded = characters.left < 0 ? TOO_MANY_PATTERNS : steps.left < 0 ? TOO_MUCH_MATCHING : undefined;
  if (exceeded !== undefined) return { faults: [{ code: 'schema-too-large', message: exceeded, path: [] }], object };
  const faults = custom ? visit.problems : withNative(object, visit.problems);
  return { faults: distinct(faults).slice(0, MAX_FAULTS), object };
}

/** Adds the errors of code rules, except for fields that the schema rejects. */
function withNative(object: Value, ofSchema: readonly Problem[]): Problem[] {
  if (!isKubeObject(object)) return [...ofSchema];
  const native = nativeFaults(object);
  const faults = ofSchema.filter((fault) => !isExempt(fault, object));
  const known = new Set(native.length === 0 ? [] : faults.map(({ path }) => formatPath(path)));
  for (const fault of native) {
    const path = formatPath(fault.path);
    if (!known.has(path)) faults.push(fault);
    known.add(path);
  }
  return faults;
}

const resources = new WeakMap<Schema, Schema>();

/** Returns the schema of a custom object: with `apiVersion`, `kind` and `metadata`, as embedded ones have. */
export const asResource = (schema: Schema): Schema =>
  getOrCompute(resources, schema, () => ({ ...schema, 'x-kubernetes-embedded-resource': true }));

/** Removes duplicates, because the schema of the kind may describe metadata too. */
function distinct(faults: readonly Problem[]): readonly Problem[] {
  if (faults.length < 2) return faults;
  const known = new Set<string>();
  return faults.filter(({ code, message, path }) => {
    const key = JSON.stringify([code, format(message), path]);
    return !known.has(key) && known.add(key);
  });
}

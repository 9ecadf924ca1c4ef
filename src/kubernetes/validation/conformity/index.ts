import { format, phrase, shown } from '../../../core/diagnostics/index.ts';
import { isKubeObject } from '../../../core/model/object.ts';
import { formatPath } from '../../../core/model/path.ts';
import type { Value } from '../../../core/model/value.ts';
import { MAX_PATTERNS, type Schema } from '../../schema/index.ts';
import { isPardoned, nativeFaults } from '../native/index.ts';
import { asDecoded, traitsOf, withDefaults, withoutNulls } from './decode.ts';
import { checkEmbedded } from './embedded.ts';
import { checkUnknown } from './unknown.ts';
import { visit } from './values.ts';
import { type Check, MATCHING_STEPS, MAX_VIOLATIONS, type Violation, type Walk } from './walk.ts';

export { type Check, createPatternBudget, type PatternBudget, type Violation } from './walk.ts';

const TOO_MANY_PATTERNS = phrase`the patterns in the schemas of rendered objects are too large: with counted repetitions written out they take more than ${shown(MAX_PATTERNS)} characters`;

const TOO_MUCH_MATCHING = phrase`the patterns in the schemas of rendered objects take more than ${shown(MATCHING_STEPS)} steps to match`;

export interface Conformity {
  faults: Violation[];
  /** The object for validation rules: with defaults, without nulls that the schema rejects. */
  object: Value;
}

/**
 * Validates an object against the schema of its kind as an API server does when it is created: defaults are filled in
 * before anything is counted, and nulls that the schema rejects are dropped. For Kubernetes' own kinds a null counts as
 * absent.
 */
export function conformityOf(schema: Schema, value: Value, check: Check): Conformity {
  const walk: Walk = { path: [], faults: [], ...check, alternatives: 0, fitting: new Map() };
  const traits = traitsOf(value);
  const decoded = asDecoded(value, traits);
  const root = check.custom ? asResource(schema) : schema;
  const object = check.custom ? withDefaults(root, decoded) : withoutNulls(decoded, traits);
  visit(root, object, walk);
  checkUnknown(root, decoded, walk);
  if (check.custom) checkEmbedded(root, object, walk);
  else walk.faults = withNative(object, walk.faults);
  const { left, steps } = check.patterns;
  const exceeded = left < 0 ? TOO_MANY_PATTERNS : steps < 0 ? TOO_MUCH_MATCHING : undefined;
  if (exceeded !== undefined) return { faults: [{ kind: 'budget', message: exceeded, path: [] }], object };
  return { faults: distinct(walk.faults).slice(0, MAX_VIOLATIONS), object };
}

/** Adds the errors of code rules, except for fields that the schema rejects. */
function withNative(object: Value, schemaFaults: readonly Violation[]): Violation[] {
  if (!isKubeObject(object)) return [...schemaFaults];
  const native = nativeFaults(object);
  const faults = schemaFaults.filter((fault) => !isPardoned(fault, object));
  const known = new Set(native.length === 0 ? [] : faults.map(({ path }) => formatPath(path)));
  for (const fault of native) {
    const path = formatPath(fault.path);
    if (!known.has(path)) faults.push(fault);
    known.add(path);
  }
  return faults;
}

/** Returns the schema of a custom object: with `apiVersion`, `kind` and `metadata`, as embedded ones have. */
export const asResource = (schema: Schema): Schema => ({ ...schema, 'x-kubernetes-embedded-resource': true });

/** Removes duplicates, because the schema of the kind may describe metadata too. */
function distinct(faults: readonly Violation[]): Violation[] {
  const known = new Set<string>();
  return faults.filter(({ kind, message, path }) => {
    const key = JSON.stringify([kind, format(message), path]);
    return !known.has(key) && known.add(key);
  });
}

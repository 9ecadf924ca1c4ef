import { format, phrase, shown } from '../../../core/diagnostics/index.ts';
import { MATCHING_STEPS, MAX_PATTERNS } from '../../../core/model/limits.ts';
import { isKubeObject } from '../../../core/model/object.ts';
import { formatPath } from '../../../core/model/path.ts';
import { isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import { memberSchema, objectMetaSchema, type Schema } from '../../schema/index.ts';
import { isExempt, nativeFaults } from '../native/index.ts';
import { asDecoded, traitsOf, withDefaults, withoutNulls } from './decode.ts';
import { checkEmbedded } from './embedded.ts';
import { visit } from './values.ts';
import { add, at, type Check, isFull, MAX_VIOLATIONS, type Violation, type Walk } from './walk.ts';

/** Reports the fields that strict field validation rejects: those that the kind does not have. */
function checkUnknown(schema: Schema, value: Value, walk: Walk): void {
  if (walk.custom) prune(schema, value, walk);
  else visitTyped(schema, value, walk);
}

const unknown = (walk: Walk, key: string): void =>
  add(walk, 'unknown', phrase`is a field that the kind does not have`, key);

/** Visits Kubernetes' own types; types without a description may contain anything. */
function visitTyped(schema: Schema, value: Value, walk: Walk): void {
  if (isFull(walk)) return;
  const { properties, additionalProperties, items } = schema;
  if (Array.isArray(value)) {
    if (items !== undefined) for (const [index, item] of value.entries()) visitTypedAt(items, index, item, walk);
    return;
  }
  if (!isMap(value)) return;
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    additionalProperties === true ||
    (properties === undefined && additionalProperties === undefined);
  for (const key of Object.keys(value)) {
    const below = memberSchema(schema, key);
    if (below !== undefined) visitTypedAt(below, key, value[key] as Value, walk);
    else if (!isOpen) unknown(walk, key);
  }
}

function visitTypedAt(schema: Schema, step: string | number, value: Value, walk: Walk): void {
  walk.path.push(step);
  visitTyped(schema, value, walk);
  walk.path.pop();
}

const META_FIELDS = ['apiVersion', 'kind', 'metadata'];

/**
 * Visits structural schemas (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning): below a field without a
 * schema no field is known, and a schema that keeps unknown fields does so for itself and its lists.
 */
function prune(schema: Schema | undefined, value: Value, walk: Walk, keep = keepsUnknownFields(schema)): void {
  if (isFull(walk)) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      at(walk, index, () => prune(schema?.items, item, walk, keep || keepsUnknownFields(schema?.items)));
    }
  } else if (isMap(value)) pruneMap(schema, value, walk, keep);
}

const keepsUnknownFields = (schema: Schema | undefined): boolean =>
  schema?.['x-kubernetes-preserve-unknown-fields'] === true;

function pruneMap(schema: Schema | undefined, map: ValueMap, walk: Walk, keep: boolean): void {
  const isEmbedded = schema?.['x-kubernetes-embedded-resource'] === true;
  for (const key of Object.keys(map)) {
    if (isEmbedded && key === 'metadata') {
      visitTypedAt(objectMetaSchema, key, map[key] as Value, walk);
    }
    if (isEmbedded && META_FIELDS.includes(key)) continue;
    const below = schema && memberSchema(schema, key);
    if (below !== undefined || schema?.additionalProperties === true) {
      at(walk, key, () => prune(below, map[key] as Value, walk));
    } else if (!keep) unknown(walk, key);
  }
}

export { type Check, createPatternBudget, type PatternBudget, type Violation } from './walk.ts';

const TOO_MANY_PATTERNS = phrase`the patterns in the schemas of rendered objects are too large: with counted repetitions written out they take more than ${shown(MAX_PATTERNS)} characters`;

const TOO_MUCH_MATCHING = phrase`the patterns in the schemas of rendered objects take more than ${shown(MATCHING_STEPS)} steps to match`;

interface Conformity {
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
  const { characters, steps } = check.patterns;
  const exceeded = characters.left < 0 ? TOO_MANY_PATTERNS : steps.left < 0 ? TOO_MUCH_MATCHING : undefined;
  if (exceeded !== undefined) return { faults: [{ kind: 'budget', message: exceeded, path: [] }], object };
  return { faults: distinct(walk.faults).slice(0, MAX_VIOLATIONS), object };
}

/** Adds the errors of code rules, except for fields that the schema rejects. */
function withNative(object: Value, schemaFaults: readonly Violation[]): Violation[] {
  if (!isKubeObject(object)) return [...schemaFaults];
  const native = nativeFaults(object);
  const faults = schemaFaults.filter((fault) => !isExempt(fault, object));
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

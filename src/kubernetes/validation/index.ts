import { format, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { allowance, MATCHING_STEPS, MAX_PATTERNS } from '../../core/model/limits.ts';
import { isKubeObject, type KubeObject } from '../../core/model/object.ts';
import { equal, formatPath, get, isMap, listOf, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Budget, createBudget, isExhausted } from '../../languages/cel/index.ts';
import { objectMetaSchema, partsOf, type Schema, type ValidationRule } from '../schema/index.ts';
import { compileCheck } from './check.ts';
import { defaultFaults } from './crd-defaults.ts';
import { checkMetadata, isExempt, nativeFaults } from './native/index.ts';
import { asDecoded } from './scalars.ts';
import { createPatternBudget, isFull, type PatternBudget, reportExhausted, startVisit, type Visit } from './visit.ts';

export { compileCheck } from './check.ts';
export { CHECKED_FORMATS, hasFormat } from './formats/index.ts';
export { acceptedValues } from './native/accepted.ts';
export { isMore, quantityOf } from './native/resources.ts';
export { fitsFormat, isBooleanWord } from './scalars.ts';
export { createPatternBudget, startVisit, type Visit } from './visit.ts';

export interface Admission {
  /**
   * Admits a new instance as an API server would. After an error the object must not be used. `hints` enables
   * suggestions, and `values` counts the visited values, including defaults.
   */
  admit(
    instance: KubeObject,
    budget?: Budget,
    hints?: boolean,
  ): { object: KubeObject; problems: Problem[]; values: number };
}

/**
 * Compiles the schema of a CRD. Validation rules run last, if all else is valid. A JSON Schema library cannot do this:
 * it supports neither int64 nor RE2, and structural defaulting and pruning are specific to Kubernetes.
 */
export function compileAdmission(crdSchema: Schema, { rules }: { rules: RuleRunner }): Admission {
  // Status is dropped when an object is created, and metadata has its own rules.
  const { status: _, metadata: __, ...properties } = crdSchema.properties ?? {};
  const schema: Schema = { ...crdSchema, properties };
  const check = compileCheck(schema);
  const walk = compileRuleWalk(schema, rules);
  return {
    admit(instance, budget = createBudget(), hints = true) {
      const visit = startVisit([], undefined, () => budget);
      visit.hints = hints;
      const { status: _, metadata: given, ...rest } = instance;
      const content = check(rest, visit) as ValueMap;
      visit.path.push('metadata');
      const metadata = checkMetadata(given, visit, compileCheck(objectMetaSchema, 'typed'));
      visit.path.pop();
      if (visit.problems.length === 0) walk?.(content, visit);
      const { apiVersion, kind } = instance;
      return {
        object: { apiVersion, kind, metadata, ...content },
        problems: visit.problems,
        values: visit.values.of - visit.values.left,
      };
    },
  };
}

const TOO_MANY_PATTERNS = phrase`the patterns in the schemas of rendered objects are too large: with counted repetitions written out they take more than ${{ limit: shown(MAX_PATTERNS) }} characters`;

const TOO_MUCH_MATCHING = phrase`the patterns in the schemas of rendered objects take more than ${{ limit: shown(MATCHING_STEPS) }} steps to match`;

const MAX_FAULTS = 100;

/**
 * Returns what an API server rejects in a new object, or drops, quoting only names of fields, and the object for
 * validation rules. `custom` means that a CRD or an extension server defines the kind. Objects of a package share
 * `patterns`.
 */
export function conformityOf(
  schema: Schema,
  value: Value,
  custom: boolean,
  patterns = createPatternBudget(),
): { faults: Problem[]; object: Value } {
  const start = startVisit([], allowance(Number.POSITIVE_INFINITY));
  const visit: Visit = { ...start, of: 'rendered', most: MAX_FAULTS, hints: false, patterns };
  const check = custom ? compileCheck(asResource(schema), 'custom') : compileCheck(schema, 'typed');
  const object = check(asDecoded(value), visit);
  const { characters, steps } = patterns;
  const exceeded = characters.left < 0 ? TOO_MANY_PATTERNS : steps.left < 0 ? TOO_MUCH_MATCHING : undefined;
  if (exceeded !== undefined) return { faults: [{ code: 'schema-too-large', message: exceeded, path: [] }], object };
  const faults = custom ? visit.problems : withNative(object, visit.problems, patterns);
  return { faults: distinct(faults).slice(0, MAX_FAULTS), object };
}

/** Adds the errors of code rules, except for fields that the schema rejects. */
function withNative(object: Value, ofSchema: readonly Problem[], patterns: PatternBudget): Problem[] {
  if (!isKubeObject(object)) return [...ofSchema];
  const ofDefaults = object.kind === 'CustomResourceDefinition' ? defaultFaults(object, patterns) : [];
  const native = [...nativeFaults(object), ...ofDefaults];
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

export interface RuleRunner {
  applies(rule: ValidationRule): boolean;
  /** Evaluates one rule for a value; returns `undefined` if it holds. `old` is its earlier version, if there is one. */
  run(rule: ValidationRule, self: Value, path: Path, budget: Budget, old: Value | undefined): Problem | undefined;
}

/** Runs the rules for a value and what is in it. `old` is the earlier version of an updated value. */
export type RuleWalk = (value: Value, visit: Visit, old?: Value) => void;

/** Compiles a walk to the rules that a runner applies, each type once; returns `undefined` if there are none. */
export function compileRuleWalk(
  schema: Schema,
  runner: RuleRunner,
  known = new Map<Schema, RuleWalk | undefined>(),
): RuleWalk | undefined {
  if (known.has(schema)) return known.get(schema);
  const rules = (schema['x-kubernetes-validations'] ?? []).filter((rule) => runner.applies(rule));
  const below = partsOf(schema).flatMap(({ schema: part, ...place }) => {
    const walk = compileRuleWalk(part, runner, known);
    return walk === undefined ? [] : [{ ...place, walk }];
  });
  const walk: RuleWalk = (value, visit, old) => {
    // The rules of the parent cover a nullable null.
    if (value === null) return;
    for (const rule of rules) {
      if (isFull(visit)) return;
      const budget = visit.budget();
      if (isExhausted(budget)) {
        reportExhausted(visit);
        return;
      }
      const problem = runner.run(rule, value, [...visit.path], budget, old);
      if (problem !== undefined) visit.problems.push(problem);
    }
    for (const { walk, key, of } of below) {
      if (of === 'items') {
        const earlier = earlierItems(schema, old);
        for (const [index, item] of listOf(value).entries()) walkAt(walk, index, item, visit, earlier(item));
      } else if (!isMap(value)) return;
      else if (of === 'values') {
        for (const [name, one] of Object.entries(value)) walkAt(walk, name, one, visit, get(old, name));
      } else if (Object.hasOwn(value, key)) walkAt(walk, key, value[key] as Value, visit, get(old, key));
    }
  };
  const found = rules.length + below.length > 0 ? walk : undefined;
  known.set(schema, found);
  return found;
}

function walkAt(walk: RuleWalk, step: string | number, value: Value, visit: Visit, old: Value | undefined): void {
  visit.path.push(step);
  walk(value, visit, old);
  visit.path.pop();
}

/**
 * Returns a function that finds the earlier version of an item of a keyed list; items of other lists have none
 * (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel: correlatable).
 */
export function earlierItems(schema: Schema, list: Value | undefined): (item: Value) => Value | undefined {
  const { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  if (type !== 'map' || !Array.isArray(list)) return () => undefined;
  const items = list.filter((one): one is ValueMap => isMap(one));
  return (item) => items.find((one) => keys.every((key) => equal(get(one, key), get(item, key))));
}

import type { Problem } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Budget, createBudget, isExhausted } from '../../languages/cel/index.ts';
import { objectMetaSchema, type Schema, type ValidationRule } from '../schema/index.ts';
import { compileCheck } from './check.ts';
import { checkMetadata } from './metadata.ts';
import { isFull, reportExhausted, startVisit, type Visit } from './visit.ts';

/** The compiled validation rules of a schema. */
export interface RuleRunner {
  /** Reports whether a rule applies when an object is created. */
  applies(rule: ValidationRule): boolean;
  /** Evaluates one rule for a value; returns `undefined` if it holds. */
  run(rule: ValidationRule, schema: Schema, self: Value, path: Path, budget: Budget): Problem | undefined;
}

type RuleWalk = (value: Value, visit: Visit, budget: Budget) => void;

/**
 * Compiles a walk to the rules of a schema that apply when an object is created; returns `undefined` if it has none.
 */
export function compileRuleWalk(
  schema: Schema,
  runner: RuleRunner,
  known: KnownWalks = new Map(),
): RuleWalk | undefined {
  if (known.has(schema)) return known.get(schema);
  const walk = compile(schema, runner, known);
  known.set(schema, walk);
  return walk;
}

/** A type that is used in many places is compiled once. */
type KnownWalks = Map<Schema, RuleWalk | undefined>;

function compile(schema: Schema, runner: RuleRunner, known: KnownWalks): RuleWalk | undefined {
  const walks = [ownRules, propertyRules, valueRules, itemRules].map((walkOf) => walkOf(schema, runner, known));
  const found = walks.filter((walk) => walk !== undefined);
  if (found.length <= 1) return found[0];
  return (value, visit, budget) => {
    for (const walk of found) walk(value, visit, budget);
  };
}

function ownRules(schema: Schema, runner: RuleRunner): RuleWalk | undefined {
  const rules = (schema['x-kubernetes-validations'] ?? []).filter((rule) => runner.applies(rule));
  if (rules.length === 0) return undefined;
  return (value, visit, budget) => {
    // The rules of the parent cover a nullable null.
    if (value === null) return;
    for (const rule of rules) {
      if (isFull(visit)) return;
      if (isExhausted(budget)) {
        reportExhausted(visit);
        return;
      }
      const problem = runner.run(rule, schema, value, [...visit.path], budget);
      if (problem !== undefined) visit.problems.push(problem);
    }
  };
}

function propertyRules(schema: Schema, runner: RuleRunner, known: KnownWalks): RuleWalk | undefined {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const walk = compileRuleWalk(property, runner, known);
    return walk === undefined ? [] : [[name, walk] as const];
  });
  if (below.length === 0) return undefined;
  return (value, visit, budget) => {
    if (!isMap(value)) return;
    for (const [name, walk] of below) {
      if (Object.hasOwn(value, name)) walkAt(walk, name, value[name] as Value, visit, budget);
    }
  };
}

function valueRules({ additionalProperties }: Schema, runner: RuleRunner, known: KnownWalks): RuleWalk | undefined {
  const below =
    typeof additionalProperties === 'object' ? compileRuleWalk(additionalProperties, runner, known) : undefined;
  if (below === undefined) return undefined;
  return (value, visit, budget) => {
    if (!isMap(value)) return;
    for (const [key, one] of Object.entries(value)) walkAt(below, key, one, visit, budget);
  };
}

function itemRules({ items }: Schema, runner: RuleRunner, known: KnownWalks): RuleWalk | undefined {
  const below = items && compileRuleWalk(items, runner, known);
  if (below === undefined) return undefined;
  return (value, visit, budget) => {
    if (Array.isArray(value))
      value.forEach((one, index) => {
        walkAt(below, index, one, visit, budget);
      });
  };
}

function walkAt(walk: RuleWalk, step: string | number, value: Value, visit: Visit, budget: Budget): void {
  visit.path.push(step);
  walk(value, visit, budget);
  visit.path.pop();
}

export { compileCheck } from './check.ts';
export { asResource, type ConformityCheck, conformityOf } from './conformity.ts';
export { CHECKED_FORMATS, hasFormat } from './formats/index.ts';
export { isBooleanWord } from './type.ts';
export { createPatternBudget, startVisit } from './visit.ts';

export interface Admission {
  /**
   * Admits a new instance as an API server would: with defaults, without status and without nulls. After an error it
   * must not be used. Validation rules use `budget`. `hints` enables suggestions for unknown fields. `values` counts
   * the visited values, including defaults.
   */
  admit(
    instance: KubeObject,
    budget?: Budget,
    hints?: boolean,
  ): { object: KubeObject; problems: Problem[]; values: number };
}

/**
 * Compiles the schema of a generated CRD. The order is that of the API server: nulls, defaults, unknown fields, the
 * schema, and, if all of it is valid, the validation rules. A JSON Schema library cannot do this: it supports neither
 * int64 nor RE2, and structural defaulting and pruning are specific to Kubernetes.
 */
export function compileAdmission(crdSchema: Schema, { rules }: { rules: RuleRunner }): Admission {
  // Status is dropped when an object is created, and metadata has its own rules.
  const { status: _, metadata: __, ...properties } = crdSchema.properties ?? {};
  const schema: Schema = { ...crdSchema, properties };
  const check = compileCheck(schema);
  const walk = compileRuleWalk(schema, rules);
  return {
    admit(instance, budget = createBudget(), hints = true) {
      const visit = startVisit([], undefined, budget);
      visit.hints = hints;
      const { status: _, metadata: given, ...rest } = instance;
      const content = check(rest, visit) as ValueMap;
      visit.path.push('metadata');
      const metadata = checkMetadata(given, visit, compileCheck(objectMetaSchema, 'typed'));
      visit.path.pop();
      if (visit.problems.length === 0) walk?.(content, visit, budget);
      const { apiVersion, kind } = instance;
      return {
        object: { apiVersion, kind, metadata, ...content },
        problems: visit.problems,
        values: visit.values.of - visit.values.left,
      };
    },
  };
}

import type { Problem } from '../../core/diagnostics/index.ts';
import { isMap, type Path, type Value } from '../../core/model/value.ts';
import { type Budget, isExhausted } from '../../languages/cel/index.ts';
import type { Schema, ValidationRule } from '../schema/index.ts';
import { isFull, reportExhausted, type Visit } from './visit.ts';

/** The compiled validation rules of a schema. */
export interface RuleRunner {
  /** Reports whether a rule applies when an object is created. */
  applies(rule: ValidationRule): boolean;
  /** Evaluates one rule for a value; returns `undefined` if it holds. */
  run(rule: ValidationRule, schema: Schema, self: Value, path: Path, budget: Budget): Problem | undefined;
}

export type RuleWalk = (value: Value, visit: Visit, budget: Budget) => void;

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

import type { Problem } from '../diagnostics/diagnostic.ts';
import { isMap, type Path, type Value } from '../model/value.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import type { Visit } from './visit.ts';

/** The validation rules of a schema, ready to run. */
export interface RuleRunner {
  /** Whether a rule counts when an object is created. */
  applies(rule: ValidationRule): boolean;
  /** Evaluates one rule for a value; `undefined` when it holds. */
  run(rule: ValidationRule, schema: Schema, self: Value, path: Path): Problem | undefined;
}

export type RuleWalk = (value: Value, visit: Visit) => void;

/** A walk to the rules of a schema that apply when an object is created; `undefined` when it has none. */
export function compileRuleWalk(schema: Schema, runner: RuleRunner): RuleWalk | undefined {
  const walks = [ownRules, propertyRules, valueRules, itemRules].map((walkOf) => walkOf(schema, runner));
  const found = walks.filter((walk) => walk !== undefined);
  if (found.length <= 1) return found[0];
  return (value, visit) => {
    for (const walk of found) walk(value, visit);
  };
}

function ownRules(schema: Schema, runner: RuleRunner): RuleWalk | undefined {
  const rules = (schema['x-kubernetes-validations'] ?? []).filter((rule) => runner.applies(rule));
  if (rules.length === 0) return undefined;
  return (value, visit) => {
    for (const rule of rules) {
      const problem = runner.run(rule, schema, value, [...visit.path]);
      if (problem !== undefined) visit.problems.push(problem);
    }
  };
}

function propertyRules(schema: Schema, runner: RuleRunner): RuleWalk | undefined {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const walk = compileRuleWalk(property, runner);
    return walk === undefined ? [] : [[name, walk] as const];
  });
  if (below.length === 0) return undefined;
  return (value, visit) => {
    if (!isMap(value)) return;
    for (const [name, walk] of below) {
      if (Object.hasOwn(value, name)) walkAt(walk, name, value[name] as Value, visit);
    }
  };
}

function valueRules({ additionalProperties }: Schema, runner: RuleRunner): RuleWalk | undefined {
  const below = typeof additionalProperties === 'object' ? compileRuleWalk(additionalProperties, runner) : undefined;
  if (below === undefined) return undefined;
  return (value, visit) => {
    if (!isMap(value)) return;
    for (const [key, one] of Object.entries(value)) walkAt(below, key, one, visit);
  };
}

function itemRules({ items }: Schema, runner: RuleRunner): RuleWalk | undefined {
  const below = items && compileRuleWalk(items, runner);
  if (below === undefined) return undefined;
  return (value, visit) => {
    if (Array.isArray(value))
      value.forEach((one, index) => {
        walkAt(below, index, one, visit);
      });
  };
}

function walkAt(walk: RuleWalk, step: string | number, value: Value, visit: Visit): void {
  visit.path.push(step);
  walk(value, visit);
  visit.path.pop();
}

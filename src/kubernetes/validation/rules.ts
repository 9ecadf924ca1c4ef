import type { Problem } from '../../core/diagnostics/index.ts';
import { equal, get, isMap, listOf, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Budget, isExhausted } from '../../languages/cel/index.ts';
import { partsOf, type Schema, type ValidationRule } from '../schema/index.ts';
import { isFull, reportExhausted, type Visit } from './visit.ts';

/** The compiled validation rules of a schema: those for a new object, or those for an update. */
export interface RuleRunner {
  applies(rule: ValidationRule): boolean;
  /** Evaluates one rule for a value; returns `undefined` if it holds. `old` is its earlier version, if there is one. */
  run(rule: ValidationRule, self: Value, path: Path, budget: Budget, old: Value | undefined): Problem | undefined;
}

/** Runs the rules for a value and what is in it. `old` is the earlier version of an updated value. */
export type RuleWalk = (value: Value, visit: Visit, old?: Value) => void;

/**
 * Compiles a walk to the rules of a schema that a runner applies; returns `undefined` if there are none. A type that is
 * used in many places is compiled once.
 */
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

import type { Problem } from '../../core/diagnostics/index.ts';
import { equal, get, isMap, type Path, type Value, type ValueMap } from '../../core/model/value.ts';
import { type Budget, isExhausted } from '../../languages/cel/index.ts';
import { memberSchema, type Schema, type ValidationRule } from '../schema/index.ts';

/** The compiled transition rules of a schema. */
export interface TransitionRunner {
  isEmpty: boolean;
  applies(rule: ValidationRule): boolean;
  /** `oldSelf` is undefined for a new value, to which only rules with `optionalOldSelf` apply. */
  run(rule: ValidationRule, self: Value, oldSelf: Value | undefined, path: Path, budget: Budget): Problem | undefined;
}

/**
 * Returns what the transition rules of a CRD reject in an update. A value has an earlier one if every list above it is
 * keyed (k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel: correlatable).
 */
export function transitionProblems(
  schema: Schema,
  before: Value,
  after: Value,
  runner: TransitionRunner,
  budget: Budget,
): Problem[] {
  const problems: Problem[] = [];
  const walk = (at: Schema, self: Value | undefined, oldSelf: Value | undefined, path: Path): void => {
    if (self === undefined || self === null || isExhausted(budget)) return;
    const hasOld = oldSelf !== undefined && oldSelf !== null;
    for (const rule of at['x-kubernetes-validations'] ?? []) {
      if (!runner.applies(rule) || (!hasOld && rule.optionalOldSelf !== true)) continue;
      const problem = runner.run(rule, self, hasOld ? oldSelf : undefined, path, budget);
      if (problem !== undefined) problems.push(problem);
    }
    if (isMap(self)) {
      for (const [key, value] of Object.entries(self)) {
        const below = memberSchema(at, key);
        if (below !== undefined) walk(below, value, get(oldSelf, key), [...path, key]);
      }
    } else if (Array.isArray(self) && at.items !== undefined) {
      const old = earlierItems(at, oldSelf);
      for (const [index, item] of self.entries()) walk(at.items, item, old(item), [...path, index]);
    }
  };
  walk(schema, after, before, []);
  return problems;
}

/** Returns a function that finds the earlier version of an item of a keyed list; items of other lists have none. */
export function earlierItems(schema: Schema, list: Value | undefined): (item: Value) => Value | undefined {
  const { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  if (type !== 'map' || !Array.isArray(list)) return () => undefined;
  const items = list.filter((one): one is ValueMap => isMap(one));
  return (item) => items.find((one) => keys.every((key) => equal(get(one, key), get(item, key))));
}

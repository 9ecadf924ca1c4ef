/** What an API server rejects in an update, beyond what it rejects in a new object. */

import type { Problem } from '../../core/diagnostics/index.ts';
import { groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import {
  equal,
  get,
  getAt,
  isMap,
  mapItems,
  type Path,
  setKey,
  type Value,
  type ValueMap,
} from '../../core/model/value.ts';
import { type Budget, isExhausted } from '../../languages/cel/index.ts';
import { builtinKinds, memberSchema, type Schema, type ValidationRule } from '../schema/index.ts';
import { conformityOf, createPatternBudget } from '../validation/index.ts';
import { LINES } from './table.ts';

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
function earlierItems(schema: Schema, list: Value | undefined): (item: Value) => Value | undefined {
  const { 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  if (type !== 'map' || !Array.isArray(list)) return () => undefined;
  const items = list.filter((one): one is ValueMap => isMap(one));
  return (item) => items.find((one) => keys.every((key) => equal(get(one, key), get(item, key))));
}

export { isSmaller as isSmallerQuantity } from './pod.ts';
export { LINES as immutableFields } from './table.ts';

/** Returns the fields of an object of Kubernetes' own kinds that cannot change to their value in `after`. */
export function refusedUpdates(before: KubeObject, after: KubeObject): string[] {
  const { group, version, kind } = groupVersionKind(after);
  const schema = builtinKinds.find({ group, version, kind })?.schema;
  if (schema === undefined) return [];
  const name = `${kind}.${group}`;
  const lines = LINES.filter(({ kinds }) => kinds.includes(name));
  const refused = (): string[] => {
    const [old, current] = [withoutEmpty(before) as KubeObject, withoutEmpty(after) as KubeObject];
    return lines.flatMap(({ rule }) => rule(old, current));
  };
  return [...new Set([...(lines.length === 0 ? [] : refused()), ...lostByEmptying(schema, before, after)])];
}

/** Booleans that are not pointers in Go, so that false equals absent. */
const FALSE_IS_NONE = ['readOnly', 'hostNetwork', 'hostPID', 'hostIPC', 'stdin', 'stdinOnce', 'tty'];

/** Maps in Go, which equal an absent field if they are empty; an empty struct does not. */
const MAPS = ['limits', 'requests', 'matchLabels', 'nodeSelector', 'labels', 'annotations'];

const isNone = (key: string, value: Value): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && MAPS.includes(key) && Object.keys(value).length === 0) ||
  (value === false && FALSE_IS_NONE.includes(key));

/** For an API server a null, an empty list and an empty map equal an absent field. */
const withoutEmpty = (value: Value): Value =>
  mapItems(value, (one, key) => (typeof key === 'string' && isNone(key, one) ? undefined : withoutEmpty(one)));

/**
 * Returns the fields that are missing after a server-side apply, although `after` writes them as `{}`: a map that loses
 * all of its fields becomes null (sigs.k8s.io/structured-merge-diff, typed/remove.go: doMap). A handler or a source
 * without its type is rejected then.
 */
function lostByEmptying(schema: Schema, before: Value, after: ValueMap): string[] {
  const applied = withoutEmptied(schema, before, after);
  if (applied === after) return [];
  // A struct that is required is empty in Go, and not missing.
  const isGone = (path: Path): boolean => getAt(after, path) !== undefined && getAt(applied, path) === undefined;
  const faultsOf = (object: Value): readonly Problem[] =>
    conformityOf(schema, object, { custom: false, patterns: createPatternBudget() }).faults;
  const known = faultsOf(after).map(({ path }) => `${path.join('.')}.`);
  return faultsOf(applied)
    .filter(({ path }) => !isGone(path))
    .map(({ path }) => path.join('.'))
    .filter((path) => !known.some((one) => one.startsWith(`${path}.`)));
}

/** Returns the value without the maps that are empty now and were not before; the value itself if there are none. */
function withoutEmptied(schema: Schema, before: Value | undefined, after: Value): Value {
  if (equal(before, after)) return after;
  if (Array.isArray(after)) {
    const { items } = schema;
    if (items === undefined || !Array.isArray(before)) return after;
    const earlier = earlierItems(schema, before);
    const applied = after.map((item) => withoutEmptied(items, earlier(item), item));
    return applied.some((item, index) => item !== after[index]) ? applied : after;
  }
  if (!isMap(after) || !isMap(before) || schema['x-kubernetes-map-type'] === 'atomic') return after;
  const applied: ValueMap = {};
  let isChanged = false;
  for (const [key, value] of Object.entries(after)) {
    const [old, below] = [get(before, key), memberSchema(schema, key) ?? {}];
    const isEmptied = isMap(value) && isMap(old) && Object.keys(value).length === 0 && Object.keys(old).length > 0;
    const member = isEmptied ? undefined : withoutEmptied(below, old, value);
    if (member !== undefined) setKey(applied, key, member);
    isChanged ||= member !== value;
  }
  return isChanged ? applied : after;
}

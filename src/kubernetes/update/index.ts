/** What an API server rejects in an update, beyond what it rejects in a new object. */

import type { Problem } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type KubeObject } from '../../core/model/object.ts';
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
import { withDefaults } from '../defaults/index.ts';
import { builtinKinds, memberSchema, type Schema } from '../schema/index.ts';
import { conformityOf, earlierItems } from '../validation/index.ts';
import { LINES } from './table.ts';

export { isSmallerQuantity } from './table.ts';

/** Returns the fields of an object of Kubernetes' own kinds that cannot change to their value in `after`. */
export function refusedUpdates(before: KubeObject, after: KubeObject): string[] {
  const gvk = groupVersionKind(after);
  const schema = builtinKinds.find(gvk)?.schema;
  if (schema === undefined) return [];
  const lines = LINES.filter(({ kinds }) => kinds.includes(groupKind(gvk)));
  const compared = (object: KubeObject): KubeObject =>
    lines.length === 0 ? object : (withoutEmpty(withDefaults(object)) as KubeObject);
  const [old, current] = [compared(before), compared(after)];
  const refused = lines.flatMap(({ rule }) => rule(old, current));
  return [...new Set([...refused, ...lostByEmptying(schema, before, after)])];
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
  const faultsOf = (object: Value): readonly Problem[] => conformityOf(schema, object, false).faults;
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

import { phrase } from '../../../core/diagnostics/index.ts';
import { isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import type { Schema } from '../../schema/index.ts';
import { canonical } from '../lists.ts';
import { add, type Walk } from './walk.ts';

/**
 * Checks that sets have no duplicate items, and keyed lists no duplicate keys (k8s.io/apiextensions-apiserver,
 * listtype.ValidateListSetsAndMaps).
 */
export function checkDuplicates(schema: Schema, list: readonly Value[], walk: Walk): void {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const identity = canonical(type === 'set' ? item : keyOf(item, keys));
    if (seen.has(identity)) {
      const why = type === 'set' ? 'the list is a set' : `items must differ in ${keys.join(', ')}`;
      add(walk, 'duplicate', phrase`is a duplicate: ${why}`, index);
    }
    seen.add(identity);
  }
}

/** Distinguishes a missing key from a null one. */
const keyOf = (item: Value, keys: readonly string[]): ValueMap =>
  Object.fromEntries(
    keys.flatMap((key) => (isMap(item) && Object.hasOwn(item, key) ? [[key, item[key] as Value]] : [])),
  );

import { get, getAt, isMap, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { isOwnLabel } from '../../kubernetes/label/index.ts';
import { isOrchestratorKey, isReservedKey } from '../compile/index.ts';
import type { InstanceRun } from './run.ts';
import { secrecyOf } from './secrecy.ts';
import type { World } from './world.ts';

export type MetadataMap = 'labels' | 'annotations';

/**
 * Returns the labels or annotations of an object, with those of its instance that `propagateLabels` and
 * `propagateAnnotations` name. Values of the template win, including null.
 */
export function withInherited(
  own: Value | undefined,
  where: MetadataMap,
  run: InstanceRun,
  world: World,
): Value | undefined {
  const all = inheritedKeys(where, run, world);
  const inherited = all.length === 0 ? all : all.filter((key) => !isMap(own) || !Object.hasOwn(own, key));
  if (inherited.length === 0) return own;
  const result: ValueMap = isMap(own) ? { ...own } : {};
  for (const key of inherited) setKey(result, key, getAt(run.instance, ['metadata', where, key]) as Value);
  return result;
}

/** Returns the keys that every object of an instance inherits, unless its template sets them. */
export function inheritedKeys(where: MetadataMap, run: InstanceRun, world: World): readonly string[] {
  const { propagateLabels, propagateAnnotations } = world.options;
  const wanted = where === 'labels' ? propagateLabels : propagateAnnotations;
  if (wanted.length === 0) return wanted;
  const given = get(get(run.instance, 'metadata'), where);
  return wanted
    .flatMap((keys) => keys.split(','))
    .filter((key) => isMap(given) && typeof get(given, key) === 'string')
    .filter((key) => !isOwnLabel(key) && !isReservedKey(key) && !isOrchestratorKey(key))
    .filter((key) => !isHidden(['metadata', where, key], run, world));
}

/** Reports whether a value of an instance may come from a Secret: other objects would not hide it. */
function isHidden(path: readonly string[], { input, parent }: InstanceRun, world: World): boolean {
  if (input.secret !== undefined) return true;
  return parent !== undefined && isSecret(secrecyOf(parent.run, parent.node, world), path);
}

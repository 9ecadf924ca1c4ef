import { HIDDEN } from '../core/diagnostics/index.ts';
import { getOrCompute } from '../core/model/lazily.ts';
import type { KubeObject } from '../core/model/object.ts';
import { addField, type NeededFields, noFields } from '../core/model/read.ts';
import { API_VERSION, PROVIDER, SET } from '../core/model/resource-set.ts';
import { formatPath, getAt, type Path } from '../core/model/value.ts';
import type { LiveRead, PendingValue, Surveyed } from '../kubernetes/front-end/index.ts';
import type { ExpandedSet } from './expand.ts';

/** The id of the pending node of a ResourceSet without its inputs. */
export const INPUTS = 'inputsFrom';

/** Returns what ResourceSets read of a cluster: the providers whose inputs only it has, and live providers. */
export const surveySets = (sets: readonly ExpandedSet[]): Surveyed => ({
  pending: () => sets.flatMap(awaitedBy),
  reads: () => {
    const labels = labelsByLive(sets);
    const of = (live: KubeObject): LiveRead | undefined => {
      const keys = labels.get(live);
      return keys && { needed: fieldsOf(live, keys) };
    };
    return { of, missing: [] };
  },
});

/** Returns the live providers that are read, with the labels that select them. */
function labelsByLive(sets: readonly ExpandedSet[]): ReadonlyMap<KubeObject, ReadonlySet<string>> {
  const labels = new Map<KubeObject, Set<string>>();
  for (const { live } of sets) {
    for (const { input, labels: keys } of live) {
      const known = getOrCompute(labels, input.object, () => new Set<string>());
      for (const key of keys) known.add(key);
    }
  }
  return labels;
}

function awaitedBy({ input, place, missing, passedThrough }: ExpandedSet): PendingValue[] {
  if (passedThrough) return [];
  const isHidden = input.secret !== undefined;
  const namespace = isHidden ? '' : place.namespace;
  const object = { apiVersion: API_VERSION, kind: PROVIDER, namespace };
  return missing.map(({ name, selector, path }) => ({
    instance: { kind: SET, namespace, name: isHidden ? HIDDEN : place.name },
    node: INPUTS,
    field: formatPath(path),
    expression: '',
    optional: false,
    object: isHidden
      ? { ...object, secret: true }
      : { ...object, ...(name !== undefined && { name }), ...(selector !== undefined && { selector }) },
    path: 'status.exportedInputs',
  }));
}

/** Returns its inputs, or their sources if it is Static, and the labels that select it; nothing without inputs. */
function fieldsOf(live: KubeObject, labels: ReadonlySet<string>): NeededFields[] {
  const exported: Path = ['status', 'exportedInputs'];
  const sources: Path[] = ['type', 'defaultValues'].map((field) => ['spec', field]);
  const isStatic = getAt(live, ['spec', 'type']) === 'Static';
  const inputs = Array.isArray(getAt(live, exported)) ? [exported] : isStatic ? sources : [];
  if (inputs.length === 0) return [];
  const needed = noFields();
  for (const path of inputs) addField(needed, path, true);
  for (const label of labels) addField(needed, ['metadata', 'labels', label], true);
  return [needed];
}

import type { InputObject, KubeObject } from '../core/model/object.ts';
import { formatPath } from '../core/model/path.ts';
import { API_VERSION, PROVIDER, SET } from '../core/model/resource-set.ts';
import { get, getAt, isMap, setKey, type ValueMap } from '../core/model/value.ts';
import type { PendingValue, Surveyed } from '../kubernetes/front-end/index.ts';
import type { ExpandedSet } from './expand.ts';

/** The id of the pending node of a ResourceSet without its inputs. */
export const INPUTS = 'inputsFrom';

/** Returns what ResourceSets read of a cluster: the providers whose inputs only it has, and live providers. */
export function surveySets(sets: readonly ExpandedSet[]): Surveyed {
  const labels = new Map<InputObject, Set<string>>();
  for (const { live } of sets) {
    for (const { input, labels: keys } of live) {
      const known = labels.get(input) ?? new Set();
      labels.set(input, known);
      for (const key of keys) known.add(key);
    }
  }
  const parts = [...labels].flatMap(([{ object }, keys]): [KubeObject, KubeObject][] => {
    const part = partOf(object, keys);
    return part === undefined ? [] : [[object, part]];
  });
  return { awaited: sets.flatMap(awaitedBy), live: new Map(parts) };
}

function awaitedBy({ place, missing, passedThrough }: ExpandedSet): PendingValue[] {
  if (passedThrough) return [];
  return missing.map(({ name, selector, path }) => ({
    instance: { kind: SET, namespace: place.namespace, name: place.name },
    node: INPUTS,
    field: formatPath(path),
    expression: '',
    optional: false,
    object: {
      apiVersion: API_VERSION,
      kind: PROVIDER,
      namespace: place.namespace,
      ...(name !== undefined && { name }),
      ...(selector !== undefined && { selector }),
    },
    path: 'status.exportedInputs',
  }));
}

/** Returns its inputs, their sources if it is Static, and the labels that select it; `undefined` without inputs. */
function partOf(live: KubeObject, keys: ReadonlySet<string>): KubeObject | undefined {
  const { apiVersion, kind } = live;
  const metadata = get(live, 'metadata');
  const own = isMap(metadata) ? metadata : {};
  const labels = labelsOf(get(own, 'labels'), keys);
  const part = {
    apiVersion,
    kind,
    metadata: {
      ...(own.name !== undefined && { name: own.name }),
      ...(own.namespace !== undefined && { namespace: own.namespace }),
      ...(Object.keys(labels).length > 0 && { labels }),
    },
  };
  const exportedInputs = getAt(live, ['status', 'exportedInputs']);
  if (Array.isArray(exportedInputs)) return { ...part, status: { exportedInputs } };
  if (getAt(live, ['spec', 'type']) !== 'Static') return undefined;
  const defaultValues = getAt(live, ['spec', 'defaultValues']);
  return { ...part, spec: { type: 'Static', ...(defaultValues !== undefined && { defaultValues }) } };
}

function labelsOf(labels: ValueMap[string] | undefined, keys: ReadonlySet<string>): ValueMap {
  const needed: ValueMap = {};
  for (const [key, value] of Object.entries(isMap(labels) ? labels : {})) if (keys.has(key)) setKey(needed, key, value);
  return needed;
}

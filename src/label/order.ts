import { groupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../model/object.ts';
import type { Order } from '../model/render.ts';
import { get, isMap, type ValueMap } from '../model/value.ts';

const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
const DEPENDS_ON = 'config.kubernetes.io/depends-on';

/** An object and the rendered objects that it must come after. */
export interface Ordered {
  object: KubeObject;
  dependencies: readonly KubeObject[];
}

/**
 * Writes the order of the graph into annotations: for Argo CD the depth as sync-wave, for kpt the direct
 * dependencies as depends-on. An annotation that the author set stays. Yields the objects in the given order.
 */
export function annotateOrder(objects: readonly Ordered[], order: Order): KubeObject[] {
  if (order === 'argocd') {
    const waves = wavesOf(objects);
    return objects.map(({ object }) => annotated(object, SYNC_WAVE, String(waves.get(identityOf(object)) ?? 0)));
  }
  if (order === 'kpt') {
    return objects.map(({ object, dependencies }) =>
      dependencies.length === 0 ? object : annotated(object, DEPENDS_ON, dependencies.map(reference).join(',')),
    );
  }
  return objects.map(({ object }) => object);
}

/** The longest chain of dependencies below each object, by identity. */
function wavesOf(objects: readonly Ordered[]): Map<string, number> {
  const dependencies = new Map(objects.map((one) => [identityOf(one.object), one.dependencies.map(identityOf)]));
  const waves = new Map<string, number>();
  const waveOf = (key: string): number => {
    const known = waves.get(key);
    if (known !== undefined) return known;
    waves.set(key, 0);
    const wave = (dependencies.get(key) ?? []).reduce((deepest, one) => Math.max(deepest, waveOf(one) + 1), 0);
    waves.set(key, wave);
    return wave;
  };
  for (const key of dependencies.keys()) waveOf(key);
  return waves;
}

function annotated(object: KubeObject, key: string, value: string): KubeObject {
  const metadata = object.metadata as ValueMap;
  const annotations = get(metadata, 'annotations');
  const own = isMap(annotations) ? annotations : {};
  return Object.hasOwn(own, key)
    ? object
    : { ...object, metadata: { ...metadata, annotations: { ...own, [key]: value } } };
}

/** `GROUP/namespaces/NAMESPACE/KIND/NAME`, or `GROUP/KIND/NAME` for cluster-scoped objects. */
function reference(object: KubeObject): string {
  const { group, kind } = groupVersionKind(object);
  const namespace = namespaceOf(object);
  return namespace === ''
    ? `${group}/${kind}/${nameOf(object)}`
    : `${group}/namespaces/${namespace}/${kind}/${nameOf(object)}`;
}

import type { KubeObject } from './object.ts';
import { get, isMap } from './value.ts';

const INVISIBLE_PREFIXES = [
  'internal.config.kubernetes.io/',
  'config.kubernetes.io/',
  'config.k8s.io/',
  'kustomize.config.k8s.io/',
  'render-rgd.dev/',
];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const isInvisible = (key: string): boolean =>
  key === LAST_APPLIED || INVISIBLE_PREFIXES.some((prefix) => key.startsWith(prefix));

/**
 * The object as expressions see it: without the annotations by which orchestrators do their bookkeeping. The object
 * itself when it has none.
 */
export function withoutBookkeeping(object: KubeObject): KubeObject {
  const metadata = get(object, 'metadata');
  const annotations = get(metadata, 'annotations');
  if (!isMap(metadata) || !isMap(annotations) || !Object.keys(annotations).some(isInvisible)) return object;
  const kept = Object.entries(annotations).filter(([key]) => !isInvisible(key));
  const { annotations: _, ...rest } = metadata;
  return { ...object, metadata: kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) } };
}

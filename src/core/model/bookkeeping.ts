import { OWN_PREFIX, RUNNER_PREFIX } from './keys.ts';
import type { KubeObject } from './object.ts';
import { equal, get, isMap, mapItems, type Value, type ValueMap } from './value.ts';

/** Annotations by which kpt and kustomize identify an item: its file, its index, its id. */
const ITEM_KEYS =
  /^(internal\.config\.(kubernetes|k8s)\.io\/.*|config\.kubernetes\.io\/(path|index)|(kustomize\.)?config\.k8s\.io\/.*)$/;
/** Annotations that they write for themselves: `kpt pkg`, its merge, and `buildMetadata` of kustomize. */
const NOTE_KEYS =
  /^(internal\.kpt\.dev\/.*|config\.kubernetes\.io\/(merge-source|origin)|alpha\.config\.kubernetes\.io\/transformations)$/;
const INVISIBLE_PREFIXES = [RUNNER_PREFIX, OWN_PREFIX];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Reports whether an annotation identifies an item for a runner. It stays with the item. */
export const isItemKey = (key: string): boolean => ITEM_KEYS.test(key);

const isInvisible = (key: string): boolean =>
  key === LAST_APPLIED ||
  isItemKey(key) ||
  NOTE_KEYS.test(key) ||
  INVISIBLE_PREFIXES.some((prefix) => key.startsWith(prefix));

/** Returns the object as expressions see it, without annotations of orchestrators: itself if it has none. */
export const withoutBookkeeping = (object: KubeObject): KubeObject =>
  withAnnotations(object, (key, value) => (isInvisible(key) ? undefined : value));

/** Returns the object without what kpt and kustomize write into any object; the object itself if there is none. */
export function withoutRunnerNotes(object: KubeObject): KubeObject {
  const isAttributed = String(get(object, 'apiVersion')).includes('.cnrm.');
  return withAnnotations(object, (key, value) => {
    if (isItemKey(key) || NOTE_KEYS.test(key)) return undefined;
    return isAttributed && key === ATTRIBUTION ? withoutAttribution(value) : value;
  });
}

/** kpt writes its command groups here, in objects of Config Connector, beside values of others. */
const ATTRIBUTION = 'cnrm.cloud.google.com/blueprint';

function withoutAttribution(value: Value): Value | undefined {
  if (typeof value !== 'string') return value;
  const others = value.split(',').filter((part) => !/^kpt(-(pkg|fn|live))+$/.test(part));
  return others.length === 0 ? undefined : others.join(',');
}

/** Returns the object with the remaining annotations; itself if nothing changes. */
function withAnnotations(object: KubeObject, left: (key: string, value: Value) => Value | undefined): KubeObject {
  const metadata = get(object, 'metadata');
  const annotations = get(metadata, 'annotations');
  if (!isMap(metadata) || !isMap(annotations)) return object;
  const remaining = mapItems(annotations, (value, key) => left(String(key), value)) as ValueMap;
  if (equal(remaining, annotations)) return object;
  const { annotations: _, ...rest } = metadata;
  return { ...object, metadata: Object.keys(remaining).length === 0 ? rest : { ...rest, annotations: remaining } };
}

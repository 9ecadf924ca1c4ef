import { hex } from '../digest/hex.ts';
import { sha256 } from '../digest/sha256.ts';
import { annotationOf, identityOf, type KubeObject } from '../model/object.ts';
import { get, isMap, type ValueMap } from '../model/value.ts';
import { annotated } from '../print/local-config.ts';

/** Names the function that rendered an object, and the identity it gave it. */
export const RENDERED = 'render-rgd.dev/rendered';

/** Where runners keep what they know of an item: its file, its place there, its id. */
const RUNNER_KEYS =
  /^(internal\.config\.kubernetes\.io\/.*|config\.kubernetes\.io\/(path|index)|(kustomize\.)?config\.k8s\.io\/id)$/;

/** An object as this function leaves it: stamped, and in the file of the earlier object of the same identity. */
export function stamped(object: KubeObject, name: string, earlier: KubeObject | undefined): KubeObject {
  return annotated(object, { ...runnerAnnotations(earlier), [RENDERED]: stampOf(object, name) });
}

/** What an item is by its annotation: output of this function, of another, altered since, or none of these. */
export function originOf(object: KubeObject, name: string): 'ours' | 'foreign' | 'altered' | 'plain' {
  const stamp = annotationOf(object, RENDERED);
  if (stamp === undefined) return 'plain';
  if (stamp === stampOf(object, name)) return 'ours';
  return isRendered(object) ? 'foreign' : 'altered';
}

/** Whether some function rendered the object, and nobody copied or renamed it since. */
export const isRendered = (object: KubeObject): boolean =>
  annotationOf(object, RENDERED)?.endsWith(`/${identityHash(object)}`) ?? false;

const stampOf = (object: KubeObject, name: string): string => `${name}/${identityHash(object)}`;

/** The first 10 hex digits of the SHA-256 of `group/kind/namespace/name`. */
const identityHash = (object: KubeObject): string =>
  hex(sha256(new TextEncoder().encode(identityOf(object)))).slice(0, 10);

function runnerAnnotations(object: KubeObject | undefined): Record<string, string> {
  const annotations = get(get(object, 'metadata') as ValueMap | undefined, 'annotations');
  if (!isMap(annotations)) return {};
  const own = Object.entries(annotations).filter(([key, value]) => RUNNER_KEYS.test(key) && typeof value === 'string');
  return Object.fromEntries(own) as Record<string, string>;
}

import { type TextDigest, textDigest } from '../../core/digest/text-digest.ts';
import { isItemKey } from '../../core/model/bookkeeping.ts';
import { DIGEST, RENDERED } from '../../core/model/keys.ts';
import { annotationOf, identityOf, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';
import { annotated } from '../../kubernetes/select/index.ts';
import { digestNote } from './digest.ts';

/** The name of the function, and that of the package. */
export interface Renderer {
  name: string;
  packageName: string;
  /** The digest of texts; ours is slower than that of a platform. */
  digest?: TextDigest;
}

/** The name of a function without one. */
const UNNAMED = 'default';
/** The name of a functionConfig that kpt writes itself: for `kpt fn eval`, and for options in the Kptfile. */
const FUNCTION_INPUT = 'function-input';

/** Returns the name of a function, given the name of its functionConfig. */
export const functionName = (name: string): string => (name === '' || name === FUNCTION_INPUT ? UNNAMED : name);

/** Returns an object with the annotation of this function, in the file of the earlier object of the same identity. */
export function stamped(object: KubeObject, renderer: Renderer, earlier: KubeObject | undefined): KubeObject {
  const { name, packageName, digest = textDigest } = renderer;
  const notes = { [RENDERED]: stampOf(object, name, digest), [DIGEST]: digestNote(object, packageName, digest) };
  return annotated(object, { ...itemAnnotations(earlier), ...notes });
}

/** Classifies an item by its annotation: output of this function, of another, altered since, or none of these. */
export function originOf(object: KubeObject, name: string): 'ours' | 'foreign' | 'altered' | 'plain' {
  const stamp = annotationOf(object, RENDERED);
  if (stamp === undefined) return 'plain';
  if (stamp === stampOf(object, name)) return 'ours';
  if (name === UNNAMED && stamp === stampOf(object, FUNCTION_INPUT)) return 'ours';
  return isRendered(object) ? 'foreign' : 'altered';
}

/** Reports whether some function rendered the object, without a later copy or rename. */
export const isRendered = (object: KubeObject): boolean =>
  annotationOf(object, RENDERED)?.endsWith(`/${identityHash(object)}`) ?? false;

const stampOf = (object: KubeObject, name: string, digest = textDigest): string =>
  `${name}/${identityHash(object, digest)}`;

/** The first 10 hex digits of the SHA-256 of `group/kind/namespace/name`. */
const identityHash = (object: KubeObject, digest = textDigest): string => digest(identityOf(object), 10);

function itemAnnotations(object: KubeObject | undefined): Record<string, string> {
  const annotations = get(get(object, 'metadata') as ValueMap | undefined, 'annotations');
  if (!isMap(annotations)) return {};
  const own = Object.entries(annotations).filter(([key, value]) => isItemKey(key) && typeof value === 'string');
  return Object.fromEntries(own) as Record<string, string>;
}

import { annotationOf, type KubeObject } from '../model/object.ts';
import { get, isMap, type ValueMap } from '../model/value.ts';

/** Items with this annotation stay in a package and never reach a cluster (kpt and kustomize alike). */
export const LOCAL_CONFIG = 'config.kubernetes.io/local-config';
/** Tells a mark that was written here from one that a person wrote: only the first is ever taken away again. */
export const MARKED = 'render-rgd.dev/marked';

export const isLocalConfig = (object: KubeObject): boolean => annotationOf(object, LOCAL_CONFIG) === 'true';

/** What is written to keep an object in its package. */
export const MARK = { [LOCAL_CONFIG]: 'true', [MARKED]: 'local-config' } as const;

/** Whether the local-config mark of an object was written here. */
export const isMarked = (object: KubeObject): boolean => annotationOf(object, MARKED) !== undefined;

/** The object without a mark that was written here; itself when there is none. */
export function unmarked(object: KubeObject): KubeObject {
  if (!isMarked(object)) return object;
  const metadata = object.metadata as ValueMap;
  const { [LOCAL_CONFIG]: _mark, [MARKED]: _marked, ...annotations } = metadata.annotations as ValueMap;
  const { annotations: _annotations, ...others } = metadata;
  const empty = Object.keys(annotations).length === 0;
  return { ...object, metadata: empty ? others : { ...metadata, annotations } };
}

/** The object with more annotations. */
export function annotated(object: KubeObject, more: Readonly<Record<string, string>>): KubeObject {
  const own = get(object, 'metadata');
  const metadata = isMap(own) ? own : {};
  const annotations = get(metadata, 'annotations');
  return { ...object, metadata: { ...metadata, annotations: { ...(isMap(annotations) ? annotations : {}), ...more } } };
}

import { LOCAL_CONFIG, MARKED } from '../../core/model/keys.ts';
import { annotationOf, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';

export const isLocalConfig = (object: KubeObject): boolean => annotationOf(object, LOCAL_CONFIG) === 'true';

/** The annotations that keep an object in its package. */
export const MARK = { [LOCAL_CONFIG]: 'true', [MARKED]: 'local-config' } as const;
/** The same for an object of `kpt pkg get`, for which the mark is a local change. */
export const UPSTREAM_MARK = { ...MARK, [MARKED]: 'upstream' } as const;

/** Reports whether this renderer wrote the local-config mark of an object. */
export const isMarked = (object: KubeObject): boolean => annotationOf(object, MARKED) !== undefined;

/** Reports whether `kpt pkg get` fetched that object. */
export const isMarkedUpstream = (object: KubeObject): boolean => annotationOf(object, MARKED) === UPSTREAM_MARK[MARKED];

/** Returns the object without a mark of this renderer; itself if there is none. */
export function unmarked(object: KubeObject): KubeObject {
  if (!isMarked(object)) return object;
  const metadata = object.metadata as ValueMap;
  const { [LOCAL_CONFIG]: _mark, [MARKED]: _marked, ...annotations } = metadata.annotations as ValueMap;
  const { annotations: _annotations, ...others } = metadata;
  const empty = Object.keys(annotations).length === 0;
  return { ...object, metadata: empty ? others : { ...metadata, annotations } };
}

/** Returns the object with more annotations. */
export function annotated(object: KubeObject, more: Readonly<Record<string, string>>): KubeObject {
  const own = get(object, 'metadata');
  const metadata = isMap(own) ? own : {};
  const annotations = get(metadata, 'annotations');
  return { ...object, metadata: { ...metadata, annotations: { ...(isMap(annotations) ? annotations : {}), ...more } } };
}

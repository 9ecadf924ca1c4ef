import { LOCAL_CONFIG, MARKED } from '../../core/model/keys.ts';
import { annotationOf, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, type ValueMap } from '../../core/model/value.ts';

export const isLocalConfig = (object: KubeObject): boolean => annotationOf(object, LOCAL_CONFIG) === 'true';

/** What is written to keep an object in its package. */
export const MARK = { [LOCAL_CONFIG]: 'true', [MARKED]: 'local-config' } as const;
/** The same for an object that `kpt pkg get` fetched, for which the mark is a local change. */
export const UPSTREAM_MARK = { ...MARK, [MARKED]: 'upstream' } as const;

/** Whether the local-config mark of an object was written here. */
export const isMarked = (object: KubeObject): boolean => annotationOf(object, MARKED) !== undefined;

/** Whether that object was fetched by `kpt pkg get`. */
export const isMarkedUpstream = (object: KubeObject): boolean => annotationOf(object, MARKED) === UPSTREAM_MARK[MARKED];

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

import { MODE, OBSERVED } from './keys.ts';
import { get, isMap, mapOf, type Path, textAt, textOf, type Value, type ValueMap } from './value.ts';

/** A Kubernetes object: a map with string `apiVersion` and `kind`. */
export interface KubeObject extends ValueMap {
  apiVersion: string;
  kind: string;
}

/** The origin of an object. Positions are only computed for diagnostics. */
export interface Source {
  /** The displayed name: a path as the user gave it, or `-` for standard input. */
  file: string;
  text: string;
  /** The index of the YAML document in the stream. */
  document: number;
  /** The path of the object in that document: [] for the document itself, ['items', 3] inside a list. */
  path: Path;
  /** The index of the ResourceList item that contains it. */
  item?: number;
}

/** Returns the identity of an object in its text; '' for one that was created in memory. */
export const placeOfSource = (source: Source | undefined): string =>
  source === undefined ? '' : JSON.stringify([source.file, source.document, source.path]);

/** A value with its origin, before it is known whether it is an object, a list of them, or neither. */
export interface Document {
  object: Value;
  /** Absent for objects created in memory. */
  source?: Source | undefined;
}

export interface InputObject extends Document {
  object: KubeObject;
  /**
   * Set for a rendered object that may contain values of Secrets, for one whose name may be one, and for one of which
   * even the kind may be one.
   */
  secret?: 'values' | 'name' | 'everything' | undefined;
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

export const groupKind = (of: { group: string; kind: string }): string => `${of.kind}.${of.group}`;

/** Splits `apiVersion`: `v1` is the core group '', `apps/v1` is group `apps`. Missing parts are ''. */
export function groupVersionKind(object: { apiVersion?: Value; kind?: Value }): GroupVersionKind {
  const apiVersion = textOf(object.apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return { group: groupIn(apiVersion), version, kind: textOf(object.kind) };
}

/** Joins a group and a version; the core group is omitted. */
export const apiVersionOf = ({ group, version }: Pick<GroupVersionKind, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

export const groupKindOf = (object: { apiVersion?: Value; kind?: Value }): string =>
  groupKind(groupVersionKind(object));

const groupIn = (apiVersion: string): string => apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0));

export function isKubeObject(value: Value | undefined): value is KubeObject {
  return isMap(value) && typeof get(value, 'apiVersion') === 'string' && typeof get(value, 'kind') === 'string';
}

export const nameOf = (object: ValueMap): string => textAt(get(object, 'metadata'), 'name');
export const namespaceOf = (object: ValueMap): string => textAt(get(object, 'metadata'), 'namespace');
/** Returns the prefix of the names that the API server generates; '' for an object with a name. */
export const generateNameOf = (object: ValueMap): string =>
  nameOf(object) === '' ? textAt(get(object, 'metadata'), 'generateName') : '';

export const withNamespace = (object: KubeObject, namespace: string): KubeObject => ({
  ...object,
  metadata: { ...mapOf(object.metadata), namespace },
});

/** Returns an object without its namespace, as an API server stores a cluster-scoped one. */
export function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace: _, ...metadata } = mapOf(object.metadata);
  return { ...object, metadata };
}

export function annotated(object: KubeObject, more: Readonly<Record<string, string>>): KubeObject {
  const metadata = mapOf(object.metadata);
  return { ...object, metadata: { ...metadata, annotations: { ...mapOf(metadata.annotations), ...more } } };
}

export function annotationOf(object: ValueMap, key: string): string | undefined {
  const value = get(get(get(object, 'metadata'), 'annotations'), key);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the identity of an object in a cluster; the version is not part of it. Missing parts are ''. */
export function identityOf(object: ValueMap): string {
  const group = groupIn(textOf(object.apiVersion));
  return `${group}/${textOf(object.kind)}/${namespaceOf(object)}/${nameOf(object)}`;
}

/** Returns the title of an object with its namespace: `Kind namespace/name`. */
export const fullTitleOf = ({ kind, namespace, name }: { kind: string; namespace: string; name: string }): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;

/** Returns the title of an object in diagnostics: `Kind/name`. */
export const titleOf = (object: KubeObject): string => `${object.kind}/${nameOf(object)}`;

export const textsByFile = (from: readonly { source?: Source | undefined }[]): Map<string, string> =>
  new Map(from.flatMap(({ source }) => (source ? [[source.file, source.text]] : [])));

/** Reports whether an object is left to a controller, and passes through unchanged. */
export const isPassthrough = (object: KubeObject): boolean => annotationOf(object, MODE) === 'passthrough';

export const isObserved = (object: KubeObject): boolean => annotationOf(object, OBSERVED) === 'true';

import { get, isMap, type Path, type Value, type ValueMap } from './value.ts';

/** A Kubernetes object: a map with string `apiVersion` and `kind`. */
export interface KubeObject extends ValueMap {
  apiVersion: string;
  kind: string;
}

/** Where an object was read. Positions are worked out from it only when a diagnostic needs one. */
export interface Source {
  /** The name shown to people: a path as the user gave it, or `-` for standard input. */
  file: string;
  /** The whole text of the stream. */
  text: string;
  /** Which YAML document of the stream, from 0. */
  document: number;
  /** Where in that document the object sits: [] for the document itself, ['items', 3] inside a list. */
  path: Path;
  /** The item of a ResourceList that it is, or is in. */
  item?: number;
}

/** What was read together with its origin, before anybody knows whether it is an object, a list of them, or neither. */
export interface Document {
  object: Value;
  /** What was made in memory has none. */
  source?: Source;
}

/** An object together with its origin. */
export interface InputObject extends Document {
  object: KubeObject;
  /** It was rendered, and may hold values of Secrets anywhere, also in its name when that is said. */
  secret?: 'values' | 'name';
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** `Kind.group`. */
export const groupKind = (of: { group: string; kind: string }): string => `${of.kind}.${of.group}`;

/** What names a kind. Of what a ResourceSet rendered any of it may be missing, or be no text. */
interface Typed {
  apiVersion?: Value;
  kind?: Value;
}

const textOf = (value: Value | undefined): string => (typeof value === 'string' ? value : '');

/** Splits `apiVersion`: `v1` is the core group '', `apps/v1` is group `apps`. What is missing is ''. */
export function groupVersionKind(object: Typed): GroupVersionKind {
  const apiVersion = textOf(object.apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return { group: groupIn(apiVersion), version, kind: textOf(object.kind) };
}

/** The group of an `apiVersion`; the core group is ''. */
const groupIn = (apiVersion: string): string => apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0));

export function isKubeObject(value: Value | undefined): value is KubeObject {
  return isMap(value) && typeof get(value, 'apiVersion') === 'string' && typeof get(value, 'kind') === 'string';
}

/** A string field of `metadata`, '' when it is not there. */
function metadataString(object: ValueMap, key: string): string {
  return textOf(get(get(object, 'metadata'), key));
}

export const nameOf = (object: ValueMap): string => metadataString(object, 'name');
export const namespaceOf = (object: ValueMap): string => metadataString(object, 'namespace');

export function annotationOf(object: ValueMap, key: string): string | undefined {
  const value = get(get(get(object, 'metadata'), 'annotations'), key);
  return typeof value === 'string' ? value : undefined;
}

/** What makes an object itself in a cluster; the version is not part of it. What is missing is ''. */
export function identityOf(object: ValueMap): string {
  const group = groupIn(textOf(object.apiVersion));
  return `${group}/${textOf(object.kind)}/${namespaceOf(object)}/${nameOf(object)}`;
}

/** How diagnostics call an object: `Kind/name`. */
export const titleOf = (object: KubeObject): string => `${object.kind}/${nameOf(object)}`;

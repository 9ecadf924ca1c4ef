import { groupVersionKind, type KubeObject } from '../../src/core/model/object.ts';
import { get, getAt, isMap, setKey, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import type { ClusterCase } from './cases.ts';
import { jsonText } from './documents.ts';

/** A case that can share a cluster with others. */
export interface ApartCase extends ClusterCase {
  /** The prefix of the names of its RGDs and groups. */
  label: string;
  /** The namespace for instances, and for all other objects, without one. */
  namespace: string;
}

/**
 * Gives the kinds and the RGDs of a case unique names: kro keeps a CRD when its RGD is deleted, and two RGDs of one
 * kind conflict. Both sides get the result, so that expressions that read the group do not differ.
 */
export function apart(one: ClusterCase, index: number): ApartCase {
  const label = `c${index}`;
  const kinds = new Set<string>();
  for (const rgd of one.objects.filter(isRgd)) {
    const schema = getAt(rgd, ['spec', 'schema']);
    kinds.add(`${get(schema, 'group') ?? 'kro.run'} ${get(schema, 'kind')}`);
  }
  const namespaces = ownNamespaces([...one.objects, ...one.observed], label);
  const renamed = (object: KubeObject): KubeObject => {
    const copy = inOwnNamespaces(inOwnGroup(object, kinds, label), namespaces) as KubeObject;
    return isRgd(copy) ? ownRgd(copy, label) : copy;
  };
  return {
    ...one,
    label,
    // Objects that name the default namespace and objects without a namespace share it.
    namespace: namespaces.get('default') ?? label,
    objects: one.objects.map(renamed),
    observed: one.observed.map(renamed),
  };
}

/** Reports whether a text may become part of a longer name. */
const isName = (text: string): boolean => /^[a-z0-9-]{1,50}$/.test(text);

/**
 * Returns the namespaces that a case names, each with a unique name unless another text of the case may refer to it.
 */
function ownNamespaces(objects: readonly KubeObject[], label: string): Map<string, string> {
  const named = new Set<string>();
  const others: string[] = [];
  const visit = (value: Value, key: string): void => {
    if (typeof value === 'string' && key === 'namespace' && isName(value)) named.add(value);
    else if (typeof value === 'string') others.push(value);
    else if (Array.isArray(value)) for (const item of value) visit(item, '');
    else if (isMap(value) && key !== 'schema')
      for (const [below, member] of Object.entries(value)) visit(member, below);
    else if (isMap(value)) others.push(jsonText(value));
  };
  for (const object of objects) visit(object, '');
  const text = others.join('\n');
  const isMeant = (name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);
  const own = (name: string): string => (name === 'default' ? label : `${label}-${name}`);
  return new Map([...named].map((name) => [name, isMeant(name) ? name : own(name)]));
}

/** Returns the value with other namespaces. */
function inOwnNamespaces(value: Value, namespaces: ReadonlyMap<string, string>): Value {
  if (Array.isArray(value)) return value.map((item) => inOwnNamespaces(item, namespaces));
  if (!isMap(value)) return value;
  const copy: ValueMap = {};
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    const own = key === 'namespace' && typeof member === 'string' ? namespaces.get(member) : undefined;
    // The schema of an RGD names types.
    setKey(copy, key, own ?? (key === 'schema' ? member : inOwnNamespaces(member, namespaces)));
  }
  return copy;
}

function ownRgd(rgd: KubeObject, label: string): KubeObject {
  const spec = rgd.spec;
  if (!isMap(spec) || !isMap(spec.schema) || !isMap(rgd.metadata)) return rgd;
  const group = spec.schema.group ?? 'kro.run';
  const schema = typeof group === 'string' ? { ...spec.schema, group: `${label}.${group}` } : spec.schema;
  const metadata = { ...rgd.metadata, name: `${label}-${rgd.metadata.name}` };
  return { ...rgd, metadata, spec: { ...spec, schema } };
}

/** Returns the value with another group in each object of one of the kinds. */
function inOwnGroup(value: Value, kinds: ReadonlySet<string>, label: string): Value {
  if (Array.isArray(value)) return value.map((item) => inOwnGroup(item, kinds, label));
  if (!isMap(value)) return value;
  const copy: ValueMap = {};
  for (const key of Object.keys(value)) setKey(copy, key, inOwnGroup(value[key] ?? null, kinds, label));
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return copy;
  const { group } = groupVersionKind({ apiVersion, kind });
  if (kinds.has(`${group} ${kind}`)) copy.apiVersion = `${label}.${apiVersion}`;
  return copy;
}

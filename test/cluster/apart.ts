import { groupVersionKind, type KubeObject } from '../../src/model/object.ts';
import { get, getAt, isMap, setKey, type Value, type ValueMap } from '../../src/model/value.ts';
import { isRgd } from '../../src/rgd/definition/definition.ts';
import type { ClusterCase } from './cases.ts';

/** A case that can stand in one cluster with others. */
export interface ApartCase extends ClusterCase {
  /** For instances without a namespace, and for everything else without one. */
  namespace: string;
}

/**
 * Gives the kinds and the RGDs of a case names that no other case has: kro keeps a CRD when its RGD goes, and two RGDs of
 * one kind are a conflict. Both sides get the result, so that it makes no difference what an expression says of a group.
 */
export function apart(one: ClusterCase, index: number): ApartCase {
  const label = `c${index}`;
  const kinds = new Set<string>();
  for (const rgd of one.objects.filter(isRgd)) {
    const schema = getAt(rgd, ['spec', 'schema']);
    kinds.add(`${get(schema, 'group') ?? 'kro.run'} ${get(schema, 'kind')}`);
  }
  const renamed = (object: KubeObject): KubeObject => {
    const copy = inOwnGroup(object, kinds, label) as KubeObject;
    return isRgd(copy) ? ownRgd(copy, label) : copy;
  };
  return {
    ...one,
    namespace: label,
    objects: one.objects.map(renamed),
    observed: one.observed.map(renamed),
  };
}

function ownRgd(rgd: KubeObject, label: string): KubeObject {
  const spec = rgd.spec;
  if (!isMap(spec) || !isMap(spec.schema) || !isMap(rgd.metadata)) return rgd;
  const group = spec.schema.group ?? 'kro.run';
  const schema = typeof group === 'string' ? { ...spec.schema, group: `${label}.${group}` } : spec.schema;
  const metadata = { ...rgd.metadata, name: `${label}-${rgd.metadata.name}` };
  return { ...rgd, metadata, spec: { ...spec, schema } };
}

/** The same value, with another group wherever an object of one of the kinds stands. */
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

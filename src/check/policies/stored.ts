import { groupVersionKind, type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, isMap, mapOf, setKey, type Value, type ValueMap } from '../../core/model/value.ts';
import { withDefaults } from '../../kubernetes/defaults/index.ts';
import { builtinKinds, type KindRegistry } from '../../kubernetes/schema/index.ts';
import { conformityOf } from '../../kubernetes/validation/index.ts';
import { type CelValue, UnknownPart } from '../../languages/cel/index.ts';
import { NAMESPACE_NAME, type Operation, type Request } from './match.ts';

/** Values that are unknown: what a cluster sets, and for an assistant the values of a Secret. */
export interface UnknownParts {
  /** Returns a new one for each field, so that a report can say which one was read. */
  set: () => UnknownPart;
  secret: UnknownPart | undefined;
}

/** The objects of an operation as a policy sees them; null where there is none. */
export interface Seen {
  object: CelValue;
  oldObject: CelValue;
}

export function seenBy(
  { object, oldObject }: Operation,
  { operation }: Request,
  kinds: KindRegistry,
  unknown: UnknownParts,
): Seen {
  const stored = (one: KubeObject | undefined, isNew: boolean): CelValue =>
    one === undefined ? null : (asStored(one, isNew, kinds, unknown) as CelValue);
  const old = stored(oldObject, false);
  const after = object && oldObject ? (carried(object, oldObject, old) as KubeObject) : object;
  return { object: stored(after, operation === 'CREATE'), oldObject: old };
}

/** Another version of a custom object only differs in its apiVersion. */
export function inVersion(object: CelValue, { group, version }: Request, wanted: string): CelValue {
  if (version === wanted || object === null) return object;
  return { ...(object as object), apiVersion: group === '' ? wanted : `${group}/${wanted}` };
}

/**
 * Returns an object as a policy sees it: with the defaults of its CRD, or of Kubernetes' own kinds those in the table,
 * and with unknown values for what a cluster sets. `isNew` is undefined for a parameter.
 */
export function asStored(
  object: KubeObject,
  isNew: boolean | undefined,
  registry: KindRegistry,
  { set, secret }: UnknownParts,
): Record<string, unknown> {
  const gvk = groupVersionKind(object);
  const { group, kind } = gvk;
  const info = registry.find(gvk);
  const isCustom = builtinKinds.find(gvk) === undefined;
  const schema = isCustom ? (info?.written?.() ?? info?.schema) : undefined;
  const { status: _, ...applied } = object;
  const complete = schema === undefined ? applied : (conformityOf(schema, applied, true).object as KubeObject);
  const defaulted = withDefaults(complete, set);
  const metadata = metadataAsStored(defaulted as KubeObject, isNew, set);
  const hasStatus = isNew !== true || (!isCustom && info?.schema.properties?.status !== undefined);
  const isSecret = secret !== undefined && kind === 'Secret' && group === '';
  if (isSecret) metadata.annotations = secret;
  const values = isSecret ? { data: secret, stringData: secret } : {};
  return { ...defaulted, ...values, metadata, ...(hasStatus ? { status: set() } : {}) };
}

/** Returns the metadata of an object with the fields and labels that the API server sets. */
function metadataAsStored(
  object: KubeObject,
  isNew: boolean | undefined,
  set: UnknownParts['set'],
): Record<string, unknown> {
  const { group, kind } = groupVersionKind(object);
  const { labels, annotations } = mapOf(object.metadata);
  const metadata: Record<string, unknown> = { ...mapOf(object.metadata) };
  if (kind === 'Namespace' && group === '') metadata.labels = { ...mapOf(labels), [NAMESPACE_NAME]: nameOf(object) };
  // Conversion keeps a field of an older version as an annotation.
  if (kind === 'DaemonSet' && group === 'apps')
    metadata.annotations = { ...mapOf(annotations), 'deprecated.daemonset.template.generation': set() };
  for (const field of ['uid', 'creationTimestamp', 'managedFields', 'generation'] as const) metadata[field] = set();
  if (isNew !== true) metadata.resourceVersion = set();
  else if (nameOf(object) === '') metadata.name = set();
  return metadata;
}

/** Keeps defaults of the older version, which nobody wrote, as server-side apply does. Items are matched by name. */
function carried(after: Value, written: Value | undefined, stored: unknown): Value {
  if (Array.isArray(after)) {
    const items = Array.isArray(stored) ? stored : [];
    return after.map((item) => {
      const name = get(item, 'name');
      const at = items.findIndex((one) => name !== undefined && get(one as Value, 'name') === name);
      return at < 0 ? item : carried(item, Array.isArray(written) ? written[at] : undefined, items[at]);
    });
  }
  if (!isMap(after) || !isMap(stored)) return after;
  const result: ValueMap = { ...after };
  for (const [key, value] of Object.entries(stored)) {
    const own = get(written, key);
    const known = get(result, key);
    if (known !== undefined) setKey(result, key, carried(known, own, value));
    else if (own === undefined && !((value as unknown) instanceof UnknownPart)) setKey(result, key, value);
  }
  return result;
}

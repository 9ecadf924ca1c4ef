import { groupVersionKind, type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, isMap, mapOf, type Value, type ValueMap } from '../../core/model/value.ts';
import { withDefaults } from '../../kubernetes/defaults/index.ts';
import { builtinKinds, type KindRegistry } from '../../kubernetes/schema/index.ts';
import { conformityOf } from '../../kubernetes/validation/index.ts';
import { Unknown } from './evaluate.ts';
import { NAMESPACE_NAME } from './match.ts';

/**
 * Returns an object as a policy sees it: with the defaults of its CRD, or of Kubernetes' own kinds those in the table,
 * and with unknown values for what a cluster sets. `isNew` is undefined for a parameter.
 */
export function asStored(
  object: KubeObject,
  isNew: boolean | undefined,
  registry: KindRegistry,
  set: Unknown,
): Record<string, unknown> {
  const gvk = groupVersionKind(object);
  const { group, kind } = gvk;
  const info = registry.find(gvk);
  const isCustom = builtinKinds.find(gvk) === undefined;
  const schema = isCustom ? (info?.written?.() ?? info?.schema) : undefined;
  const { status: _, ...applied } = object;
  const complete = schema === undefined ? applied : (conformityOf(schema, applied, true).object as KubeObject);
  const defaulted = withDefaults(complete, set);
  const metadata: Record<string, unknown> = { ...mapOf(defaulted.metadata) };
  if (kind === 'Namespace' && group === '')
    metadata.labels = { ...(metadata.labels as ValueMap | undefined), [NAMESPACE_NAME]: nameOf(object) };
  // Conversion keeps a field of an older version as an annotation.
  if (kind === 'DaemonSet' && group === 'apps')
    metadata.annotations = {
      ...(metadata.annotations as ValueMap | undefined),
      'deprecated.daemonset.template.generation': set,
    };
  for (const field of ['uid', 'creationTimestamp', 'managedFields', 'generation']) metadata[field] = set;
  if (isNew !== true) metadata.resourceVersion = set;
  else if (nameOf(object) === '') metadata.name = set;
  const hasStatus = isNew !== true || (!isCustom && info?.schema.properties?.status !== undefined);
  return { ...defaulted, metadata, ...(hasStatus ? { status: set } : {}) };
}

/**
 * Returns an object as it is after an update: defaults of the older version, which nobody wrote, stay (server-side apply
 * removes only what it applied before). Items of lists are matched by name.
 */
export function carried(after: Value, written: Value | undefined, stored: unknown): Value {
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
    if (result[key] !== undefined) result[key] = carried(result[key], own, value);
    else if (own === undefined && !((value as unknown) instanceof Unknown)) result[key] = value;
  }
  return result;
}

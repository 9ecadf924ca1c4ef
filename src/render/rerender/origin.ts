import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { DEFAULT_NAMESPACE, GROUP, SET } from '../../core/model/resource-set.ts';
import { get, getAt, isMap } from '../../core/model/value.ts';
import { instanceId, labelValue, ownerOf } from '../../kubernetes/label/index.ts';

/** Returns a label of a rendered object with its origin; 'kind' stands for `kro.run/instance-kind`. */
export function originLabel(object: KubeObject, key: string): string {
  const name = key.includes('/') ? key : `kro.run/instance-${key}`;
  const value = getAt(object, ['metadata', 'labels', name]);
  return typeof value === 'string' ? value : (ownerLabel(object, key) ?? '');
}

/** Returns the same for an object of a ResourceSet, which has other labels. */
function ownerLabel(object: KubeObject, key: string): string | undefined {
  const labels = getAt(object, ['metadata', 'labels']);
  const owner = isMap(labels) ? ownerOf(labels) : undefined;
  if (owner === undefined) return undefined;
  const origin = { ...RESOURCE_SET, ...owner };
  if (key === 'id') return instanceId(origin);
  return key === 'kind' || key === 'group' || key === 'name' || key === 'namespace' ? origin[key] : undefined;
}

/** A built-in kind, which needs no definition in the input. */
export const RESOURCE_SET = { group: GROUP, kind: SET };

/** Returns the kind, as `Kind.group`, of the instance of an object. */
export const originKind = (object: KubeObject): string =>
  `${originLabel(object, 'kind')}.${originLabel(object, 'group')}`;

/** Returns the same for an object that may be such an instance. */
export function kindAsOrigin(object: KubeObject): string {
  const { group, kind } = groupVersionKind(object);
  return `${asLabel(kind)}.${asLabel(group)}`;
}

/** Returns the same for the kind that an RGD defines. */
export const definedKindAsOrigin = ({ kind, group }: { kind: string; group: string }): string =>
  `${asLabel(kind)}.${asLabel(group)}`;

/**
 * Returns the possible ids of an instance in its objects. Without its RGD the scope of the kind is unknown, so there
 * are ids with the default namespace and without one.
 */
export function idsOfInstance(instance: KubeObject, defaultNamespace: string): string[] {
  const uid = get(get(instance, 'metadata'), 'uid');
  if (typeof uid === 'string' && uid !== '') return [asLabel(uid)];
  const { group, kind } = groupVersionKind(instance);
  const name = nameOf(instance);
  const isSet = kind === RESOURCE_SET.kind && group === RESOURCE_SET.group;
  if (isSet)
    return [
      instanceId({ group, kind, namespace: namespaceOf(instance) || defaultNamespace || DEFAULT_NAMESPACE, name }),
    ];
  const namespaces = [namespaceOf(instance) || defaultNamespace, ''];
  return namespaces.map((namespace) => instanceId({ group, kind, namespace, name }));
}

const asLabel = (value: string): string => labelValue(value, () => undefined);

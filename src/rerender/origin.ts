import { instanceId, labelValue } from '../label/index.ts';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../model/object.ts';
import { get, getAt } from '../model/value.ts';

/** A label of a rendered object that says where it comes from; 'kind' stands for `kro.run/instance-kind`. */
export function originLabel(object: KubeObject, key: string): string {
  const name = key.includes('/') ? key : `kro.run/instance-${key}`;
  const value = getAt(object, ['metadata', 'labels', name]);
  return typeof value === 'string' ? value : '';
}

/** The kind, as `Kind.group`, of the instance that an object was rendered from. */
export const originKind = (object: KubeObject): string =>
  `${originLabel(object, 'kind')}.${originLabel(object, 'group')}`;

/** The same for an object that may be such an instance. */
export function kindAsOrigin(object: KubeObject): string {
  const { group, kind } = groupVersionKind(object);
  return `${asLabel(kind)}.${asLabel(group)}`;
}

/** The same for the kind that an RGD defines. */
export const definedKindAsOrigin = ({ kind, group }: { kind: string; group: string }): string =>
  `${asLabel(kind)}.${asLabel(group)}`;

/**
 * The ids that objects of an instance may carry. Without its RGD nobody knows whether the kind is namespaced, so it is
 * named with the default namespace and without one.
 */
export function idsOfInstance(instance: KubeObject, defaultNamespace: string): string[] {
  const uid = get(get(instance, 'metadata'), 'uid');
  if (typeof uid === 'string' && uid !== '') return [asLabel(uid)];
  const { group, kind } = groupVersionKind(instance);
  const name = nameOf(instance);
  const namespaces = [namespaceOf(instance) || defaultNamespace, ''];
  return namespaces.map((namespace) => instanceId({ group, kind, namespace, name }));
}

const asLabel = (value: string): string => labelValue(value, () => undefined);

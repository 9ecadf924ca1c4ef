import { type KubeObject, nameOf, namespaceOf } from '../model/object.ts';
import type { Reviewed } from './reviewed.ts';

/** `Kind namespace/name`; a name that may be a value of a Secret is not told. */
export function titleOfReviewed({ object, nameless }: Pick<Reviewed, 'object' | 'nameless'>): string {
  return nameless ? `${object.kind} (hidden)` : `${object.kind} ${nameWithNamespace(object)}`;
}

function nameWithNamespace(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return namespace === '' ? nameOf(object) : `${namespace}/${nameOf(object)}`;
}

/**
 * Which node of which instance renders it: `Website web/blog, node server`, or which template of which ResourceSet:
 * `ResourceSet web/tenants, spec.resources[0]`; '' for what nothing renders.
 */
export function originOfReviewed({ place }: Pick<Reviewed, 'place'>): string {
  if (place === undefined) return '';
  const [kind = '', ...name] = place.instance.split('/');
  const where = place.namespace === '' ? '' : `${place.namespace}/`;
  const made = place.node.startsWith('spec.') ? place.node : `node ${place.node}`;
  return `${kind} ${where}${name.join('/')}, ${made}`;
}

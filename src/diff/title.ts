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

/** Which node of which instance renders it: `Website web/blog, node server`; '' for what nothing renders. */
export function originOfReviewed({ place }: Pick<Reviewed, 'place'>): string {
  if (place === undefined) return '';
  const [kind = '', ...name] = place.instance.split('/');
  const where = place.namespace === '' ? '' : `${place.namespace}/`;
  return `${kind} ${where}${name.join('/')}, node ${place.node}`;
}

import { type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Reviewed } from './reviewed.ts';

/** `Kind namespace/name`; a name that may be a value of a Secret is hidden. */
export function titleOfReviewed({ object, nameless }: Pick<Reviewed, 'object' | 'nameless'>): string {
  return nameless ? `${object.kind} (hidden)` : `${object.kind} ${nameWithNamespace(object)}`;
}

function nameWithNamespace(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return namespace === '' ? nameOf(object) : `${namespace}/${nameOf(object)}`;
}

/**
 * Returns the instance and the node of an object: `Website web/blog, node server`, or the ResourceSet and its template:
 * `ResourceSet web/tenants, spec.resources[0]`; '' for an object that is not rendered.
 */
export function originOfReviewed({ place }: Pick<Reviewed, 'place'>): string {
  if (place === undefined) return '';
  const made = isTemplate(place) ? place.node : `node ${place.node}`;
  return `${instanceTitle(place)}, ${made}`;
}

/** Returns the instance, or the template of a ResourceSet, that renders an object; '' for others. */
export function instanceOfReviewed({ place }: Pick<Reviewed, 'place'>): string {
  if (place === undefined) return '';
  return isTemplate(place) ? originOfReviewed({ place }) : instanceTitle(place);
}

type Place = NonNullable<Reviewed['place']>;

const isTemplate = ({ node }: Place): boolean => node.startsWith('spec.');

function instanceTitle({ instance, namespace }: Place): string {
  const [kind = '', ...name] = instance.split('/');
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name.join('/')}`;
}

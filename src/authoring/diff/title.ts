import { type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Reviewed } from './reviewed.ts';

/** `Kind namespace/name`; a name that may be a value of a Secret is not reported. */
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
  const made = isTemplate(place) ? place.node : `node ${place.node}`;
  return `${instanceTitle(place)}, ${made}`;
}

/** The instance, or the template of a ResourceSet, that renders it; '' for what nothing renders. */
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

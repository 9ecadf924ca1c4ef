import { composeText, fullTitle, mapText, type Text } from '../../core/diagnostics/index.ts';
import { fullTitleOf } from '../../core/model/object.ts';
import type { Reviewed } from '../review/index.ts';

/** `Kind namespace/name`; a name that may be a value of a Secret is hidden. */
export const titleOfReviewed = ({ object, nameless }: Pick<Reviewed, 'object' | 'nameless'>): Text =>
  fullTitle(object, nameless);

/**
 * Returns the instance and the node of an object: `Website web/blog, node server`, or the ResourceSet and its template:
 * `ResourceSet web/tenants, spec.resources[0]`; '' for an object that is not rendered.
 */
export function originOfReviewed({ place }: Pick<Reviewed, 'place'>): Text {
  if (place === undefined) return composeText``;
  const part = isTemplate(place) ? place.node : composeText`node ${place.node}`;
  return composeText`${instanceTitle(place)}, ${part}`;
}

/** Returns the instance, or the template of a ResourceSet, that renders an object; '' for others. */
export function instanceOfReviewed({ place }: Pick<Reviewed, 'place'>): Text {
  if (place === undefined) return composeText``;
  return isTemplate(place) ? originOfReviewed({ place }) : instanceTitle(place);
}

type Origin = NonNullable<Reviewed['place']>;

const isTemplate = ({ node }: Origin): boolean => node.startsWith('spec.');

function instanceTitle({ instance, namespace }: Origin): Text {
  const [kind = '', ...name] = instance.split('/');
  return mapText(instance, () => fullTitleOf({ kind, namespace, name: name.join('/') }));
}

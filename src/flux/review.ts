import { composeText, publicText, shownTitleOf } from '../core/diagnostics/index.ts';
import { identityOf, isKubeObject } from '../core/model/object.ts';
import { formatPath } from '../core/model/path.ts';
import type { Path } from '../core/model/value.ts';
import { fieldsOf } from '../core/redaction/index.ts';
import { type Review, reviewAlone } from '../kubernetes/front-end/index.ts';
import type { ExpandedSet } from './expand.ts';

/** The redaction of an object of a ResourceSet that contains values of Secrets. */
const MADE_OF_SECRETS = {
  secrecy: fieldsOf({ apiVersion: false, kind: false, metadata: true, spec: true }, true),
  nameless: true,
  named: [],
};

/**
 * Returns what a comparison needs of the objects of ResourceSets, by identity. An object is matched with the one that
 * the same template renders for the same inputs, which are identified by their index.
 */
export function reviewsOf(sets: readonly ExpandedSet[]): Map<string, () => Review> {
  const reviews = new Map<string, () => Review>();
  const counts = new Map<string, number>();
  for (const { rendered, place, input } of sets) {
    const templates = new Map<Path, string>();
    for (const { object, path, inputs } of rendered) {
      const ofPath = templates.get(path) ?? JSON.stringify([place.namespace, place.name, path]);
      templates.set(path, ofPath);
      const template = JSON.stringify([ofPath, inputs?.title ?? '']);
      const count = counts.get(template) ?? 0;
      counts.set(template, count + 1);
      if (!isKubeObject(object)) continue;
      reviews.set(identityOf(object), () => {
        const instance = shownTitleOf(input);
        const namespace = input.secret === 'name' ? composeText`` : publicText`${place.namespace}`;
        const found = { instance, namespace, node: publicText`${formatPath(path)}`, key: `${template}${count}` };
        const known = input.secret === undefined ? reviewAlone(object) : MADE_OF_SECRETS;
        return { ...known, place: found };
      });
    }
  }
  return reviews;
}

import { composeText, fullTitle, mapText, type Text } from '../../core/diagnostics/index.ts';
import { fullTitleOf } from '../../core/model/object.ts';
import { equal, get, isMap, type Value } from '../../core/model/value.ts';
import { memberSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type FieldPath, formatFieldPath, formatKey, pairItems } from './items.ts';

/** A changed field; without `before` it is added, without `after` it is removed. */
export type FieldChange = {
  /** The displayed path: `spec.containers[web].env[DB_URL].value`. */
  path: string;
  /** The items are the same in another order; both sides contain their keys. */
  order?: true;
  before?: Value;
  after?: Value;
};

/**
 * The change of an object. `replaced`: the node of the instance renders another identity, so that the old object is
 * deleted and a new one created.
 */
export interface ObjectChange {
  change: 'added' | 'removed' | 'changed' | 'replaced';
  before?: Reviewed;
  after?: Reviewed;
  shown: { before?: Value; after?: Value };
  fields: FieldChange[];
}

/** Returns the deepest changed fields, sorted by key; items of lists are matched by their merge keys. */
export function fieldChanges(
  before: Value | undefined,
  after: Value | undefined,
  schema: Schema | undefined,
  path: FieldPath = [],
): FieldChange[] {
  if (equal(before, after)) return [];
  if (isMap(before) && isMap(after)) {
    const keys = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))].sort();
    return keys.flatMap((key) =>
      fieldChanges(get(before, key), get(after, key), memberSchema(schema, key), [...path, key]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length + after.length > 0) {
    return listChanges(before, after, schema, path);
  }
  return [changeAt(path, before, after)];
}

function listChanges(
  before: readonly Value[],
  after: readonly Value[],
  schema: Schema | undefined,
  path: FieldPath,
): FieldChange[] {
  const { pairs, order } = pairItems(before, after, schema);
  const changes = pairs
    .flatMap((pair) => fieldChanges(pair.before, pair.after, schema?.items, [...path, pair.step]))
    .map((change, index) => ({ change, key: sortKey(change), index }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ change }) => change);
  if (order === undefined) return changes;
  const [was, is] = [order.before, order.after].map((keys) => keys.map((key) => formatKey(key)));
  return [changeAt(path, was, is, true), ...changes];
}

/** Returns a sort key that does not depend on the direction of the comparison; indexes are in numeric order. */
const sortKey = ({ path, before, after }: FieldChange): string =>
  `${path.replace(/\[(\d+)\]/g, (_, place: string) => `[${place.padStart(9, '0')}]`)}\u0000${toJsonText(before ?? after ?? null)}`;

const changeAt = (path: FieldPath, before?: Value, after?: Value, order = false): FieldChange => ({
  path: formatFieldPath(path),
  ...(order && { order }),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

/**
 * Something to review before the change is applied. `data-loss` is about the data that the objects hold or claim,
 * `denied` about an admission policy.
 */
export interface ChangeWarning {
  kind: 'data-loss' | 'recreate' | 'denied';
  message: Text;
}

export const DANGER_CODES = {
  'data-loss': 'danger-data-loss',
  recreate: 'danger-immutable-field',
  denied: 'danger-denied',
} as const;

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

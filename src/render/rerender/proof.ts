import { groupVersionKind, type KubeObject } from '../../core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { digestIn, digestOf } from './digest.ts';

/** Labels and annotations of every object of a package: an earlier function set them. */
export interface Common {
  labels: ValueMap;
  annotations: ValueMap;
}

/** Why an object may not be unchanged output; `undefined` if it certainly is. */
export type Doubt = 'no digest' | 'another package' | 'changed';

/**
 * Returns why an object may not be unchanged output of one of the packages. Labels and annotations that all objects
 * share may have been added to it.
 */
export function doubtAbout(
  object: KubeObject,
  here: ReadonlySet<string> | undefined,
  common: () => Common,
): Doubt | undefined {
  const noted = digestIn(object);
  if (noted === undefined) return 'no digest';
  if (here !== undefined && !here.has(noted.packageName)) return 'another package';
  if (noted.digest === digestOf(object)) return undefined;
  return noted.digest === digestOf(without(object, common())) ? undefined : 'changed';
}

/** Returns the labels and annotations that all objects share, without those that only runners read. */
export function commonTo(objects: readonly KubeObject[]): Common {
  const own = objects.filter((object) => !/^(fn\.)?kpt\.dev$/.test(groupVersionKind(object).group));
  return { labels: shared(own, 'labels'), annotations: shared(own, 'annotations') };
}

function shared(objects: readonly KubeObject[], field: string): ValueMap {
  const maps = objects.map((object) => get(get(object, 'metadata'), field));
  const [first, ...others] = maps;
  if (!isMap(first) || others.length === 0) return {};
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => others.every((map) => get(map, key) === value)),
  );
}

/** The maps that functions such as set-labels change, anywhere in an object. */
const LABEL_FIELDS: ReadonlySet<string> = new Set(['labels', 'matchLabels', 'selector']);

function without(object: KubeObject, { labels, annotations }: Common): KubeObject {
  const clean = (value: Value, field: string): Value => {
    if (Array.isArray(value)) return value.map((item) => clean(item, ''));
    if (!isMap(value)) return value;
    const added = LABEL_FIELDS.has(field) ? labels : field === 'annotations' ? annotations : {};
    const entries = Object.entries(value).filter(
      ([key, inner]) => !(Object.hasOwn(added, key) && added[key] === inner),
    );
    const cleaned = entries.map(([key, inner]): [string, Value] => [key, clean(inner, key)]);
    // A map that was created for the added labels is removed with them.
    return Object.fromEntries(cleaned.filter(([key, inner]) => !isNewlyEmpty(key, inner, value[key] as Value)));
  };
  return clean(object, '') as KubeObject;
}

function isNewlyEmpty(key: string, cleaned: Value, before: Value): boolean {
  const isWritten = LABEL_FIELDS.has(key) || key === 'annotations';
  return (
    isWritten && isMap(cleaned) && isMap(before) && Object.keys(cleaned).length === 0 && Object.keys(before).length > 0
  );
}

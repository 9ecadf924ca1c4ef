import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import type { Field, Layout, Segment } from './layout.ts';
import { safeSegment, shortDigest } from './segment.ts';

/** An object to write, with the context of its file. */
export interface Placeable {
  object: KubeObject;
  /** The name of the outermost instance that rendered it; '' for others. */
  instance: string;
  /** The folder of its input file below the named folder, with `/`; '' for none. */
  folder: string;
}

/** A file of an output directory: its relative path with `/`, and its content. */
export interface Placed<T extends Placeable = Placeable> {
  path: string;
  item: T;
}

/** The length of `-` and the digits that distinguish names. */
const SUFFIX = 9;

/**
 * Assigns a file to each object. A name that some file system rejects is changed and gets digits; so do files whose
 * paths differ in case only, and a file in the place of a folder. `clashes` are objects with the same group, kind,
 * namespace and name.
 */
export function placeObjects<T extends Placeable>(
  items: readonly T[],
  layout: Layout,
): { placed: Placed<T>[]; clashes: Placed<T>[] } {
  const drafts = items.map((item) => draftOf(item, layout));
  const files = new Map<string, number>();
  const folders = new Set<string>();
  for (const { key } of drafts) {
    files.set(key, (files.get(key) ?? 0) + 1);
    for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) folders.add(key.slice(0, at));
  }
  const seen = new Set<string>();
  const clashes: Placed<T>[] = [];
  const placed = drafts.map((draft) => {
    const { item } = draft;
    const isShared = (files.get(draft.key) ?? 0) > 1 || folders.has(draft.key);
    const path = isShared ? draft.distinct() : draft.path;
    const key = isShared ? folded(path) : draft.key;
    const one = { path, item };
    if (seen.has(key) || folders.has(key)) clashes.push(one);
    seen.add(key);
    return one;
  });
  return { placed, clashes };
}

/** Returns what a case-insensitive file system treats as the same path. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase();

interface Draft<T> {
  item: T;
  path: string;
  /** The path as a file system that ignores case has it. */
  key: string;
  /** Returns the path with the digits of the object. */
  distinct: () => string;
}

function draftOf<T extends Placeable>(item: T, layout: Layout): Draft<T> {
  const values = valuesOf(item);
  const folders = foldersOf(layout, values);
  const { group, kind } = groupVersionKind(item.object);
  const reserved = SUFFIX + layout.extension.length;
  const { text, changed } = safeSegment(textOf(layout.file, values), reserved);
  const digits = (): string => shortDigest([group, kind, values.namespace, values.name].join('/'));
  const distinct = (): string => `${folders}${text}-${digits()}${layout.extension}`;
  const path = changed ? distinct() : `${folders}${text}${layout.extension}`;
  return { item, path, key: folded(path), distinct };
}

/** The folders of a file, each with a / behind it. */
function foldersOf(layout: Layout, values: Values): string {
  let path = '';
  for (const segment of layout.folders) {
    for (const name of textOf(segment, values).split('/')) {
      if (name === '') continue;
      const { text, changed } = safeSegment(name, SUFFIX);
      path += changed ? `${text}-${shortDigest(name)}/` : `${text}/`;
    }
  }
  return path;
}

type Values = Readonly<Record<Field, string>>;

function textOf(segment: Segment, values: Values): string {
  let text = '';
  for (const part of segment) text += 'text' in part ? part.text : values[part.field];
  return text;
}

function valuesOf({ object, instance, folder }: Placeable): Values {
  const { group, version, kind } = groupVersionKind(object);
  return {
    namespace: namespaceOf(object),
    kind: kind.toLowerCase(),
    name: nameOf(object),
    group: group === '' ? 'core' : group,
    version,
    instance,
    folder,
  };
}

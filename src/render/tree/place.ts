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
  for (const { path } of drafts) {
    const key = folded(path);
    files.set(key, (files.get(key) ?? 0) + 1);
    for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) folders.add(key.slice(0, at));
  }
  const isShared = (path: string): boolean => (files.get(folded(path)) ?? 0) > 1 || folders.has(folded(path));
  const placed = drafts.map(({ item, path, distinct }) => ({ item, path: isShared(path) ? distinct() : path }));
  const seen = new Set<string>();
  const clashes = placed.filter(({ path }) => {
    const key = folded(path);
    const isClash = seen.has(key) || folders.has(key);
    seen.add(key);
    return isClash;
  });
  return { placed, clashes };
}

/** Returns what a case-insensitive file system treats as the same path. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase();

interface Draft<T> {
  item: T;
  path: string;
  /** Returns the path with the digits of the object. */
  distinct: () => string;
}

function draftOf<T extends Placeable>(item: T, layout: Layout): Draft<T> {
  const values = valuesOf(item);
  const folders = layout.folders
    .flatMap((segment) => textOf(segment, values).split('/'))
    .filter((name) => name !== '')
    .map((name) => {
      const { text, changed } = safeSegment(name, SUFFIX);
      return changed ? `${text}-${shortDigest(name)}` : text;
    });
  const { group, kind } = groupVersionKind(item.object);
  const reserved = SUFFIX + layout.extension.length;
  const { text, changed } = safeSegment(textOf(layout.file, values), reserved);
  const pathTo = (name: string): string => [...folders, `${name}${layout.extension}`].join('/');
  const digits = (): string => shortDigest([group, kind, values.namespace, values.name].join('/'));
  const distinct = (): string => pathTo(`${text}-${digits()}`);
  return { item, path: changed ? distinct() : pathTo(text), distinct };
}

type Values = Readonly<Record<Field, string>>;

const textOf = (segment: Segment, values: Values): string =>
  segment.map((part) => ('text' in part ? part.text : values[part.field])).join('');

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

import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import type { KubeObject } from '../../../core/model/object.ts';
import { get, isMap, type Value } from '../../../core/model/value.ts';
import type { ObjectChange } from '../../diff/index.ts';
import type { Danger } from './danger.ts';

const LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

/** Returns the images of all containers in a redacted object, by the path of the list and the name of the container. */
export function imagesIn(value: Value, path = '', images = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) value.forEach((item, index) => void imagesIn(item, `${path}[${index}]`, images));
  if (!isMap(value)) return images;
  for (const [key, item] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (!LISTS.includes(key) || !Array.isArray(item)) {
      imagesIn(item, at, images);
      continue;
    }
    for (const container of item) {
      const [name, image] = [get(container, 'name'), get(container, 'image')];
      if (typeof name === 'string' && typeof image === 'string') images.set(`${at}[${name}]`, image);
    }
  }
  return images;
}

interface Image {
  repository: string;
  tag: string;
  hasDigest: boolean;
}

function parseImage(image: string): Image {
  const [named = '', digest] = image.split('@');
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  return {
    repository: hasTag ? named.slice(0, colon) : named,
    tag: hasTag ? named.slice(colon + 1) : '',
    hasDigest: digest !== undefined,
  };
}

/** Reports images that change to `latest`, or to an older version of the same repository. */
export function* imageDangers(before: KubeObject, after: KubeObject): Iterable<Danger> {
  const old = imagesIn(before);
  for (const [path, image] of imagesIn(after)) {
    const earlier = old.get(path);
    if (earlier === undefined || earlier === image) continue;
    const [was, is] = [parseImage(earlier), parseImage(image)];
    const [at, from, to] = [trusted.redacted(path), trusted.redacted(earlier), trusted.redacted(image)];
    if (isLatest(is) && !isLatest(was)) {
      const message = composeText`${at} changes from ${from} to ${to}, which can be any version`;
      yield { code: 'danger-image-latest', message };
    } else if (was.repository === is.repository && compareVersions(is.tag, was.tag) < 0)
      yield { code: 'danger-image-older', message: composeText`${at} goes back from ${from} to ${to}` };
  }
}

/** Reports whether an image can be any version. */
const isFloating = (image: string | undefined): boolean => image !== undefined && isLatest(parseImage(image));

const isLatest = ({ tag, hasDigest }: Image): boolean => !hasDigest && (tag === '' || tag === 'latest');

const VERSION = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/;

/**
 * Compares tags that are versions; returns 0 if one is not. A version with a suffix comes before the same one without.
 */
function compareVersions(one: string, two: string): number {
  const [a, b] = [VERSION.exec(one), VERSION.exec(two)];
  if (a === null || b === null) return 0;
  const [x, y] = [a, b].map((match) => (match[1] ?? '').split('.').map(BigInt)) as [bigint[], bigint[]];
  for (let at = 0; at < Math.max(x.length, y.length); at += 1) {
    const difference = (x[at] ?? 0n) - (y[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  const [suffix = '', other = ''] = [a[2], b[2]];
  const isEarly = (text: string): boolean => /^(alpha|beta|rc|pre)/i.test(text);
  if (suffix === '') return isEarly(other) ? 1 : 0;
  return other === '' && isEarly(suffix) ? -1 : 0;
}

/** An image that containers of changed objects have in one version, or another one in the newer version. */
export interface ImageChange {
  from?: string;
  to?: string;
  /** Whether the newer one can be any version: it has the tag `latest`, or neither a tag nor a digest. */
  isFloating: boolean;
  count: number;
}

/** Counts the images that changed objects get, lose and replace. */
export function createImages(): { add: (change: ObjectChange) => void; all: () => ImageChange[] } {
  const known = new Map<string, ImageChange>();
  const count = (from: string | undefined, to: string | undefined): void => {
    if (from === to) return;
    const key = JSON.stringify([from, to]);
    const one = known.get(key) ?? { ...(from && { from }), ...(to && { to }), isFloating: isFloating(to), count: 0 };
    known.set(key, { ...one, count: one.count + 1 });
  };
  return {
    add: ({ shown }) => {
      const [old, newer] = [shown.before, shown.after].map((side) => imagesIn(side ?? null)) as [
        Map<string, string>,
        Map<string, string>,
      ];
      for (const [path, image] of old) count(image, newer.get(path));
      for (const [path, image] of newer) if (!old.has(path)) count(undefined, image);
    },
    // Removed images come first, then changed ones.
    all: () => {
      const rank = ({ from, to }: ImageChange): number => (to === undefined ? 0 : from === undefined ? 2 : 1);
      const name = ({ from, to }: ImageChange): string => from ?? to ?? '';
      return [...known.values()].sort((a, b) => rank(a) - rank(b) || (name(a) < name(b) ? -1 : 1));
    },
  };
}

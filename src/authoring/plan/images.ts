import type { ObjectChange } from '../diff/index.ts';
import { imagesIn, isFloating } from './dangers/index.ts';
import type { ImageChange } from './result.ts';

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

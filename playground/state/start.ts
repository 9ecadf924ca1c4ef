import type { Keeper, Opening } from './keeper.ts';
import { OWN, placeOf } from './place.ts';
import { publishedAt } from './published.ts';
import type { Contents } from './workspace.ts';

/** Opens the package of an address, or one's own files with a notice. */
export async function openingOf(hash: string, keeper: Keeper): Promise<Opening> {
  try {
    const place = placeOf(hash);
    const published = await publishedAt(place);
    // The link to one's own files as they are: Share puts it into the address.
    if (place.kind === 'link' && published !== undefined) {
      const own = keeper.open(OWN);
      if (isSame(own.contents, published)) return own;
    }
    const opening = keeper.open(place, published);
    if (place.kind !== 'kept' || keeper.isChanged) return opening;
    return { ...keeper.open(OWN), notice: 'This browser keeps no changed link of this address.' };
  } catch (error) {
    return { ...keeper.open(OWN), notice: (error as Error).message };
  }
}

const isSame = (a: Contents, b: Contents): boolean => textOf(a) === textOf(b);

const textOf = ({ files, options }: Contents): string =>
  JSON.stringify([files.map(({ name, text, role }) => [name, text, role]), Object.entries(options).sort()]);

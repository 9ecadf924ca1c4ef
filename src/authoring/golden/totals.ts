import { type Coverage, type CoverageItem, MEASURES, type Measure } from './coverage.ts';

export interface Total {
  reached: number;
  all: number;
}

/** How many items of each measure were reached, and of all of them. */
export function totalsOf(items: readonly CoverageItem[]): Readonly<Record<Measure | 'all', Total>> {
  const of = (some: readonly CoverageItem[]): Total => ({
    reached: some.filter(({ hits }) => hits > 0).length,
    all: some.length,
  });
  const each = MEASURES.map((measure) => [measure, of(items.filter((item) => item.measure === measure))]);
  return { ...Object.fromEntries(each), all: of(items) };
}

/** `87%`; rounded down, so that only all of it is 100%. */
export const percent = ({ reached, all }: Total): string => (all === 0 ? '-' : `${Math.floor((100 * reached) / all)}%`);

/** The items file by file, and RGD by RGD. */
export function byRgd({ items }: Coverage): Map<string, CoverageItem[]> {
  const groups = new Map<string, CoverageItem[]>();
  for (const item of items) {
    const key = `${item.file} ${item.rgd}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** How much of everything was reached, in percent; 100 where there is nothing to reach. */
export function percentOf({ items }: Coverage): number {
  const { reached, all } = totalsOf(items).all;
  return all === 0 ? 100 : Math.floor((100 * reached) / all);
}

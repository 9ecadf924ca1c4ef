import { groupBy } from '../../core/model/group-by.ts';
import { type Coverage, type CoverageItem, MEASURES, type Measure } from './coverage.ts';

interface Total {
  reached: number;
  all: number;
}

/** Counts the covered items of each measure, and all of them. */
export function totalsOf(items: readonly CoverageItem[]): Readonly<Record<Measure | 'all', Total>> {
  const of = (some: readonly CoverageItem[]): Total => ({
    reached: some.filter(({ hits }) => hits > 0).length,
    all: some.length,
  });
  const each = MEASURES.map((measure) => [measure, of(items.filter((item) => item.measure === measure))]);
  return { ...Object.fromEntries(each), all: of(items) };
}

/** `87%`; rounded down, so that 100% means all. */
export const percent = ({ reached, all }: Total): string => (all === 0 ? '-' : `${Math.floor((100 * reached) / all)}%`);

/** Groups the items by file and RGD. */
export const byRgd = ({ items }: Coverage): Map<string, CoverageItem[]> =>
  groupBy(items, ({ file, rgd }) => `${file} ${rgd}`);

/** Returns the total coverage in percent; 100 if there is nothing to cover. */
export function percentOf({ items }: Coverage): number {
  const { reached, all } = totalsOf(items).all;
  return all === 0 ? 100 : Math.floor((100 * reached) / all);
}

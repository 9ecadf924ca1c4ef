import { seed } from '../seed.ts';

const times = Number(process.env.TIMES ?? 1);

/** Whether slow tests run too, as in the nightly run with `TIMES=10`. */
export const isLong = times > 1;

/** `npm test` runs a part of the properties: see vitest.config.ts. */
const part = isLong ? 1 : Number(process.env.PROPERTIES ?? 1);

/**
 * Returns the number of runs of a property: `TIMES=100 npx vitest run --project heavy test/properties` runs a hundred
 * times as many.
 */
export const runs = (usual: number): { numRuns: number } => ({
  numRuns: Math.ceil(usual * times * part),
});

/** The timeout of a property in milliseconds, for any number of runs. */
export const LONG = 3_600_000;

/** Whether each table is tested as a whole: `.ci/run` sets TABLES=all. */
const isWhole = isLong || process.env.TABLES === 'all';

/**
 * One in so many items of a table, others for each seed and each shift; CI has all of them. A table that is tested in
 * several ways takes another shift for each, so that each item is tested in one way.
 */
export const partOf = <Item>(items: readonly Item[], parts: number, shift = 0): readonly Item[] =>
  isWhole ? items : items.filter((_, index) => index % parts === (seed + shift) % parts);

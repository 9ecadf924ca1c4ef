import fc, { type GeneratorValue } from 'fast-check';

/** The source of random choices of generators. */
export interface Draw {
  /** A whole number, both ends included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns true in so many percent of draws. */
  chance(percent: number): boolean;
  /** Returns so many values. */
  times<T>(min: number, max: number, make: (index: number) => T): T[];
}

/** Distributes numbers evenly: fast-check prefers the limits, so that rare choices would not be rare. */
const unbiased = (range: { min: number; max: number }) => fc.noBias(fc.integer(range));

/** Choices made by fast-check. */
export function drawFrom(generate: GeneratorValue): Draw {
  const int = (min: number, max: number): number => generate(unbiased, { min, max });
  return {
    int,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
    chance: (percent) => int(1, 1000) <= percent * 10,
    times: (min, max, make) => Array.from({ length: int(min, max) }, (_, index) => make(index)),
  };
}

/** Returns so many values of a generator, the same for the same seed. */
export function sample<T>(make: (draw: Draw) => T, count: number, seed: number): T[] {
  return fc.sample(
    fc.gen().map((generate) => make(drawFrom(generate))),
    { numRuns: count, seed },
  );
}

import fc from 'fast-check';

/** A day in milliseconds. */
const DAY = 86_400_000;

/**
 * The seed of random tests: SEED, else 1 on CI, so that a change is tested by itself, else the number of the day, so
 * that every day tests other inputs.
 */
export const seed = Number(process.env.SEED ?? (process.env.CI === 'true' ? 1 : Math.floor(Date.now() / DAY)));
if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not '${process.env.SEED}'`);

fc.configureGlobal({ seed });

/** Returns whole numbers below a bound. */
export type Draw = (bound: number) => number;

/** Returns a generator of pseudo-random numbers: equal ones for equal seeds. */
export function drawFrom(start: number): Draw {
  let state = start >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** vitest calls this function once. */
export default function tellSeed(): void {
  console.log(`random tests start from SEED=${seed}`);
}

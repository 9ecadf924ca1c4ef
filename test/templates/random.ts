import type { Draw } from '../differential/draw.ts';

/** Pseudo-random choices for a seed, faster than a library of properties. */
export function drawFromSeed(seed: number): Draw {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    pick: (list) => list[int(0, list.length - 1)] as (typeof list)[number],
    chance: (percent) => int(1, 100) <= percent,
    times: (min, max, make) => Array.from({ length: int(min, max) }, (_, index) => make(index)),
  };
}

const times = Number(process.env.TIMES ?? 1);

/** Whether to look at what takes long too, as each night's run does with `TIMES=10`. */
export const isLong = times > 1;

/** How often a property is tried: `TIMES=100 npx vitest run test/properties` looks a hundred times as far. */
export const runs = (usual: number): { numRuns: number } => ({
  numRuns: Math.ceil(usual * times),
});

/** Milliseconds that a property may take, however often it is tried. */
export const LONG = 3_600_000;

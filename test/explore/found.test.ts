import { describe, expect, it } from 'vitest';
import { sample } from '../differential/draw.ts';
import { runs } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { explorePlanted } from './found.ts';
import { plantedRgd } from './plant.ts';

/** How many of 100 planted faults are found. */
const LEAST_FOUND = 95;

describe('the exploration of RGDs with a planted fault', () => {
  it(`finds ${LEAST_FOUND} percent of the faults`, () => {
    const all = sample(plantedRgd, runs(40).numRuns, seed);
    const results = all.map((planted) => ({ planted, ...explorePlanted(planted) }));
    expect(results.flatMap(({ broken }) => broken)).toEqual([]);
    const missed = results.filter(({ isFound }) => !isFound).map(({ planted }) => JSON.stringify(planted.faulty));
    expect(missed.length * 100, missed.join('\n')).toBeLessThanOrEqual((100 - LEAST_FOUND) * all.length);
  });
});

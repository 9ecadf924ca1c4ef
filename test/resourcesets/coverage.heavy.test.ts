import { expect, it } from 'vitest';
import { seed } from '../seed.ts';
import { drawFromSeed } from '../templates/random.ts';
import { setOf } from './random.ts';
import { coverageOf } from './surface.ts';

const SAMPLES = 1000;

it('draws each field of the CRDs, each type of provider and each function of templates', () => {
  const samples = Array.from({ length: SAMPLES }, (_, at) => setOf(drawFromSeed(seed * 1_000_003 + at), at));
  const rows = coverageOf(samples);
  expect(rows.size).toBeGreaterThan(200);
  expect([...rows].filter(([, count]) => count === 0).map(([row]) => row)).toEqual([]);
});

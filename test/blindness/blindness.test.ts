import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { randomOf } from '../fuzz/random.ts';
import { LONG } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { temporaryFolder } from '../temporary.ts';
import { complaintsOfClean, silentSurfaces } from './ask.ts';
import { PLANTS } from './plants.ts';

/** PLANTS=5000 draws so many plants, and a fifth as many clean packages. */
const plants = Number(process.env.PLANTS ?? PLANTS.length);

it(
  'no command is green without naming what it did not see',
  async () => {
    const folder = temporaryFolder('blindness');
    const silent: string[] = [];
    for (let index = 0; index < plants; index += 1) {
      const plant = PLANTS[index % PLANTS.length];
      if (plant === undefined) continue;
      const found = await silentSurfaces(plant, randomOf(seed, index), folder);
      silent.push(...found.map((one) => `SEED=${seed} plant ${index}: ${one}`));
    }
    expect(silent).toEqual([]);
  },
  LONG,
);

it(
  'of a clean package, everything is seen',
  async () => {
    const folder = temporaryFolder('blindness');
    const complaints: string[] = [];
    for (let index = 0; index < Math.ceil(plants / 5); index += 1) {
      const found = await complaintsOfClean(randomOf(seed + 1, index), folder);
      complaints.push(...found.map((one) => `SEED=${seed} package ${index}: ${one}`));
    }
    expect(complaints).toEqual([]);
  },
  LONG,
);

it('each kind of plant is a row of docs/fidelity.md', () => {
  const text = readFileSync(fileURLToPath(new URL('../../docs/fidelity.md', import.meta.url)), 'utf8');
  const rows = [...text.matchAll(/^\| ([^|]*) \| ((?:validate|diff|compat|plan)[^|]*) \|$/gm)].map(
    ([, name, surfaces]) => ({
      name,
      surfaces,
    }),
  );
  expect(rows).toEqual(PLANTS.map(({ name, surfaces }) => ({ name, surfaces: surfaces.join(', ') })));
});

import { expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/api/index.ts';
import { sample } from '../../differential/draw.ts';
import { packageOf } from '../../differential/packages.ts';
import { runs } from '../../properties/runs.ts';
import { seed } from '../../seed.ts';
import { instancesLike, kindOfRgd, roundTrip } from './round-trip.ts';

it('gives back the objects of rendered packages, and refuses few of them', () => {
  const { numRuns } = runs(60);
  const trips = sample(packageOf, numRuns, seed).flatMap(({ objects, observed }) => {
    const all = objects as unknown as KubernetesObject[];
    const definitions = all.filter(({ kind }) => /^(ResourceGraph|CustomResource)Definition$/.test(kind));
    const kind = kindOfRgd(definitions.findLast((one) => one.kind === 'ResourceGraphDefinition'));
    const one = all.find((object) => object.kind === kind);
    const [instances = []] =
      one === undefined ? [] : sample((draw) => instancesLike(one, definitions, draw, 3), 1, seed);
    return [roundTrip({ definitions, instances, observed: observed as unknown as KubernetesObject[] })];
  });
  const tried = trips.filter(({ outcome }) => outcome !== 'nothing to extract');
  expect(tried.length).toBeGreaterThan(numRuns / 20);
  expect(tried.filter(({ outcome }) => outcome === 'differs')).toEqual([]);
  const refused = tried.filter(({ outcome }) => outcome === 'refused');
  expect(refused.length, JSON.stringify(refused.map(({ reasons }) => reasons))).toBeLessThanOrEqual(tried.length / 5);
});

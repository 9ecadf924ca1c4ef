import { expect, it } from 'vitest';
import { get } from '../../src/core/model/value.ts';
import { ours } from './compare.ts';
import { sample } from './draw.ts';
import { packageOf } from './packages.ts';

it('generated packages often render, and are equal for equal seeds', () => {
  const packages = sample(packageOf, 300, 5);
  expect(sample(packageOf, 300, 5)).toEqual(packages);
  expect(packages.filter((one) => ours(one).stage === '').length).toBeGreaterThan(45);
});

it('generated live objects have unique names', () => {
  const packages = sample(packageOf, 100, 21671);
  const doubled = packages.filter(({ observed }) => {
    const names = observed.map(({ metadata }) => JSON.stringify([get(metadata, 'namespace'), get(metadata, 'name')]));
    return new Set(names).size < names.length;
  });
  expect(doubled).toEqual([]);
});

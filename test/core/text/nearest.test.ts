import { describe, expect, it, test } from 'vitest';
import { didYouMean, nearest } from '../../../src/core/text/nearest.ts';

describe('the nearest name', () => {
  test.each([
    ['replica', ['replicas', 'selector', 'template'], ['replicas']],
    ['metdata', ['metadata', 'spec'], ['metadata']],
    ['spce', ['spec', 'status'], ['spec']],
    ['Replicas', ['replicas'], ['replicas']],
    ['cpu', ['cpu'], []],
    ['a', ['b', 'c'], []],
    ['', ['a'], []],
    ['svc', ['deployment'], []],
  ])('to %j among %j is %j', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toEqual(expected);
  });

  test('is first, with equally close names in byte order', () => {
    expect(nearest('container', ['containerss', 'containerb', 'containera', 'contained'])).toEqual([
      'contained',
      'containera',
      'containerb',
    ]);
  });

  test('is not repeated, and the number of names is limited', () => {
    expect(nearest('port', ['ports', 'part', 'sort', 'post', 'ports'], 2)).toEqual(['part', 'ports']);
  });

  test('counts a swap of two neighbours as one change', () => {
    expect(nearest('naem', ['name'])).toEqual(['name']);
    expect(nearest('aecmn', ['names'])).toEqual([]);
  });

  test('compares the whole names of kinds', () => {
    expect(nearest('Deploymnt.v1.apps', ['Deployment.v1.apps', 'DaemonSet.v1.apps', 'Job.v1.batch'])).toEqual([
      'Deployment.v1.apps',
    ]);
  });
});

describe('keys that YAML 1.1 reads as booleans', () => {
  it.each([
    ['n', 'false'],
    ['No', 'false'],
    ['off', 'false'],
    ['y', 'true'],
    ['YES', 'true'],
    ['on', 'true'],
  ])('%s is suggested for %s', (name, read) => {
    expect(didYouMean(name, ['other', read])).toMatch(`YAML reads the key ${name} as a boolean`);
    expect(didYouMean(name, ['other'])).toBeUndefined();
  });
});

import { describe, expect, it, test } from 'vitest';
import { didYouMean, nearest } from '../../../src/core/text/nearest.ts';

describe('nearest', () => {
  test.each([
    ['replica', ['replicas', 'selector', 'template'], ['replicas']],
    ['metdata', ['metadata', 'spec'], ['metadata']],
    ['spce', ['spec', 'status'], ['spec']],
    ['Replicas', ['replicas'], ['replicas']],
    ['cpu', ['cpu'], []],
    ['a', ['b', 'c'], []],
    ['', ['a'], []],
    ['svc', ['deployment'], []],
  ])('of %j among %j is %j', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toEqual(expected);
  });

  test('puts the closest first and equally close ones in byte order', () => {
    expect(nearest('container', ['containerss', 'containerb', 'containera', 'contained'])).toEqual([
      'contained',
      'containera',
      'containerb',
    ]);
  });

  test('gives no more than asked for, and none twice', () => {
    expect(nearest('port', ['ports', 'part', 'sort', 'post', 'ports'], 2)).toEqual(['part', 'ports']);
  });

  test('counts the swap of two neighbours as one change', () => {
    expect(nearest('naem', ['name'])).toEqual(['name']);
    expect(nearest('aecmn', ['names'])).toEqual([]);
  });

  test('finds kinds by their whole name', () => {
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
  ])('%s is what %s was meant to be', (name, read) => {
    expect(didYouMean(name, ['other', read])).toMatch(`YAML reads the key ${name} as a boolean`);
    expect(didYouMean(name, ['other'])).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import type { Value } from '../../../src/core/model/value.ts';
import { noObjectProblems } from '../../../src/yaml/parse/flatten.ts';

const told = (value: Value, file = 'a.yaml', isItem = false): string[] =>
  noObjectProblems(value, { file, isItem }).map(({ code, severity = 'error' }) => `${severity} ${code}`);

describe('a document that lacks its kind or its apiVersion', () => {
  it.each<[string, Value, string?]>([
    ['values of a chart with a kind', { kind: 'CronJob', schedule: '* * * * *' }],
    ['values with a kind between others', { priorityClassName: 'platform', replicas: 1n, kind: 'Deployment' }],
    ['values with parts of an object', { kind: 'Deployment', metadata: { labels: {} }, spec: {} }, 'my-values.yaml'],
    ['values by number', { kind: 'Deployment', data: {} }, 'values2.yaml'],
  ])('is not an object: %s', (_, value, file) => {
    expect(told(value, file)).toEqual(['info not-an-object']);
  });

  // Helm requires the name of a chart, and knows two versions.
  it('is a chart with a name and a version of Helm', () => {
    const chart = { apiVersion: 'v2', name: 'web', version: '1.0.0' };
    expect(told(chart, 'Chart.yaml')).toEqual(['info not-an-object']);
    expect(told({ ...chart, apiVersion: 'v1' }, 'Chart.yml')).toEqual(['info not-an-object']);
    expect(told({ ...chart, apiVersion: 'v3' }, 'Chart.yaml')).toEqual(['error object-shape']);
    expect(told({ apiVersion: 'v2', version: '1.0.0' }, 'Chart.yaml')).toEqual(['error object-shape']);
    expect(told(chart, 'a-Chart.yaml')).toEqual(['error object-shape']);
  });

  it.each<[string, Value, string?]>([
    ['a name', { kind: 'ConfigMap', metadata: { name: 'a' } }],
    ['a name in a file of values', { kind: 'ConfigMap', metadata: { name: 'a' } }, 'values.yaml'],
    ['a spec', { kind: 'ResourceGraphDefinition', spec: {} }],
    ['an apiVersion and no kind', { apiVersion: 'v1', image: { tag: 'a' } }],
    ['an apiVersion that is empty', { apiVersion: null, kind: 'A' }],
    ['data', { apiVersion: 'v1', data: { a: 'b' } }],
    ['items', { kind: 'List', items: [] }],
    ['its other key, misspelt', { apiversion: 'v1', kind: 'ConfigMap' }],
  ])('is an object with a missing field: %s', (_, value, file) => {
    expect(told(value, file)).toEqual(['error object-shape']);
  });

  it('is an object in a list of objects', () => {
    expect(told({ kind: 'CronJob' }, 'a.yaml', true)).toEqual(['error object-shape']);
  });
});

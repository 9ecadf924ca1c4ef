import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { Value } from '../../../src/core/model/value.ts';
import { flattenObjects, objectsIn } from '../../../src/yaml/parse/index.ts';

const map = (metadata: Value): Value => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
const inputs = [
  map({ name: 'a' }),
  map('wrong'),
  { kind: 'ConfigMap' },
  'text',
  { apiVersion: 'v1', kind: 'List', items: [map({ name: 'b' }), 7n, map({ labels: 1n })] },
].map((object) => ({ object }));

describe('the objects of an input', () => {
  it.each([
    ['as they are', () => false],
    ['with foreign ones', () => true],
  ])('are the same with and without a listener: %s', (_, foreign) => {
    const reports = new Collector();
    const objects = flattenObjects(inputs, reports, foreign);
    expect(reports.all.length).toBeGreaterThan(3);
    expect(objects.length).toBe(foreign() ? 4 : 2);
    expect(objectsIn(inputs, foreign)).toEqual(objects);
  });
});

describe('a List without a list of items is an error, because its content would be lost', () => {
  const list = (more: Record<string, Value>): Value => ({ apiVersion: 'v1', kind: 'List', ...more });
  it.each<[string, Value, string[]]>([
    ['items that are misspelt', list({ itmes: [map({ name: 'a' })] }), ['did you mean items in place of itmes?']],
    ['a map', list({ items: { a: map({ name: 'a' }) } }), ['must be a list, got a map']],
    ['a text', list({ items: 'a' }), ['must be a list, got a string']],
    ['other fields', list({ elements: [] }), ['write items: [] for an empty List']],
    ['nothing at all', list({}), []],
    ['an empty field', list({ items: null }), []],
    ['an empty list', list({ items: [] }), []],
    ['a kind whose name ends so', { apiVersion: 'a.b/v1', kind: 'AccessList', items: 'a' }, []],
  ])('%s', (_, object, told) => {
    const reports = new Collector();
    flattenObjects([{ object }], reports);
    const said = reports.all.map(({ message, hint = '' }) => `${message}; ${hint}`);
    expect(said).toHaveLength(told.length);
    told.forEach((words, index) => {
      expect(said[index]).toContain(words);
    });
    expect(reports.hasErrors).toBe(told.length > 0);
  });
});

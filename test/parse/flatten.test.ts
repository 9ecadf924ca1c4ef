import { describe, expect, it } from 'vitest';
import { Collector } from '../../src/diagnostics/index.ts';
import type { Value } from '../../src/model/value.ts';
import { flattenObjects, objectsIn } from '../../src/parse/index.ts';

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
  ])('are the same whether or not anybody listens: %s', (_, foreign) => {
    const reports = new Collector();
    const objects = flattenObjects(inputs, reports, foreign);
    expect(reports.all.length).toBeGreaterThan(3);
    expect(objects.length).toBe(foreign() ? 4 : 2);
    expect(objectsIn(inputs, foreign)).toEqual(objects);
  });
});

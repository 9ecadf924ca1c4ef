import { describe, expect, test } from 'vitest';
import { getAt, type Value } from '../../../src/core/model/value.ts';
import { instanceSchema, toCrd } from '../../../src/kro/simpleschema/index.ts';

import type { Schema } from '../../../src/kubernetes/schema/index.ts';

const input = { group: 'kro.run', version: 'v1', kind: 'Box', plural: undefined, namespaced: true, schema: {} };
const SPEC: Schema = { type: 'object' };

describe('a generated CRD', () => {
  test('has the columns of kro unless others are given', () => {
    const columnsOf = (given?: Value) =>
      getAt(toCrd({ ...input, schema: given === undefined ? {} : { additionalPrinterColumns: given } }, SPEC), [
        'spec',
        'versions',
        0,
        'additionalPrinterColumns',
      ]);
    expect(columnsOf()).toMatchObject([{ name: 'State' }, { name: 'Ready' }, { name: 'Age' }]);
    expect(columnsOf([])).toHaveLength(3);
    const own = { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 0n, description: '' };
    expect(columnsOf([own])).toEqual([{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }]);
  });

  test('omits empty names and metadata', () => {
    const crd = toCrd({ ...input, schema: { shortNames: [], categories: null, metadata: { labels: {} } } }, SPEC);
    expect(crd.metadata).toEqual({ name: 'boxes.kro.run' });
    expect(getAt(crd, ['spec', 'names'])).toEqual({
      kind: 'Box',
      listKind: 'BoxList',
      plural: 'boxes',
      singular: 'box',
    });
  });

  test('has the status fields of an author beside those of kro', () => {
    const status: Schema = { type: 'object', properties: { state: { type: 'integer' }, url: { type: 'string' } } };
    const schema = instanceSchema(toCrd(input, SPEC, status));
    expect(schema.properties?.status?.properties).toMatchObject({
      state: { type: 'integer' },
      url: { type: 'string' },
      conditions: { type: 'array' },
    });
  });
});

import { describe, expect, test } from 'vitest';
import { getAt } from '../../../src/core/model/value.ts';
import { instanceSchema, toCrd } from '../../../src/kro/simpleschema/index.ts';

const input = { group: 'kro.run', version: 'v1', kind: 'Box', scope: 'Namespaced', spec: { type: 'object' } } as const;

describe('a generated CRD', () => {
  test('has the columns of kro unless others are given', () => {
    const columnsOf = (given?: Parameters<typeof toCrd>[0]['additionalPrinterColumns']) =>
      getAt(toCrd({ ...input, additionalPrinterColumns: given }), ['spec', 'versions', 0, 'additionalPrinterColumns']);
    expect(columnsOf()).toMatchObject([{ name: 'State' }, { name: 'Ready' }, { name: 'Age' }]);
    expect(columnsOf([])).toHaveLength(3);
    const own = { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 0n, description: '' };
    expect(columnsOf([own])).toEqual([{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }]);
  });

  test('omits empty names and metadata', () => {
    const crd = toCrd({ ...input, shortNames: [], categories: null, labels: {} });
    expect(crd.metadata).toEqual({ name: 'boxes.kro.run' });
    expect(getAt(crd, ['spec', 'names'])).toEqual({
      kind: 'Box',
      listKind: 'BoxList',
      plural: 'boxes',
      singular: 'box',
    });
  });

  test('has the status fields of an author beside those of kro', () => {
    const status = { type: 'object', properties: { state: { type: 'integer' }, url: { type: 'string' } } } as const;
    const schema = instanceSchema(toCrd({ ...input, status }));
    expect(schema.properties?.status?.properties).toMatchObject({
      state: { type: 'integer' },
      url: { type: 'string' },
      conditions: { type: 'array' },
    });
  });
});

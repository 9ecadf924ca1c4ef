import { describe, expect, it } from 'vitest';
import { render } from '../../../src/api/index.ts';
import { configMap, rgd } from '../../core/diagnostics/examples/objects.ts';

const told = (schema: object, ...resources: object[]): string[] =>
  render({ objects: [rgd(schema, resources)] }).diagnostics.map(({ code, field }) => `${code} ${field}`);
const iterating = (...names: string[]): object =>
  configMap(
    'a',
    {},
    { name: names.map((name) => `\${${name}}`).join('-') },
    { forEach: names.map((name) => ({ [name]: '${["x"]}' })) },
  );

describe('the names that an RGD defines', () => {
  it.each([
    // test/kro/structural covers kinds of 60 to 63 characters and groups without a dot: an API server has its own
    // limits.
    ['kind', ['A', 'Ab1', `A${'b'.repeat(58)}`], ['a', 'A-b', 'A_b', '1A', `A${'b'.repeat(63)}`, 'Ä']],
    ['apiVersion', ['v1', 'v10', 'v1alpha1', 'v2beta3'], ['1', 'v', 'v1alpha', 'v1gamma1', 'V1', 'v1/v2', 'a/v1']],
    ['group', ['a.b', 'a.b-c.d1', 'kro.run'], ['A', 'a_b', 'a.', '-a', 'a..b']],
    ['scope', ['Namespaced', 'Cluster'], ['cluster', 'Global', 'true']],
  ])('include a valid %s', (key, valid, invalid) => {
    for (const value of valid) expect(told({ [key]: value }), value).toEqual([]);
    const code = key === 'apiVersion' ? 'rgd-version' : `rgd-${key}`;
    for (const value of invalid) expect(told({ [key]: value }), value).toEqual([`${code} spec.schema.${key}`]);
  });
});

describe('node ids', () => {
  it.each(['a', 'aB1', 'configMaps', 'spec2'])('may be %s', (id) => {
    expect(told({}, { ...configMap('a'), id })).toEqual([]);
  });

  it.each(['A', 'a-b', 'a_b', '1a', 'schema', 'spec', 'item', 'each', 'in', 'true', 'self', 'runtime'])(
    'may not be %s',
    (id) => expect(told({}, { ...configMap('a'), id })).toEqual(['node-id spec.resources[0].id']),
  );

  it('are unique', () => {
    expect(told({}, configMap('a'), configMap('b'), { ...configMap('c'), id: 'a' })).toEqual([
      'node-id spec.resources[2].id',
    ]);
  });
});

describe('iterators', () => {
  it('have unique names', () => {
    expect(told({}, iterating('b', 'c'))).toEqual([]);
    expect(told({}, iterating('b', 'b'))).toContain('iterator-name spec.resources[0].forEach[1].b');
    expect(told({}, iterating('b'), configMap('b'))).toContain('iterator-name spec.resources[0].forEach[0].b');
    expect(told({}, iterating('Upper'))).toContain('iterator-name spec.resources[0].forEach[0].Upper');
    expect(told({}, iterating('spec'))).toEqual(['iterator-name spec.resources[0].forEach[0].spec']);
  });

  it('that YAML reads as booleans cause a hint', () => {
    const text = JSON.stringify(rgd({}, [iterating('b')])).replace('"b":', 'n: ');
    const { diagnostics } = render({ objects: [{ file: 'a.yaml', text }] });
    expect(diagnostics[0]).toMatchObject({ code: 'iterator-name', hint: expect.stringContaining('in quotes') });
  });

  it('are limited to ten', () => {
    const names = Array.from('bcdefghijkl');
    expect(told({}, iterating(...names.slice(0, 10)))).toEqual([]);
    expect(told({}, iterating(...names))).toEqual(['iterator-name spec.resources[0].forEach']);
  });
});

describe('a node', () => {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };

  it('has either a template or an externalRef', () => {
    expect(told({}, { id: 'a' })).toEqual(['node-shape spec.resources[0]']);
    expect(told({}, { ...configMap('a'), externalRef: reference })).toContain('node-shape spec.resources[0]');
    expect(told({}, { id: 'a', externalRef: reference })).toEqual([]);
  });

  it('cannot have an externalRef with forEach', () => {
    const node = { id: 'a', externalRef: reference, forEach: [{ b: '${["x"]}' }] };
    expect(told({}, node)).toContain('node-shape spec.resources[0].forEach');
  });
});

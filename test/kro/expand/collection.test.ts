import { describe, expect, it } from 'vitest';
import { type ObjectSource, type RenderOptions, render } from '../../../src/api/index.ts';
import { configMap, rgd, x } from '../../core/diagnostics/examples/objects.ts';

const spec = { a: '[]string', b: '[]string', c: '[]integer' };

/** Returns the names of the items of a collection, or the codes of its errors. */
function items(iterators: object[], name: string, values: object, options: RenderOptions = {}): string[] {
  const node = configMap('parts', {}, { name }, { forEach: iterators });
  const { objects, diagnostics } = render({ objects: [rgd({ spec }, [node]), x(values)] }, options);
  const names = objects.map(({ metadata }) => String((metadata as { name: string }).name));
  return diagnostics.length > 0 ? diagnostics.map(({ code }) => code) : names;
}

const two = [{ first: '${schema.spec.a}' }, { second: '${schema.spec.b}' }];

describe('the items of a collection', () => {
  it('have the first iterator outermost', () => {
    expect(items(two, '${first}-${second}', { a: ['x', 'y'], b: ['1', '2', '3'] })).toEqual([
      'x-1',
      'x-2',
      'x-3',
      'y-1',
      'y-2',
      'y-3',
    ]);
  });

  it('keep that order with three iterators', () => {
    const three = [...two, { third: '${schema.spec.c}' }];
    const values = { a: ['x', 'y'], b: ['p'], c: [7, 8] };
    expect(items(three, '${first}${second}${string(third)}', values)).toEqual(['xp7', 'xp8', 'yp7', 'yp8']);
  });

  it('are empty if any list is empty, whatever a later list contains', () => {
    expect(items(two, '${first}-${second}', { a: ['x'], b: [] })).toEqual([]);
    expect(items(two, '${first}-${second}', { a: [], b: ['1'] })).toEqual([]);
    expect(items(two, '${first}-${second}', { a: [] })).toEqual([]);
    expect(items(two, '${first}-${second}', { a: ['x'] })).toEqual(['missing-in-instance']);
  });

  it('are empty, and still fail if a constant part is invalid', () => {
    const node = configMap(
      'parts',
      { a: "${dyn(cidr('10.0.0.0/8'))}" },
      { name: '${v}' },
      { forEach: [{ v: '${schema.spec.a}' }] },
    );
    const { diagnostics } = render({ objects: [rgd({ spec }, [node]), x({ a: [] })] });
    expect(diagnostics.map(({ code }) => code)).toEqual(['evaluation']);
  });

  it('have a maximum number, for all lists together', () => {
    const values = { a: ['x', 'y', 'z'], b: ['1', '2'] };
    expect(items(two, '${first}-${second}', values, { maxCollectionSize: 6 })).toHaveLength(6);
    expect(items(two, '${first}-${second}', values, { maxCollectionSize: 5 })).toEqual(['collection-too-large']);
  });

  it('have index labels', () => {
    const node = configMap('parts', {}, { name: '${v}' }, { forEach: [{ v: '${schema.spec.a}' }] });
    const { objects } = render({ objects: [rgd({ spec }, [node]), x({ a: ['x', 'y'] })] });
    expect(objects).toMatchObject([
      { metadata: { labels: { 'kro.run/collection-index': '0', 'kro.run/collection-size': '2' } } },
      { metadata: { labels: { 'kro.run/collection-index': '1', 'kro.run/collection-size': '2' } } },
    ]);
  });

  it('share the value of expressions without an iterator', () => {
    const shared = { random: '${random.seededString(8, schema.metadata.uid)}', own: '${v}' };
    const node = configMap('parts', shared, { name: '${v}' }, { forEach: [{ v: '${schema.spec.a}' }] });
    const { objects, diagnostics } = render({ objects: [rgd({ spec }, [node]), x({ a: ['x', 'y'] })] });
    expect(diagnostics).toEqual([]);
    const data = objects.map((object) => object.data as { random: string; own: string });
    expect(data.map(({ own }) => own)).toEqual(['x', 'y']);
    expect(new Set(data.map(({ random }) => random)).size).toBe(1);
  });
});

// kro lists the objects of the kind that the selector matches; instances of another RGD are such objects.
describe('an external collection of instances of another RGD', () => {
  const boats = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'boat' },
    spec: { schema: { apiVersion: 'v1alpha1', kind: 'Boat', spec: { n: 'integer' } }, resources: [] },
  };
  const boat = (name: string, labels: object, namespace = 'n'): object => ({
    apiVersion: 'kro.run/v1alpha1',
    kind: 'Boat',
    metadata: { name, namespace, labels },
    spec: { n: 1 },
  });
  const reader = (metadata: object): object =>
    rgd({ spec: {} }, [
      { id: 'found', externalRef: { apiVersion: 'kro.run/v1alpha1', kind: 'Boat', metadata } },
      configMap('result', { names: "${found.map(b, b.metadata.name).join(' ')}" }),
    ]);
  const namesFor = (metadata: object): unknown => {
    const instances = [
      boat('red-1', { color: 'red' }),
      boat('blue', { color: 'blue' }),
      boat('red-2', { color: 'red' }),
      boat('red-3', { color: 'red' }, 'other'),
    ];
    const { objects, diagnostics } = render({
      objects: [reader(metadata), x(), boats, ...instances] as ObjectSource[],
    });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return objects.find(({ kind }) => kind === 'ConfigMap')?.data;
  };

  it.each([
    ['by labels', { matchLabels: { color: 'red' } }, 'red-1 red-2'],
    ['by expressions', { matchExpressions: [{ key: 'color', operator: 'NotIn', values: ['red'] }] }, 'blue'],
    ['none', { matchLabels: { color: 'green' } }, ''],
    ['all', {}, 'blue red-1 red-2'],
  ])('has those that the selector matches: %s', (_, selector, names) => {
    expect(namesFor({ namespace: 'n', selector })).toEqual({ names });
  });
});

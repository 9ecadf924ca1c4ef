import { describe, expect, it } from 'vitest';
import { type RenderOptions, render } from '../../../src/api/index.ts';
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

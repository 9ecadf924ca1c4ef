import { describe, expect, it } from 'vitest';
import { crds, type ObjectSource, render } from '../../src/api/index.ts';
import { fromPlain, toPlain } from '../../src/api/plain.ts';
import { note, noteRgd } from '../cli/resourcelist/packages.ts';

const rgd = { file: 'rgd.yaml', text: noteRgd };
const instance = (spec: object): ObjectSource => ({
  apiVersion: 'kro.run/v1alpha1',
  kind: 'Note',
  metadata: { name: 'a', namespace: 'desk' },
  spec: spec as ObjectSource,
});

describe('the library', () => {
  it('renders texts and objects together', () => {
    const { objects, diagnostics } = render({ objects: [rgd, instance({ text: 'hi', copy: true })] });
    expect(diagnostics).toEqual([]);
    expect(objects).toMatchObject([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'desk' }, data: { text: 'hi' } },
      { metadata: { name: 'a-copy' } },
    ]);
  });

  it('reads definitions beside the package, and returns all objects with all', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'desk' } };
    const input = { objects: [namespace, instance({})], definitions: [rgd] };
    expect(render(input).objects.map(({ kind }) => kind)).toEqual(['ConfigMap']);
    expect(render(input, { all: true }).objects[0]).toEqual(namespace);
  });

  it('reports errors, with positions in texts, and returns no objects', () => {
    const { objects, diagnostics } = render({ objects: [rgd, { file: 'a.yaml', text: note('a', '{text: 7}') }] });
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: 'error', stage: 'instance', file: 'a.yaml', line: 5, column: 14 }]);
    expect(render({ objects: [{ file: 'b.yaml', text: 'a: [' }] }).diagnostics).toMatchObject([
      { code: 'yaml-syntax' },
    ]);
  });

  it('generates CRDs', () => {
    expect(crds({ objects: [rgd] }).objects).toMatchObject([{ metadata: { name: 'notes.kro.run' } }]);
  });

  it('does not change its input', () => {
    const object = Object.freeze(instance(Object.freeze({ text: 'x' })));
    expect(render({ objects: [rgd, object] }).objects).toHaveLength(1);
  });
});

describe('plain values', () => {
  it('keep integers exact in both directions', () => {
    const plain = { a: 1, b: 1.5, c: 9007199254740993n, d: [null, true, 'x'], e: undefined, f: 1e300, g: -0 };
    const value = { a: 1n, b: 1.5, c: 9007199254740993n, d: [null, true, 'x'], f: 1e300, g: 0n };
    expect(fromPlain(plain)).toEqual(value);
    expect(toPlain(value)).toEqual({ a: 1, b: 1.5, c: 9007199254740993n, d: [null, true, 'x'], f: 1e300, g: 0 });
  });

  it('keep a key named __proto__', () => {
    const value = fromPlain(JSON.parse('{"__proto__": {"a": 1}}'));
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(JSON.stringify(toPlain(value))).toBe('{"__proto__":{"a":1}}');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, new Date(0), Symbol('s'), () => 1, new Map()])(
    'reject %s',
    (value) => {
      expect(() => fromPlain(value as never)).toThrow(TypeError);
    },
  );

  /** Returns `{a: {a: ...}}` with so many levels. */
  const deep = (levels: number): ObjectSource => {
    let value: object = {};
    for (let level = 1; level < levels; level += 1) value = { a: value };
    return value as ObjectSource;
  };

  it.each([
    [{ a: [1, { b: Number.NaN }] }, 'not a JSON number: NaN, at a[1].b'],
    [{ 'x.y': [new Date(0)] }, 'not a JSON value: [object Date], at ["x.y"][0]'],
    [deep(1001), 'a value that nests more than 1000 deep, at a.a.a.a.a.a.a.a...'],
  ])('name the path of what they reject', (value, message) => {
    expect(() => fromPlain(value as never)).toThrow(new TypeError(message));
  });

  it('reject values that contain themselves', () => {
    const map: Record<string, unknown> = { list: [{}] };
    (map.list as unknown[]).push({ again: map });
    expect(() => fromPlain(map as never)).toThrow(new TypeError('a value that is part of itself, at list[1].again'));
    const list: unknown[] = [];
    list.push(list);
    expect(() => fromPlain(list as never)).toThrow(new TypeError('a value that is part of itself, at [0]'));
  });

  it('may contain one value twice', () => {
    const shared = { a: 1 };
    expect(fromPlain([shared, { b: shared }])).toEqual([{ a: 1n }, { b: { a: 1n } }]);
  });

  it('are rendered up to the maximum depth', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, deep: deep(999) };
    expect(render({ objects: [object] }, { all: true }).objects).toEqual([object]);
  });

  it('name the object that contains an invalid value', () => {
    const bad = { apiVersion: 'v1', kind: 'ConfigMap', data: new Map() } as unknown as ObjectSource;
    const message = 'not a JSON value: [object Map], at';
    expect(() => render({ objects: [rgd, bad] })).toThrow(new TypeError(`${message} objects[1].data`));
    expect(() => render({ objects: [], observed: [bad] })).toThrow(new TypeError(`${message} observed[0].data`));
    expect(() => render({ objects: [], openapi: { a: new Map() } as never })).toThrow(`${message} openapi.a`);
  });

  it.each([
    [{ objects: undefined }, 'objects must be a list of texts and objects'],
    [{ objects: 'text' }, 'objects must be a list of texts and objects'],
    [{ objects: [null] }, 'objects[0] must be a text or an object'],
    [{ objects: [{ text: 'a: 1' }] }, 'objects[0].file must be a string'],
  ])('%j is not a valid input', (input, message) => {
    expect(() => render(input as never)).toThrow(new TypeError(message));
  });
});

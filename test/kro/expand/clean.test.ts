import { describe, expect, it } from 'vitest';
import { withoutBookkeeping } from '../../../src/core/model/bookkeeping.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { mergeMaps, setKey, type Value, type ValueMap } from '../../../src/core/model/value.ts';

describe('a desired object merged over an observed one', () => {
  it.each<[string, ValueMap, ValueMap, Value]>([
    ['adds what only the observed one has', { a: 1n }, { b: 2n }, { a: 1n, b: 2n }],
    ['wins where both have a value', { a: 1n }, { a: 2n }, { a: 1n }],
    ['wins with a null', { a: null }, { a: 2n }, { a: null }],
    ['goes into maps', { a: { b: 1n } }, { a: { b: 2n, c: 3n } }, { a: { b: 1n, c: 3n } }],
    ['replaces lists whole', { a: [1n] }, { a: [2n, 3n] }, { a: [1n] }],
    ['replaces a map by a scalar', { a: 1n }, { a: { b: 2n } }, { a: 1n }],
    ['replaces a scalar by a map', { a: { b: 2n } }, { a: 1n }, { a: { b: 2n } }],
    ['keeps an empty map from hiding anything', { a: {} }, { a: { b: 1n } }, { a: { b: 1n } }],
    ['is itself when nothing is observed', { a: 1n }, {}, { a: 1n }],
    ['replaces a list by a map', { a: { b: 1n } }, { a: [1n] }, { a: { b: 1n } }],
  ])('%s', (_, over, under, merged) => expect(mergeMaps(under, over)).toEqual(merged));

  it('does not change either object', () => {
    const [over, under] = [{ a: { b: 1n } }, { a: { c: 2n } }];
    mergeMaps(under, over);
    expect([over, under]).toEqual([{ a: { b: 1n } }, { a: { c: 2n } }]);
  });

  it('treats __proto__ as an ordinary key', () => {
    const over: ValueMap = {};
    setKey(over, '__proto__', { a: 1n });
    const merged = mergeMaps({ b: 2n }, over);
    expect(Object.keys(merged)).toEqual(['b', '__proto__']);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Object.keys(mergeMaps(over, { b: 2n }))).toEqual(['__proto__', 'b']);
  });
});

describe('an object without fields that a cluster sets', () => {
  const annotated = (annotations: Value): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', annotations },
    data: { b: 'c' },
  });

  it.each([
    'internal.config.kubernetes.io/index',
    'config.kubernetes.io/path',
    'config.kubernetes.io/local-config',
    'config.k8s.io/id',
    'kustomize.config.k8s.io/id',
    'render-rgd.dev/mode',
    'kubectl.kubernetes.io/last-applied-configuration',
  ])('has no %s', (key) => {
    expect(withoutBookkeeping(annotated({ [key]: 'x', own: 'y' }))).toEqual(annotated({ own: 'y' }));
  });

  it.each(['config.kubernetes.io', 'kubectl.kubernetes.io/restartedAt', 'my.render-rgd.dev/mode', 'own'])(
    'keeps %s and stays the same object',
    (key) => {
      const object = annotated({ [key]: 'x' });
      expect(withoutBookkeeping(object)).toBe(object);
    },
  );

  it('has no empty annotations', () => {
    const { metadata } = withoutBookkeeping(annotated({ 'render-rgd.dev/mode': 'x' }));
    expect(metadata).toEqual({ name: 'a' });
  });

  it('leaves its input unchanged, and returns other values than maps', () => {
    const object = annotated({ 'render-rgd.dev/mode': 'x' });
    withoutBookkeeping(object);
    expect(object).toEqual(annotated({ 'render-rgd.dev/mode': 'x' }));
    expect(withoutBookkeeping(annotated(null))).toEqual(annotated(null));
    const bare: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(withoutBookkeeping(bare)).toBe(bare);
  });
});

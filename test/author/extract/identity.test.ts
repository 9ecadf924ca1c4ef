import { describe, expect, it } from 'vitest';
import { align } from '../../../src/author/extract/align.ts';
import { identitiesOf } from '../../../src/author/extract/identity.ts';
import type { Copy, Identity, Rows } from '../../../src/author/extract/model.ts';
import { groupsOf } from '../../../src/author/extract/similar.ts';
import { type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import { builtinKinds } from '../../../src/kubernetes/schema/index.ts';

const object = (kind: string, metadata: ValueMap, rest: ValueMap = {}, apiVersion = 'v1'): KubeObject => ({
  apiVersion,
  kind,
  metadata,
  ...rest,
});

const copy = (name: string, ...objects: KubeObject[]): Copy => ({
  name,
  objects: objects.map((one) => ({ object: one, source: undefined })),
});

const named = (...copies: Copy[]): string[] =>
  identitiesOf(copies, builtinKinds).map(({ name, namespace }) => (namespace === '' ? name : `${namespace}/${name}`));

const map = (name: string, more: ValueMap = {}): KubeObject => object('ConfigMap', { name, ...more });

describe('the name of a copy', () => {
  it('is what most of its names have in common', () => {
    expect(named(copy('x', map('shop-web'), map('shop-db')), copy('z', map('blog-web'), map('blog-db')))).toEqual([
      'shop',
      'blog',
    ]);
    expect(named(copy('x', map('my-shop-web'), map('my-shop')), copy('z', map('my-blog-web'), map('my-blog')))).toEqual(
      ['my-shop', 'my-blog'],
    );
  });

  it('is the label for it, if the names have it too', () => {
    const labelled = (name: string, label: string): KubeObject =>
      map(name, { labels: { 'app.kubernetes.io/instance': label } });
    expect(named(copy('x', labelled('shop-a', 'shop-a')), copy('z', labelled('blog-b', 'blog-b')))).toEqual([
      'shop-a',
      'blog-b',
    ]);
  });

  it('is that of its folder where the objects say nothing', () => {
    expect(
      named(copy('My Shop.yaml', map('config', { x: 'one' })), copy('-Blog_2-', map('config', { x: 'two' }))),
    ).toEqual(['my-shop', 'blog-2']);
  });

  it('is that of its namespace, if only that differs', () => {
    expect(named(copy('', map('config', { namespace: 'a' })), copy('', map('config', { namespace: 'b' })))).toEqual([
      'a/config',
      'b/config',
    ]);
  });

  it('has a number where it is not valid, or not the only one', () => {
    const long = 'x'.repeat(64);
    expect(named(copy(long, map(`${long}1`)), copy(long, map(`${long}2`)))).toEqual([`${long}-1`, `${long}-2`]);
    expect(named(copy('', map('same')), copy('', map('same')))).toEqual(['copy-1', 'copy-2']);
  });
});

describe('the namespace of a copy', () => {
  const inside = (namespace: string, name = 'a'): KubeObject => map(name, { namespace });

  it('is the one of its objects, and none if some have another', () => {
    expect(
      named(
        copy('x', inside('one', 'shop-a'), inside('one', 'shop-b')),
        copy('z', inside('two', 'blog-a'), inside('two', 'blog-b')),
      ),
    ).toEqual(['one/shop', 'two/blog']);
    expect(
      named(copy('x', inside('one', 'shop-a'), map('shop-b')), copy('z', inside('two', 'blog-a'), map('blog-b'))),
    ).toEqual(['shop', 'blog']);
  });

  it('is not asked of kinds of the whole cluster', () => {
    const role = (name: string): KubeObject => object('ClusterRole', { name }, {}, 'rbac.authorization.k8s.io/v1');
    expect(
      named(copy('x', inside('one', 'shop-a'), role('shop-r')), copy('z', inside('two', 'blog-a'), role('blog-r'))),
    ).toEqual(['one/shop', 'two/blog']);
  });

  it('is none if the copy has it as an object: an instance cannot be in it before', () => {
    const space = (name: string): KubeObject => object('Namespace', { name });
    expect(
      named(copy('x', space('shop'), inside('shop', 'shop-a')), copy('z', space('blog'), inside('blog', 'blog-a'))),
    ).toEqual(['shop', 'blog']);
    const other = (name: string): KubeObject => object('Namespace', { name, namespace: 'one' }, {}, 'example.org/v1');
    expect(
      named(copy('x', other('one'), inside('one', 'shop-a')), copy('z', other('one'), inside('one', 'blog-a'))),
    ).not.toContain('shop');
  });
});

describe('the nodes', () => {
  const nodesOf = (...copies: Copy[]): string[] => {
    const rows: Rows = { size: copies.length, prefix: 'schema.spec' };
    const identities = ['shop', 'blog'].map((name): Identity => ({ name, namespace: '', own: name }));
    return align(copies, identities, rows).map(
      ({ kind, label, inputs, outer }) =>
        `${kind} ${label.replaceAll('\u0000', '*')} ${inputs.map((one) => (one === undefined ? '-' : nameOf(one.object))).join(',')}${outer === undefined ? '' : ' each'}`,
    );
  };
  const service = (name: string, port = 80n): KubeObject =>
    object('Service', { name }, { spec: { ports: [{ port }] } });

  it('are in the order of the objects of the first copy', () => {
    expect(
      nodesOf(
        copy('x', service('shop-b'), map('shop-a'), service('shop-a')),
        copy('z', service('blog-a'), map('blog-a'), service('blog-b')),
      ),
    ).toEqual(['Service *-b shop-b,blog-b', 'ConfigMap *-a shop-a,blog-a', 'Service *-a shop-a,blog-a']);
  });

  it('have no object in a copy that lacks it', () => {
    expect(nodesOf(copy('x', map('shop-a')), copy('z', map('blog-a'), service('blog-b')))).toEqual([
      'ConfigMap *-a shop-a,blog-a',
      'Service *-b -,blog-b',
    ]);
  });

  it('are one for objects that are alike, and have other names in other copies', () => {
    const filled = (name: string): KubeObject => object('ConfigMap', { name }, { data: { a: 'x', b: 'w', c: 'v' } });
    const copies = [copy('x', service('shop-s'), filled('red')), copy('z', service('blog-s'), filled('blue'))];
    expect(nodesOf(...copies)).toEqual(['Service *-s shop-s,blog-s', 'ConfigMap red red,blue']);
  });

  it('are two for objects that have little in common', () => {
    const one = object('ConfigMap', { name: 'red' }, { data: { a: 'x', b: 'w', c: 'v' } });
    const other = object('ConfigMap', { name: 'blue' }, { binaryData: { d: '1', e: '2', f: '3', g: '4' } });
    expect(nodesOf(copy('x', service('shop-s'), one), copy('z', service('blog-s'), other))).toEqual([
      'Service *-s shop-s,blog-s',
      'ConfigMap red red,-',
      'ConfigMap blue -,blue',
    ]);
  });

  it('are a collection for objects of one shape in different numbers', () => {
    const item = (name: string): KubeObject => object('ConfigMap', { name }, { data: { kind: 'queue', mode: 'fast' } });
    expect(
      nodesOf(copy('x', service('shop-s'), item('red'), item('green')), copy('z', service('blog-s'), item('blue'))),
    ).toEqual(['Service *-s shop-s,blog-s', 'ConfigMap  red,green,blue each']);
  });

  it('are apart where a field of the object itself is only in some', () => {
    const locked = object('ConfigMap', { name: 'blog-a' }, { immutable: true });
    expect(nodesOf(copy('x', map('shop-a')), copy('z', locked))).toEqual([
      'ConfigMap *-a shop-a,-',
      'ConfigMap *-a -,blog-a',
    ]);
    const labelled = object('ConfigMap', { name: 'blog-a', labels: { a: 'b' }, annotations: { c: 'd' } });
    expect(nodesOf(copy('x', map('shop-a')), copy('z', labelled))).toEqual(['ConfigMap *-a shop-a,blog-a']);
  });
});

describe('copies of one thing', () => {
  const groups = (...copies: Copy[]): string[][] =>
    groupsOf(copies, identitiesOf(copies, builtinKinds)).map((group) => group.map(({ name }) => name));
  const a = (name: string): KubeObject => object('ConfigMap', { name }, { data: { x: '1' } });
  const b = (name: string): KubeObject => object('Service', { name }, { spec: { ports: [{ port: 80n }] } });
  const c = (name: string): KubeObject => object('Job', { name }, { spec: { template: {} } }, 'batch/v1');

  it('have kinds and fields in common, or are connected by others', () => {
    expect(groups(copy('one', a('n')), copy('two', a('m')))).toEqual([['one', 'two']]);
    expect(groups(copy('one', a('n')), copy('two', b('m')))).toEqual([['one'], ['two']]);
    expect(groups(copy('one', a('n')), copy('two', b('m')), copy('three', a('o'), b('o')))).toEqual([
      ['one', 'two', 'three'],
    ]);
    expect(groups(copy('one', a('n')), copy('two', c('m')), copy('three', a('o')))).toEqual([
      ['one', 'three'],
      ['two'],
    ]);
  });
});

import type { Draw } from './draw.ts';
import { expressionOf, reachable, type Variable } from './expressions.ts';
import type { GeneratedPackage } from './packages.ts';
import type { Field, Json, JsonMap, Type } from './types.ts';
import { widgets } from './widgets.ts';

const field = (type: Type, optional = false): Field => ({ type, optional });

/** The values that expressions may read: every type, with and without values. */
const world: Type = {
  fields: {
    spec: field({
      fields: {
        name: field('string'),
        empty: field('string'),
        hint: field('string', true),
        count: field('int'),
        zero: field('int'),
        ratio: field('double'),
        on: field('bool'),
        zones: field({ list: 'string' }),
        none: field({ list: 'string' }),
        ports: field({ list: 'int' }),
        ratios: field({ list: 'double' }),
        labels: field({ map: 'string' }),
        limits: field({ map: 'int' }),
        box: field({
          fields: { width: field('int'), title: field('string', true), tags: field({ list: 'string' }, true) },
        }),
        boxes: field({ list: { fields: { width: field('int', true), title: field('string', true) } } }),
        free: field('dyn'),
        grid: field({ list: { list: 'string' } }),
      },
    }),
    metadata: field({ fields: { name: field('string'), labels: field({ map: 'string' }, true) } }),
  },
};

const schema: JsonMap = {
  apiVersion: 'v1alpha1',
  kind: 'App',
  types: { Box: { width: 'integer', title: 'string', tags: '[]string' } },
  spec: {
    name: 'string',
    empty: 'string | default=""',
    hint: 'string',
    count: 'integer | default=3',
    zero: 'integer | default=0',
    ratio: 'float | default=1.5',
    on: 'boolean | default=true',
    zones: '[]string',
    none: '[]string',
    ports: '[]integer',
    ratios: '[]float',
    labels: 'map[string]string',
    limits: 'map[string]integer',
    box: 'Box',
    boxes: '[]Box',
    free: 'object',
    grid: '[][]string',
  },
};

const instance: JsonMap = {
  apiVersion: 'kro.run/v1alpha1',
  kind: 'App',
  metadata: { name: 'one', namespace: 'default', labels: { team: 'alpha' } },
  spec: {
    name: 'web',
    zones: ['b', 'a', 'c', 'a'],
    none: [],
    ports: [80, 8080, 443],
    ratios: [0.5, 2, -1.25],
    labels: { a: 'b', team: 'beta', 'dash-key': 'x y' },
    limits: { a: 1, b: -2 },
    box: { width: 7 },
    boxes: [{ width: 1, title: 'Ünï' }, { width: 2 }, {}],
    free: { text: 't', n: 1, f: 1.5, list: [1, 'a', null, { k: true }], nothing: null },
    grid: [['a', 'b'], [], ['c']],
  },
};

/** References that expressions may read: an object with a set and a keyed list, existing objects, and missing ones. */
const references: JsonMap[] = [
  { id: 'kin', externalRef: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'kin' } } },
  ...['peers', 'nobody'].map((id) => ({
    id,
    externalRef: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { namespace: 'default', selector: { matchLabels: { group: id } } },
    },
  })),
];

const referenced: readonly Variable[] = [
  { path: 'kin.spec.marks', type: { list: 'string' }, optional: false },
  { path: 'kin.spec.rules', type: { list: 'dyn' }, optional: false },
  { path: 'peers', type: { list: 'dyn' }, optional: false },
  { path: 'nobody', type: { list: 'dyn' }, optional: false },
];

const widget = (name: string, labels: JsonMap, spec: JsonMap): JsonMap => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default', labels },
  spec,
});

const observed: JsonMap[] = [
  widget('kin', {}, { marks: ['b', 'a'], rules: [{ name: 'b', weight: 2 }, { name: 'a' }] }),
  widget('peer-a', { group: 'peers' }, { size: 1 }),
  widget('peer-b', { group: 'peers' }, { size: 2, marks: [] }),
];

const results: Type[] = [
  'string',
  'string',
  'int',
  'bool',
  'double',
  { list: 'string' },
  { list: 'int' },
  { map: 'string' },
  { map: 'int' },
  { list: 'double' },
  { list: 'dyn' },
  'dyn',
];

/** Returns an expression over these values. */
export function worldExpression(draw: Draw): string {
  const variables = [...reachable([{ path: 'schema', type: world, optional: false }]), ...referenced];
  const scope = { variables, nested: 0 };
  return expressionOf(draw, scope, draw.pick(results), draw.int(1, 4));
}

/** Returns a package in which each expression is the value of a field of any type, in its own object. */
export function packageOfExpressions(expressions: readonly string[]): GeneratedPackage {
  const read = references.filter(({ id }) => expressions.some((text) => new RegExp(`\\b${id}\\b`).test(text)));
  const nodes: Json[] = expressions.map((expression, index) => ({
    id: `node${index}`,
    template: {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: `w${index}` },
      spec: { free: `\${${expression}}` },
    },
  }));
  const rgd: JsonMap = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'app' },
    spec: { schema, resources: [...read, ...nodes] },
  };
  return { objects: [widgets, rgd, instance], observed };
}

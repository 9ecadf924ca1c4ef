import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/core/diagnostics/diagnostic.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { type InputObject, titleOf } from '../../../src/core/model/object.ts';
import { formatPath } from '../../../src/core/model/value.ts';
import { readRgds } from '../../../src/kro/definition/index.ts';
import { readDefinition } from '../../../src/kro/definition/read.ts';
import { readPackage } from '../../../src/kubernetes/front-end/index.ts';
import { flattenObjects } from '../../../src/yaml/parse/flatten.ts';
import { readStreams } from '../../../src/yaml/parse/yaml.ts';

function sorted(text: string) {
  const reports = new Collector();
  const pack = readPackage({ objects: readStreams([{ file: 'f', text }], reports) }, [], reports);
  const { candidates: others, ...rest } = readRgds(pack, new Collector());
  return { ...rest, others, reports: reports.all };
}

const titles = (inputs: readonly InputObject[]): string[] => inputs.map(({ object }) => titleOf(object));
const told = (reports: readonly Report[]): string[] =>
  reports.map(({ severity = 'error', code, source, path }) => {
    return `${severity} ${code} ${source?.document} ${formatPath([...(source?.path ?? []), ...path])}`.trim();
  });

test('objects are sorted by purpose', () => {
  const { objects, rgds, crds, observed, others, reports } = sorted(`
{apiVersion: v1, kind: Service, metadata: {name: s}}
---
{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: r}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c}}
---
{apiVersion: v1, kind: Service, metadata: {name: o, annotations: {render-rgd.dev/observed: "true"}}}
---
{apiVersion: v1, kind: Service, metadata: {name: p, annotations: {render-rgd.dev/observed: "false"}}}
---
{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a}}
---
{apiVersion: other.dev/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: x}}
`);
  expect(reports).toEqual([]);
  expect(titles(rgds)).toEqual(['ResourceGraphDefinition/r']);
  expect(titles(crds)).toEqual(['CustomResourceDefinition/c']);
  expect(titles(observed)).toEqual(['Service/o']);
  expect(titles(others)).toEqual(['Service/s', 'Service/p', 'App/a', 'ResourceGraphDefinition/x']);
  expect(objects).toHaveLength(7);
});

test('equal duplicates of an RGD count once, and different ones do not', () => {
  const rgd = (kind: string): string =>
    `{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: r}, spec: {schema: {kind: ${kind}}}}`;
  const { objects, rgds } = sorted([rgd('A'), rgd('A'), rgd('B')].join('\n---\n'));
  expect([objects.length, rgds.length]).toEqual([3, 2]);
});

test('annotations of tools on an RGD do not make it different, but those of users do', () => {
  const rgd = (annotation: string): string =>
    `{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: r, annotations: {${annotation}}}}`;
  const notes = ['config.kubernetes.io/local-config: "true"', 'internal.config.kubernetes.io/path: a.yaml'];
  expect(sorted(notes.map(rgd).join('\n---\n')).rgds).toHaveLength(1);
  const asked = ['render-rgd.dev/mode: passthrough', 'mine: "1"', ''];
  expect(sorted(asked.map(rgd).join('\n---\n')).rgds).toHaveLength(3);
});

test.each([
  ['name', '{name: Big Name}'],
  ['name', '{name: ../x}'],
  ['name', '{name: /etc/passwd}'],
  ['uid', '{name: a, uid: a b}'],
])('an RGD cannot have the %s of %s', (field, metadata) => {
  const reports = new Collector();
  const text = `{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: ${metadata}, spec: {schema: {kind: A, apiVersion: v1}}}`;
  const [rgd] = flattenObjects(readStreams([{ file: 'f', text }], reports), reports);
  expect(rgd && readDefinition(rgd, reports)).toBeUndefined();
  expect(told(reports.all)).toEqual([`error rgd-shape 0 metadata.${field}`]);
});

describe('lists', () => {
  test('have no index of their own, at any depth', () => {
    const { objects, reports } = sorted(`
apiVersion: v1
kind: List
items:
  - {apiVersion: v1, kind: Service, metadata: {name: a}}
  - apiVersion: v1
    kind: ConfigMapList
    items:
      - metadata: {name: b}
        data: {items: c}
---
{apiVersion: v1, kind: List}
---
{apiVersion: v1, kind: PodList, items: []}
`);
    expect(reports).toEqual([]);
    expect(titles(objects)).toEqual(['Service/a', 'ConfigMap/b']);
    expect(objects.map(({ source }) => source?.path)).toEqual([
      ['items', 0],
      ['items', 1, 'items', 0],
    ]);
  });

  test('include only kinds that end in List and have items', () => {
    const { objects } = sorted('{apiVersion: a.b/v1, kind: AllowList, metadata: {name: l}, spec: {items: []}}');
    expect(titles(objects)).toEqual(['AllowList/l']);
  });
});

describe('documents that are not objects', () => {
  test.each<[string, string, string[]]>([
    ['values', 'a: 1\n', ['info not-an-object 0']],
    ['no kind', 'apiVersion: v2\nname: chart\n', ['error object-shape 0']],
    ['an empty kind', '{apiVersion: v1, kind: ""}', ['error object-shape 0']],
    ['no apiVersion', 'kind: Deployment\nmetadata: {name: a}\n', ['error object-shape 0']],
    ['a null apiVersion', '{apiVersion: null, kind: A}', ['error object-shape 0']],
    ['kind in upper case', '{apiVersion: v1, Kind: A}', ['error object-shape 0']],
    ['both in other cases', '{apiversion: v1, Kind: A}', ['error object-shape 0']],
    ['only one of them in another case', '{ApiVersion: v1, name: A}', ['info not-an-object 0']],
    ['an array of objects', '[{apiVersion: v1, kind: A}]', ['error object-shape 0']],
    ['a list', '- a\n---\nhello\n', ['info not-an-object 0', 'info not-an-object 1']],
    [
      'items',
      '{apiVersion: v1, kind: List, items: [1, null, {a: 1}, {kind: A}]}',
      [0, 1, 2, 3].map((index) => `error object-shape 0 items[${index}]`),
    ],
    ['numbers', 'apiVersion: 1\nkind: true\n', ['error object-shape 0 apiVersion', 'error object-shape 0 kind']],
    ['metadata that is no map', '{apiVersion: v1, kind: A, metadata: x}', ['error object-shape 0 metadata']],
    [
      'metadata of the wrong type',
      '{apiVersion: v1, kind: A, metadata: {name: 1, namespace: [], labels: {a: 1, b: null}, annotations: x}}',
      ['name', 'namespace', 'labels.a', 'annotations'].map((field) => `error object-shape 0 metadata.${field}`),
    ],
  ])('%s', (_, text, expected) => {
    const { objects, reports } = sorted(text);
    expect(objects).toEqual([]);
    expect(told(reports)).toEqual(expected);
  });

  // The tools complete these files.
  test.each([
    ['chart/Chart.yaml', '{apiVersion: v2, name: chart, version: 0.1.0}', 'info not-an-object 0'],
    ['Chart.yaml', '{apiVersion: v3, name: chart}', 'error object-shape 0'],
    ['Chart.yaml', '{apiVersion: v1, metadata: {name: chart}}', 'error object-shape 0'],
    ['values.yaml', '{apiVersion: v2, name: chart}', 'error object-shape 0'],
    ['tsconfig.json', '{compilerOptions: {}}', 'info not-an-object 0'],
  ])('%s: %s', (file, text, expected) => {
    const reports = new Collector();
    readPackage({ objects: readStreams([{ file, text }], reports) }, [], reports);
    expect(told(reports.all)).toEqual([expected]);
  });

  test.each([
    ['a/kustomization.yaml', '{kind: Component, resources: [a]}'],
    ['kustomization.yaml', '{resources: [a]}'],
    // kustomize reads no Kustomization.yml.
    ['Kustomization', '{apiVersion: kustomize.config.k8s.io/v1beta1}'],
  ])('%s is ignored: %s', (file, text) => {
    const reports = new Collector();
    readPackage({ objects: readStreams([{ file, text }], reports) }, [], reports);
    expect(reports.all).toEqual([]);
  });

  test('without metadata are valid', () => {
    expect(sorted('{apiVersion: v1, kind: A}\n---\n{apiVersion: v1, kind: B, metadata: {name: null}}').reports).toEqual(
      [],
    );
  });

  test('created in memory have no source', () => {
    const reports = new Collector();
    readPackage({ objects: [{ object: { apiVersion: 'v1', kind: 'A', metadata: 'x' } }] }, [], reports);
    expect(reports.all).toEqual([
      {
        code: 'object-shape',
        message: 'must be a map, got a string',
        args: { expected: 'a map', got: 'a string' },
        path: ['metadata'],
        object: 'A/',
      },
    ]);
  });
});

import { expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { InputObject } from '../../../src/core/model/object.ts';
import { compileRgds } from '../../../src/kro/compile/index.ts';
import { readDefinition } from '../../../src/kro/definition/index.ts';
import { kindsOf } from '../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

const rgd = (apiVersion: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
  - {id: a, template: {apiVersion: ${apiVersion}, kind: Widget, metadata: {name: a}}}
`;
const crd = (kind: string): string => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
const read = (text: string, file = 'a.yaml'): InputObject[] =>
  readStreams([{ file, text }], new Collector()) as InputObject[];

function compiled(rgds: readonly InputObject[], crds: readonly InputObject[], options: object = {}) {
  const reports = new Collector();
  const definitions = rgds.flatMap((input) => readDefinition(input, reports) ?? []);
  const kinds = kindsOf(crds, undefined, defaultRenderOptions.kubernetes, reports);
  const graphs = compileRgds(definitions, { kinds, options: { ...defaultRenderOptions, ...options } }, reports);
  return { graph: graphs.get('App.kro.run'), reports: reports.all };
}

it('an RGD is compiled once while its dependencies do not change', () => {
  const rgds = read(rgd('example.com/v1'));
  const crds = read(crd('Widget'));
  const first = compiled(rgds, crds);
  expect(first.reports).toEqual([]);
  expect(compiled(rgds, crds).graph).toBe(first.graph);
  const other = compiled(rgds, read(crd('Widget'))).graph;
  expect(other).not.toBe(first.graph);
  expect(compiled(rgds, [])).toMatchObject({ reports: [{ code: 'unknown-kind', severity: 'warning' }] });
});

it('an RGD is compiled again with other compile options', () => {
  const rgds = read(rgd('example.com/v1'));
  expect(compiled(rgds, []).reports).toMatchObject([{ severity: 'warning' }]);
  expect(compiled(rgds, [], { strict: true })).toMatchObject({ graph: undefined, reports: [{ severity: 'error' }] });
  expect(compiled(rgds, []).graph?.nodes[0]?.namespaced).toBe(true);
  expect(compiled(rgds, [], { clusterScoped: ['Widget.example.com'] }).graph?.nodes[0]?.namespaced).toBe(false);
});

it('a suggestion is repeated only while its kind is known', () => {
  const rgds = read(rgd('example.com/v1'));
  const hintWith = (kind: string) => compiled(rgds, read(crd(kind))).reports[0]?.hint;
  expect(hintWith('Widgets')).toContain('did you mean example.com/v1 Widgets?');
  expect(hintWith('Wodget')).toContain('did you mean example.com/v1 Wodget?');
});

it('a cached diagnostic has the current location of its RGD', () => {
  const [input] = read(rgd('example.com/v1')) as [InputObject];
  const [moved] = read(`# moved\n${rgd('example.com/v1')}`, 'b.yaml') as [InputObject];
  const first = compiled([input], []);
  const { object } = input;
  const again = compiled([{ ...moved, object }], []);
  expect(again.reports).toEqual(first.reports.map((report) => ({ ...report, source: moved.source })));
  expect(again.graph?.input.source).toBe(moved.source);
  expect(again.graph?.nodes).toBe(first.graph?.nodes);
  const [bare] = compiled([{ object }], []).reports;
  expect(bare?.code).toBe('unknown-kind');
  expect(bare?.source).toBeUndefined();
});

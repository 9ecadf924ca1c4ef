/** An expression that is written twice means what its names mean where it is written. */
import { expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { InputObject } from '../../../src/core/model/object.ts';
import { compileRgds } from '../../../src/kro/compile/index.ts';
import { readDefinition } from '../../../src/kro/definition/index.ts';
import { kindsOf } from '../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

function codesOf(nodes: string, options: object = {}): string[] {
  const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {names: "[]string", ports: "[]integer"}}
  resources:
${nodes}`;
  const reports = new Collector();
  const [input] = readStreams([{ file: 'a.yaml', text }], new Collector());
  const definition = readDefinition(input as InputObject, reports);
  if (definition === undefined) throw new Error('not an RGD');
  const kinds = kindsOf([], undefined, defaultRenderOptions.kubernetes, reports);
  compileRgds([definition], { kinds, options: { ...defaultRenderOptions, ...options } }, reports);
  return reports.all.map(({ code, node }) => `${node}: ${code}`);
}

const node = (id: string, data: string, more = ''): string =>
  `  - {id: ${id}, ${more}template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${id}-\${schema.metadata.name}"}, data: {a: "${data}"}}}\n`;

it('a node cannot read itself with an expression that another node has', () => {
  expect(codesOf(node('a', '${b.metadata.namespace}') + node('b', '${b.metadata.namespace}'))).toEqual([
    'b: name-not-here',
  ]);
});

it('an iterator is of the type of its own list', () => {
  const each = (list: string): string => `forEach: [{x: "\${schema.spec.${list}}"}], `;
  const named = (id: string, list: string): string =>
    node(id, '${x}', each(list)).replace('-${schema', '-${string(x)}-${schema');
  expect(codesOf(named('a', 'names') + named('b', 'names'))).toEqual([]);
  expect(codesOf(named('a', 'names') + named('b', 'ports'))).toEqual(['b: field-type']);
  expect(codesOf(named('a', 'ports') + named('b', 'names'))).toEqual(['a: field-type']);
});

it('an iterator hides a node of an expression before', () => {
  const reader = node('a', '${b.metadata.namespace}');
  const hides = node('c', '${b}', 'forEach: [{b: "${schema.spec.names}"}], ').replace('c-$', '${b}-$');
  const codes = codesOf(reader + node('b', 'x') + hides);
  expect(codesOf(reader + node('b', 'x'))).toEqual([]);
  expect(codes).toEqual(codesOf(hides + reader + node('b', 'x')));
});

it('readyWhen reads the node itself where another one reads it too', () => {
  const ready = (text: string): string => `readyWhen: ["\${${text}}"], `;
  const condition = `b.metadata.name == 'x'`;
  expect(codesOf(node('a', `\${string(${condition})}`) + node('b', 'x', ready(condition)))).toEqual([]);
  expect(codesOf(node('b', 'x', ready(condition)) + node('a', 'x', ready(condition)))).toEqual(['a: name-not-here']);
});

it('omit() is known in a template, and nowhere else', () => {
  const call = `schema.metadata.name == 'x' ? omit() : 'y'`;
  const inTemplate = node('a', `\${${call}}`);
  const inCondition = node('b', 'x', `includeWhen: ["\${${call}}"], `);
  const options = { experimental: ['omit'] };
  expect(codesOf(inTemplate, options)).toEqual([]);
  expect(codesOf(inTemplate + inCondition, options)).toEqual(codesOf(inCondition + inTemplate, options));
  expect(codesOf(inTemplate + inCondition, options)).toContain('b: function-not-here');
});

it('the search for errors stops once there are more than are shown', () => {
  const fields = Array.from({ length: 1500 }, (_, index) => `k${index}: "\${schema.spec.name${index}}"`);
  const codes = codesOf(node('a', 'x').replace('a: "x"', fields.join(', ')));
  expect(codes.length).toBeGreaterThan(1000);
  expect(codes.length).toBeLessThan(1100);
});

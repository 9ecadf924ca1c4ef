import { describe, expect, it } from 'vitest';
import { comparisonText } from '../../../src/compare/diff/index.ts';
import { compare, packageOf } from './versions.ts';

const pod = (containers: string, more = '') =>
  packageOf({ p: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [${containers}]${more}}}` });
const pathsOf = (before: string, after: string) =>
  compare(before, after).changes.flatMap(({ fields }) => fields.map(({ path }) => path));
const map = (list: string) =>
  packageOf({ x: `{apiVersion: v1, kind: ConfigMap, metadata: {name: x, finalizers: ${list}}}` });
const crd = (keys: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                rules:
                  type: array
                  ${keys}
                  items: {type: object, properties: {host: {type: string}, to: {type: string}}, required: [host]}
---
`;
const box = (rules: string) =>
  packageOf({ b: `{apiVersion: example.com/v1, kind: Box, metadata: {name: b}, spec: {rules: ${rules}}}` });

describe('a path', () => {
  it.each([
    [
      '{name: a, image: x}, {name: b, image: x}',
      '{name: a, image: x}, {name: b, image: z}',
      ['spec.containers[b].image'],
    ],
    ['{name: a, image: x}', '{name: new, image: x}, {name: a, image: x}', ['spec.containers[new]']],
    ['{name: a, image: x}, {name: b, image: x}', '{name: b, image: x}, {name: a, image: x}', ['spec.containers']],
    [
      '{name: a, image: x, env: [{name: A, value: "1"}, {name: C, value: "1"}]}',
      '{name: a, image: x, env: [{name: A, value: "1"}, {name: B, value: "1"}, {name: C, value: "2"}]}',
      ['spec.containers[a].env[B]', 'spec.containers[a].env[C].value'],
    ],
    [
      '{name: a, image: x, ports: [{containerPort: 80}]}',
      '{name: a, image: x, ports: [{containerPort: 80, name: web}, {containerPort: 53, protocol: UDP}]}',
      ['spec.containers[a].ports[53,UDP]', 'spec.containers[a].ports[80,TCP].name'],
    ],
    [
      '{name: a, image: x, args: [one, two, three]}',
      '{name: a, image: x, args: [zero, one, two, more, three]}',
      ['spec.containers[a].args[0]', 'spec.containers[a].args[3]'],
    ],
    ['{name: a, image: x, args: [one, two]}', '{name: a, image: x, args: [one, 2nd]}', ['spec.containers[a].args[1]']],
  ])('%s to %s', (before, after, paths) => {
    expect(pathsOf(pod(before), pod(after))).toEqual(paths);
    expect(pathsOf(pod(after), pod(before))).toEqual(paths);
  });

  it('names items of a list by the keys of the CRD, or by name where no schema says how', () => {
    const keys = 'x-kubernetes-list-type: map\n                  x-kubernetes-list-map-keys: [host]';
    const [old, young] = ['[{host: a, to: x}, {host: b, to: x}]', '[{host: new}, {host: a, to: x}, {host: b, to: z}]'];
    expect(pathsOf(crd(keys) + box(old), crd(keys) + box(young))).toEqual(['spec.rules[b].to', 'spec.rules[new]']);
    expect(
      pathsOf(
        crd('x-kubernetes-list-type: atomic') + box('[{host: a, to: x}]'),
        crd('x-kubernetes-list-type: atomic') + box('[{host: a, to: z}]'),
      ),
    ).toEqual(['spec.rules[0].to']);
  });

  it('quotes keys of maps, and names of items that are ambiguous', () => {
    const data = (text: string) =>
      packageOf({ x: `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a.conf: ${text}}}` });
    expect(pathsOf(data('x'), data('z'))).toEqual(['data["a.conf"]']);
    expect(pathsOf(pod('{name: "7", image: x}'), pod('{name: "7", image: z}'))).toEqual([
      'spec.containers[name="7"].image',
    ]);
    expect(pathsOf(map('[a]'), map('[a, b]'))).toEqual(['metadata.finalizers[1]']);
  });

  it('is printed above the lines of a text that differ', () => {
    const text = (five: string) => ['one', 'two', 'three', 'four', `five: ${five}`, 'six', ''].join('\\n');
    const conf = (five: string) =>
      packageOf({
        x: `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {dev.conf: "${text(five)}", prod.conf: "${text('x')}"}}`,
      });
    expect(comparisonText(compare(conf('a'), conf('b')))).toContain(
      '\n  @@ data["dev.conf"], line 2 @@\n   two\n   three\n   four\n  -five: a\n  +five: b\n   six\n\n1 changed\n',
    );
  });

  it('distinguishes containers from init containers', () => {
    const env = (value: string) => `[{name: app, image: a, env: [{name: DB_URL, value: ${value}}]}]`;
    const [old, young] = ['old', 'new'].map((value) => pod(env(value).slice(1, -1), `, initContainers: ${env('old')}`));
    expect(pathsOf(old as string, young as string)).toEqual(['spec.containers[app].env[DB_URL].value']);
  });
});

import { prove } from '../../../../src/author/extract/prove.ts';
import type { KubeObject } from '../../../../src/core/model/object.ts';
import { builtinKinds } from '../../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../../src/render/options/index.ts';
import { toDiagnostics } from '../../../../src/yaml/locate/index.ts';
import { command, type Example, type Found } from './example.ts';

const object = (kind: string, name: string, rest: string): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: { ${name} }\n${rest}\n---\n`;

/** Extracts an RGD of the copies, which differ in a label. */
const extracting = (...objects: readonly string[]) =>
  command(['extract', '-', '--kind', 'Thing', '--by', 'label=copy'], objects.join(''));

const inCopy = (copy: string, name: string, data: string): string =>
  object('ConfigMap', `name: ${name}, labels: { copy: ${copy} }`, `data: ${data}`);

/** No input is known for which a wrong RGD is found, so the proof gets one. */
function wrongRgd(): readonly Found[] {
  const schema = { apiVersion: 'v1', kind: 'Thing', group: 'example.com', spec: {} };
  const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: 'B' } };
  const rgd: KubeObject = {
    apiVersion: 'kro.run/v1alpha1',
    kind: 'ResourceGraphDefinition',
    metadata: { name: 'thing' },
    spec: { schema, resources: [{ id: 'configMap', template }] },
  };
  const instance: KubeObject = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: {} };
  const object: KubeObject = { ...template, data: { key: 'A' } };
  const copies = [{ name: 'a', objects: [{ object }] }];
  const { reports } = prove({
    rgd,
    instances: [instance],
    copies,
    nodes: [],
    kinds: builtinKinds,
    beside: {},
    options: defaultRenderOptions,
  });
  return toDiagnostics(reports);
}

export const extractExamples = {
  'extract-secret': {
    find: extracting(object('Secret', 'name: a, labels: { copy: a }', 'stringData: { password: hidden }')),
    hint: 'externalRef',
  },
  'extract-object': { find: extracting(object('ConfigMap', 'generateName: a-, labels: { copy: a }', '')) },
  'extract-groups': {
    find: extracting(
      inCopy('a', 'a', '{}'),
      object('Service', 'name: b, labels: { copy: b }', 'spec: { type: A, clusterIP: B }'),
    ),
    hint: 'a; b',
  },
  'extract-type': {
    find: command(
      ['extract', '-', '--kind', 'Thing', '--by', 'label=copy'],
      ['1', 'x']
        .map(
          (value, at) =>
            `apiVersion: e.io/v1\nkind: E\nmetadata: { name: e${at}, labels: { copy: c${at} } }\nspec: ${value}\n---\n`,
        )
        .join(''),
    ),
  },
  'extract-answer': {
    find: command(['extract', '-', '--kind', 'Thing', '--rename', 'size=replicas'], inCopy('a', 'a', '{}')),
    hint: 'the fields are',
  },
  'extract-differs': { find: wrongRgd },
} as const satisfies Record<string, Example>;

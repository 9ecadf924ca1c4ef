import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import { answering, type Example, inFolder, rendering } from './example.ts';
import { object, rgd, x } from './objects.ts';

const API = 'fluxcd.controlplane.io/v1';
const entry = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const set = (spec: object, name = 'quay') => object(API, 'ResourceSet', { name, namespace: 'harbour' }, { spec });
const provider = (spec: object, name = 'crew') =>
  object(API, 'ResourceSetInputProvider', { name, namespace: 'harbour' }, { spec });
const template = (resourcesTemplate: string, inputs: object[] = []) => rendering([set({ inputs, resourcesTemplate })]);
const labelled = (value: string) => ({ ...entry, metadata: { name: 'a', labels: { live: value } } });

const yaml = (one: object): string => JSON.stringify(one);

export const resourceSetExamples = {
  'resourceset-left-out': {
    find: inFolder(
      { 'sets.yaml': `${yaml(set({ resources: [entry] }))}\n---\n${yaml(set({ resources: [entry] }, 'other'))}` },
      'render',
      'sets.yaml',
    ),
    severity: 'warning',
  },
  'resourceset-shape': { find: rendering([set({ inputs: { a: 1 } })]), hint: '- before each item' },
  'resourceset-field': {
    find: rendering([set({ Inputs: [], resources: [entry] })]),
    severity: 'warning',
    hint: 'did you mean inputs?',
  },
  'inputs-file': {
    find: inFolder(
      { 'set.yaml': yaml(set({ resources: [entry] })), 'inputs.yaml': 'a: 1' },
      'render',
      'set.yaml',
      '--inputs-from',
      'inputs.yaml',
    ),
    hint: 'a list',
  },
  'defaults-file': {
    find: inFolder(
      { 'rgd.yaml': yaml(rgd({})), 'x.yaml': yaml(x()), 'prod.yaml': yaml(entry) },
      'render',
      'rgd.yaml',
      'x.yaml',
      '--defaults',
      'prod.yaml',
      '--allow-empty',
    ),
    hint: 'write only spec',
  },
  'provider-kind': {
    find: inFolder(
      {
        'set.yaml': yaml(set({ inputsFrom: [{ name: 'crew' }], resources: [entry] })),
        'providers.yaml': `${yaml(provider({ type: 'Static' }))}\n---\n${yaml(entry)}`,
      },
      'render',
      'set.yaml',
      '--definitions',
      'providers.yaml',
    ),
    hint: 'another file',
  },
  'template-syntax': { find: template('<< inputs.api-port >>'), hint: 'index inputs' },
  'template-key': { find: template('<< inputs.mast >>', [{ mist: 1 }]), hint: "'mist'" },
  'template-execution': { find: template('<< repeat inputs.count "x" >>', [{ count: 1n }]), hint: '| int' },
  permutation: {
    find: rendering([
      provider({ type: 'Static' }, '---'),
      set({ inputStrategy: { name: 'Permute' }, inputsFrom: [{ name: '---' }], resources: [entry] }),
    ]),
    hint: 'another name',
  },
  'order-cycle': {
    find: rendering(
      [
        set({ dependsOn: [{ apiVersion: API, kind: 'ResourceSet', name: 'pier' }], resources: [entry] }),
        set(
          {
            dependsOn: [{ apiVersion: API, kind: 'ResourceSet', name: 'quay' }],
            resources: [{ ...entry, metadata: { name: 'b' } }],
          },
          'pier',
        ),
      ],
      { order: 'argocd' },
    ),
    hint: 'spec.dependsOn',
  },
  'rendered-yaml': { find: template('a: << inputs.v >>', [{ v: 'b: c' }]), hint: 'quote' },
  'rendered-object': { find: template('text') },
  'incomplete-object': { find: answering([set({ resources: [{ ...entry, metadata: {} }] })]), hint: 'template' },
  'rendered-metadata': {
    find: rendering([set({ inputs: [{ live: true }], resources: [labelled('<< inputs.live >>')] })]),
    hint: 'quote',
  },
  'document-left-out': {
    find: template('{apiVersion: v1, kind: Pod}\n---\n{apiVersion: v1, kind: Pod, metadata: {name: a}}'),
    severity: 'warning',
  },
  'no-objects': { find: template('# nothing') },
  'equal-inputs': {
    find: rendering([
      set({
        inputs: [
          { a: 'b', c: 1 },
          { c: 1, a: 'b' },
        ],
        resources: [entry],
      }),
    ]),
    severity: 'warning',
    hint: 'remove one',
  },
  'no-inputs': {
    find: rendering([
      provider({ type: 'Static' }),
      set({ inputsFrom: [{ selector: { matchLabels: { a: 'b' } } }], resources: [entry] }),
    ]),
    severity: 'warning',
  },
  'provider-not-found': {
    find: rendering([
      provider({ type: 'Static' }),
      set({ inputs: [{}], inputsFrom: [{ name: 'gone' }], resources: [entry] }),
    ]),
    hint: '--observed',
  },
  'provider-twice': {
    find: rendering([
      provider({ type: 'Static' }),
      provider({ type: 'Static', defaultValues: {} }),
      set({ inputsFrom: [{ name: 'crew' }], resources: [entry] }),
    ]),
    hint: 'rename',
  },
  'provider-pending': {
    find: rendering([
      provider({ type: 'GitHubTag', url: 'https://github.com/example/app' }),
      set({ inputsFrom: [{ name: 'crew' }], resources: [entry] }),
    ]),
    hint: '--observed',
  },
  'operator-only': { find: rendering([set({ wait: true, resources: [entry] })]), severity: 'info' },
} as const satisfies Partial<Record<Code, Example>>;

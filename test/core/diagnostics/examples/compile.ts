import { validate } from '../../../../src/api/index.ts';
import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import { type Example, rendering } from './example.ts';
import { configMap, graphOf, object, rgd, service } from './objects.ts';

const compiling = (schema: object, ...resources: object[]) => rendering([rgd(schema, resources)]);
const configured = (data: object, metadata: object = {}, node: object = {}) =>
  compiling({ spec: { number: 'integer', texts: '[]string' } }, configMap('a', data, metadata, node));
const field = (type: unknown) => compiling({ spec: { field: type } });
const bucket = { id: 'a', template: { apiVersion: 'e.example/v1', kind: 'Bucket', metadata: { name: 'a' } } };
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crd' },
  spec: { group: '${schema.metadata.name}' },
};
const nested = { id: 'y', template: { apiVersion: 'kro.run/v1alpha1', kind: 'Y', metadata: { name: 'y' } } };
const back = { id: 'x', template: { apiVersion: 'kro.run/v1alpha1', kind: 'X', metadata: { name: 'x' } } };
const y = object(
  'kro.run/v1alpha1',
  'ResourceGraphDefinition',
  { name: 'y' },
  {
    spec: { schema: { apiVersion: 'v1alpha1', kind: 'Y' }, resources: [back] },
  },
);
const deep = Array.from({ length: 70 }).reduce<object>((inner) => ({ a: inner }), { a: 'string' });

const budget = { kind: 'PodDisruptionBudget', metadata: { name: 'a' }, spec: {} };
const claim = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'a' }, spec: {} };

const crdOf = (type: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {size: {type: ${type}}}}}}]
---
`;
const SEVERAL_CRDS = `${crdOf('string')}${crdOf('integer')}{apiVersion: example.org/v1, kind: Widget, metadata: {name: a}, size: 1}`;

export const compileExamples = {
  'graph-node': { find: rendering([graphOf([{ id: 'each', def: {} }])], { experimental: ['graph'] }) },
  'rgd-kind': { find: compiling({ kind: 'lower' }) },
  'rgd-version': { find: compiling({ apiVersion: 'group/v1' }), hint: 'group' },
  'rgd-group': { find: compiling({ group: 'Not A Name' }) },
  'rgd-scope': { find: compiling({ scope: 'Galaxy' }) },
  'rgd-cycle': { find: rendering([rgd({}, [nested]), y]) },
  'rgd-plural': { find: compiling({ plural: 'Exes' }) },
  'plural-defined-twice': { find: rendering([rgd({}), rgd({ kind: 'Y', plural: 'xes' }, [], { name: 'other' })]) },
  'kind-defined-twice': { find: rendering([rgd({}), rgd({}, [], { name: 'other' })]) },
  'node-id': { find: compiling({}, { ...configMap('a'), id: 'Upper' }) },
  'node-shape': { find: compiling({}, { id: 'a' }) },
  'selector-shape': {
    find: compiling(
      {},
      {
        id: 'a',
        externalRef: { apiVersion: 'v1', kind: 'Pod', metadata: { selector: { matchLabel: { a: 'b' } } } },
      },
    ),
    hint: "'matchLabels'",
  },
  'iterator-name': { find: configured({}, { name: 'a-${spec}' }, { forEach: [{ spec: '${["b"]}' }] }) },
  'iterator-not-in-identity': {
    find: configured({}, { name: 'a' }, { forEach: [{ b: '${["b"]}' }] }),
    hint: '${schema.metadata.name}-${b}',
  },
  'template-shape': {
    find: compiling({}, { id: 'a', template: { apiVersion: 'v1', kind: '${"Pod"}', metadata: {} } }),
  },
  'ambiguous-kind': {
    find: () => validate({ objects: [{ file: 'input.yaml', text: SEVERAL_CRDS }] }).diagnostics,
    severity: 'warning',
  },
  'unknown-kind': { find: compiling({}, bucket), severity: 'warning', hint: '--cluster-scoped' },
  'api-removed': {
    find: compiling({}, { id: 'a', template: { ...budget, apiVersion: 'policy/v1beta1' } }),
    hint: 'use policy/v1 PodDisruptionBudget',
  },
  'api-not-yet-served': {
    find: rendering([rgd({}, [{ id: 'a', template: claim }])], { kubernetes: '1.33' }),
    hint: '--kubernetes',
  },
  'field-not-served': {
    find: rendering([rgd({}, [service({ trafficDistribution: 'PreferClose' })])], { kubernetes: '1.29' }),
    hint: '--kubernetes',
  },
  'unknown-template-field': { find: compiling({}, service({ clusterIp: 'None' })), hint: "'clusterIP'" },
  'unknown-literal-field': { find: compiling({}, service({ ports: '${[{"prot": 80}]}' })), hint: "'port'" },
  'field-type': { find: configured({ a: '${schema.spec.number}' }), hint: 'string(schema.spec.number)' },
  'doubtful-type': { find: compiling({}, service({ sessionAffinityConfig: '${"x"}' })), severity: 'warning' },
  'bytes-value': {
    find: compiling(
      {},
      {
        id: 'a',
        template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, binaryData: { k: '${b"a"}' } },
      },
    ),
    severity: 'warning',
    hint: 'dyn(base64.encode(b"a"))',
  },
  'text-part-type': { find: configured({ a: 'n ${schema.spec.number}' }), hint: 'string(schema.spec.number)' },
  'reserved-key': { find: configured({}, { labels: { 'kro.run/owned': 'no' } }) },
  'namespace-on-cluster-kind': {
    find: compiling(
      {},
      { id: 'a', template: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', namespace: 'b' } } },
    ),
  },
  'namespace-missing': { find: compiling({ scope: 'Cluster' }, configMap('a')) },
  'alpha-field': {
    find: rendering([rgd({}, [configMap('a', {}, {}, { deletionPolicy: 'Orphan' })])], {
      kro: '0.10',
      experimental: ['deletionPolicy'],
    }),
    hint: 'Orphaned',
  },
  'crd-expression': { find: compiling({}, { id: 'a', template: crd }) },
  'nested-expression': { find: configured({ a: '${"a" + ${"b"}}' }) },
  'unclosed-expression': { find: configured({ a: '${"a"' }), severity: 'warning' },
  'not-standalone': { find: configured({}, {}, { includeWhen: ['true'] }), hint: '${true}' },
  'expression-syntax': { find: configured({ a: '${1 +}' }) },
  'expression-type': { find: configured({ a: '${schema.spec.numbr}' }), hint: "'number'" },
  'unknown-name': { find: configured({ a: '${schma.spec.number}' }), hint: "'schema'" },
  'name-not-here': { find: configured({ a: '${a.metadata.name}' }) },
  'function-not-here': { find: configured({ a: '${omit()}' }) },
  'foreach-type': {
    find: configured({}, { name: 'a-${b}' }, { forEach: [{ b: '${schema.metadata.labels}' }] }),
    hint: 'map(key, key)',
  },
  'condition-type': { find: configured({}, {}, { includeWhen: ['${"true"}'] }), hint: '!= ""' },
  'dependency-cycle': {
    find: compiling({}, configMap('a', { b: '${b.data.a}' }), configMap('b', { a: '${a.data.b}' })),
    hint: 'one of these reads',
  },
  'status-literal': { find: compiling({ status: { a: 'text' } }), hint: '${' },
  'status-reads-nothing': { find: compiling({ status: { a: '${1}' } }) },
  'status-type': { find: compiling({ spec: deep, status: { a: '${schema.spec}' } }) },
  'status-conditions': { find: compiling({ status: { conditions: 'Ready' } }), severity: 'warning' },
  'schema-shape': { find: field(12) },
  'type-expression': { find: field('[]'), hint: '[]' },
  'unknown-type': { find: field('text'), hint: 'string' },
  'schema-too-large': {
    find: compiling({
      types: Object.fromEntries(
        Array.from({ length: 20 }, (_, level) => [`T${level}`, { a: `T${level + 1}`, b: `T${level + 1}` }]).concat([
          ['T20', { a: 'string', b: 'string' }],
        ]),
      ),
    }),
    hint: 'object',
  },
  'type-cycle': { find: compiling({ types: { A: { b: 'B' }, B: { a: 'A' } }, spec: { a: 'A' } }), hint: 'object' },
  'marker-syntax': { find: field('string | required'), hint: 'required=true' },
  'unknown-marker': { find: field('string | defalt=a'), hint: 'default' },
  'marker-value': { find: field('string | required=perhaps') },
  'marker-not-applicable': { find: field('string | minimum=1') },
  'marker-conflict': { find: field('[]string | uniqueItems=true listType=atomic') },
  'schema-default': { find: field('integer | default=many'), hint: 'digits' },
  'crd-refused': { find: rendering([rgd({ kind: 'DNS' })]), hint: 'plural' },
  'validation-rule': { find: field('string | validation="self >"') },
} as const satisfies Partial<Record<Code, Example>>;

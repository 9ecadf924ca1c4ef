import { type ObjectSource, type RenderOptions, validate } from '../../../../src/api/index.ts';
import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import type { KubeObject } from '../../../../src/core/model/object.ts';
import type { RenderOptions as CoreOptions } from '../../../../src/core/model/render.ts';
import type { ValueMap } from '../../../../src/core/model/value.ts';
import { defaultRenderOptions } from '../../../../src/render/options/index.ts';
import { renderPackage } from '../../../../src/render/pipeline.ts';
import { toYaml } from '../../../../src/yaml/emit/yaml.ts';
import { toDiagnostics } from '../../../../src/yaml/locate/index.ts';
import { listOf, runFunction, withItems } from '../../../cli/resourcelist/packages.ts';
import { answering, command, type Example, type Found, inFolder, rendering } from './example.ts';
import { configMap, graphOf, object, rgd, service, x } from './objects.ts';

const admitting = (type: unknown, spec: object, metadata?: object) =>
  rendering([rgd({ spec: { field: type } }), x(spec, metadata)]);
const expanding = (resources: readonly object[], spec: object = {}, options: RenderOptions = {}) =>
  rendering([rgd({ spec: { texts: '[]string', labels: 'map[string]string' } }, resources), x(spec)], options);

const passthrough = { annotations: { 'render-rgd.dev/mode': 'passthrough' } };
const reference = (metadata: object): object => ({
  id: 'a',
  externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
});
const readingSecret = [
  { id: 's', externalRef: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kept' } } },
  configMap('a', { v: '${string(s.data.p)}' }),
];
const forAssistants = (objects: readonly object[]) => (): readonly Found[] => {
  const kept = object('v1', 'Secret', { name: 'kept', namespace: 'n' }, { data: { p: 'YQ==' } });
  const documents = [...objects, kept].map((one) => ({ object: one as unknown as KubeObject }));
  const options: CoreOptions = { ...defaultRenderOptions, unknownSecrets: 'everywhere' };
  return toDiagnostics(renderPackage({ objects: documents }, options).reports);
};
const waiting = configMap('a', { ip: '${service.spec.clusterIP}' });
const waved = (id: string, wave: string, data: object = {}): object =>
  configMap(id, data, { annotations: { 'argocd.argoproj.io/sync-wave': wave } });
const owner = {
  apiVersion: '${schema.apiVersion}',
  kind: 'X',
  name: 'i',
  uid: '${schema.metadata.uid}',
};
const inner = object(
  'kro.run/v1alpha1',
  'ResourceGraphDefinition',
  { name: 'inner' },
  {
    spec: {
      schema: { apiVersion: 'v1alpha1', kind: 'Inner', status: { bad: '${string(1 / int(schema.metadata.name))}' } },
      resources: [],
    },
  },
);
const innerWith = (status: object): ObjectSource =>
  object(
    'kro.run/v1alpha1',
    'ResourceGraphDefinition',
    { name: 'inner' },
    {
      spec: {
        schema: { apiVersion: 'v1alpha1', kind: 'Inner', status },
        resources: [service({ ports: [{ port: 1 }] }), configMap('a')],
      },
    },
  );
const innerNode = { id: 'inner', template: { apiVersion: 'kro.run/v1alpha1', kind: 'Inner', metadata: { name: '0' } } };

/** Nine RGDs, each of which renders an instance of the next one. */
const nested: ObjectSource[] = Array.from({ length: 9 }, (_, index) =>
  object(
    'kro.run/v1alpha1',
    'ResourceGraphDefinition',
    { name: `r${index}` },
    {
      spec: {
        schema: { apiVersion: 'v1alpha1', kind: `R${index}` },
        resources:
          index === 8
            ? []
            : [
                {
                  id: 'a',
                  template: { apiVersion: 'kro.run/v1alpha1', kind: `R${index + 1}`, metadata: { name: 'a' } },
                },
              ],
      },
    },
  ),
);

const pod = object('v1', 'Pod', { name: 'p' });
const page = rgd({ spec: { shown: 'boolean | default=true' } }, [
  configMap('a', {}, { name: '${schema.metadata.name}' }, { includeWhen: ['${schema.spec.shown}'] }),
]);
const gate = rgd({ spec: { closed: 'boolean | default=false' } }, [
  service(),
  configMap('a', { ip: '${schema.spec.closed ? service.spec.clusterIP : "none"}' }),
]);
const withoutRgd = (list: string): string =>
  withItems(list, (items) => items.filter(({ kind }) => !kind.endsWith('n')));
const withSpec =
  (spec: ValueMap) =>
  (list: string): string =>
    withItems(list, (items) => items.map((item) => (item.kind === 'X' ? { ...item, spec } : item)));
/** Returns a list whose rendered ConfigMap was edited. */
const edited = (list: string): string =>
  withItems(list, (items) => items.map((item) => (item.kind === 'ConfigMap' ? { ...item, immutable: true } : item)));
const renamed = (list: string): string =>
  list.replace(/^( *)name: i$/m, '$1name: j').replaceAll(/^( +)name: i$/gm, '$1name: k');
const cmp =
  '{apiVersion: argoproj.io/v1alpha1, kind: ConfigManagementPlugin, metadata: {name: a}, spec: {discover: {}}}';
const quota = object('v1', 'ResourceQuota', { name: 'q' }, { spec: { hard: { pods: '0' } } });
const pods = object('v1', 'Pod', { name: 'a' }, { spec: { containers: [{ name: 'a', image: 'a:1' }] } });
const upstream = { annotations: { 'internal.kpt.dev/upstream-identifier': 'x' } };
const updated = (list: string): string =>
  list.replaceAll(/^( +)(render-rgd\.dev\/digest: .*)$/gm, '$1$2\n$1internal.kpt.dev/upstream-identifier: x');
const onlyRendered = (list: string): string =>
  withItems(list, (items) => items.filter(({ kind }) => kind === 'ConfigMap'));
/** Returns a list in which the RGD, which has to be marked, and a Pod share their annotations. */
const shared = (list: string): string =>
  withItems(list, (items) => items.filter(({ kind }) => kind === 'X' || kind === 'Pod')).replace(
    /^items:\n/m,
    `items:
- {apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: p, annotations: &a {b: c}},
  spec: ${JSON.stringify(page.spec)}}
- {apiVersion: v1, kind: Pod, metadata: {name: q, annotations: *a}}
`,
  );
const renderingLayer = `
namePrefix: a-
transformers: ["{apiVersion: fn.kpt.dev/v1alpha1, kind: RenderRGD, metadata: {name: r}}"]
`;

/** Returns the diagnostics for rendered objects without their instance. */
async function renderingEarlier(): Promise<readonly Found[]> {
  const { items } = await runFunction(listOf([page, x()].map((item) => JSON.stringify(item))));
  return command(['render', '-', '--allow-empty'], toYaml(items.filter(({ kind }) => kind !== 'X')))();
}
const skip = '{apiVersion: fn.kpt.dev/v1alpha1, kind: RenderRGD, metadata: {name: r}, spec: {onPending: skip}}';

/** An RGD below a Kustomization of Flux that replaces variables. */
const substituted = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: apps, namespace: flux-system }
spec: { interval: 1m, prune: true, path: ./, sourceRef: { kind: GitRepository, name: x }, postBuild: { substitute: { a: b } } }
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: web }
spec:
  schema: { apiVersion: v1alpha1, kind: Web, spec: { title: string } }
  resources:
    - id: page
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: page }, data: { title: "\${schema.spec.title}" } }
`;

export const instanceExamples = {
  'version-not-served': {
    find: rendering([rgd({}), { ...x(), apiVersion: 'kro.run/v2' }]),
    hint: "'kro.run/v1alpha1'",
  },
  'sample-incomplete': {
    find: command(
      ['instance', 'Thing', '-'],
      `{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: t}, spec: {schema: {apiVersion: v1, kind: Thing, spec: {size: integer | required=true validation="self > 5"}}, resources: []}}`.replace(
        'integer | required=true validation="self > 5"',
        `'integer | required=true validation="self > 5"'`,
      ),
    ),
    severity: 'warning',
  },
  'instance-metadata': { find: admitting('string', {}, { name: 'Upper_Case' }) },
  'instance-unknown-field': { find: admitting('string', { feld: 'a' }), hint: 'field' },
  'instance-required': { find: admitting('string | required=true', {}) },
  'instance-type': { find: admitting('string', { field: 1 }), hint: 'quote it' },
  'instance-value': { find: admitting('integer | maximum=1', { field: 2 }) },
  'instance-duplicate': { find: admitting('[]string | uniqueItems=true', { field: ['a', 'a'] }) },
  'instance-too-large': {
    find: admitting('[]integer', { field: Array.from({ length: 500_001 }, () => 1) }),
    hint: 'shorter',
  },
  'graph-shape': { find: rendering([graphOf([{ id: 'a' }])], { experimental: ['graph'] }) },
  'rule-violated': { find: admitting('integer | validation="self > 1"', { field: 0 }) },
} as const satisfies Partial<Record<Code, Example>>;

export const expandExamples = {
  'graph-kind': { find: rendering([graphOf([{ id: 'a', def: {} }])]), hint: 'passthrough' },
  'graph-patch': {
    find: rendering(
      [
        graphOf([
          { id: 'a', patch: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, body: { data: {} } } },
        ]),
      ],
      { experimental: ['graph'] },
    ),
    severity: 'info',
  },
  'undefined-kind': { find: rendering([x()]), hint: '--definitions' },
  'no-instances': { find: rendering([rgd({}), object('v1', 'Namespace', { name: 'n' })]), severity: 'warning' },
  'unresolved-mode': { find: rendering([rgd({}), x({}, { annotations: { 'render-rgd.dev/mode': 'other' } })]) },
  'missing-in-instance': { find: expanding([configMap('a', { a: '${schema.spec.texts[0]}' })]), hint: 'has(' },
  evaluation: { find: expanding([configMap('a', { a: '${string(1 / size(schema.spec.labels))}' })], { labels: {} }) },
  'budget-exceeded': {
    find: rendering([
      rgd({ spec: { n: 'integer' } }, [configMap('a', { a: '${string(lists.range(schema.spec.n)[2])}' })]),
      x({ n: 1_000_000_000 }),
    ]),
    hint: 'shorten',
  },
  'collection-too-large': {
    find: expanding(
      [configMap('a', {}, { name: 'a-${t}' }, { forEach: [{ t: '${schema.spec.texts}' }] })],
      { texts: ['a', 'b'] },
      { maxCollectionSize: 1 },
    ),
    hint: '--max-collection-size',
  },
  'external-name': { find: expanding([reference({ name: '${dyn(1)}' })]) },
  'external-selector': { find: expanding([reference({ selector: { matchLabels: { a: '${"b c"}' } } })]) },
  'nesting-too-deep': { find: rendering([...nested, object('kro.run/v1alpha1', 'R0', { name: 'a', namespace: 'n' })]) },
  'object-name': { find: expanding([configMap('a', {}, { name: '${"A_B"}' })]) },
  'service-name': {
    find: expanding([
      {
        id: 'a',
        template: { apiVersion: 'v1', kind: 'Service', metadata: { name: '${"1a"}' }, spec: { ports: [{ port: 80 }] } },
      },
    ]),
  },
  'object-namespace': { find: expanding([configMap('a', {}, { namespace: '${"A_B"}' })]) },
  'object-label': { find: expanding([configMap('a', {}, { labels: { a: '${"b c"}' } })]) },
  'computed-reserved-key': {
    find: expanding([configMap('a', {}, { labels: '${schema.spec.labels}' })], { labels: { 'kro.run/other': 'a' } }),
  },
  'label-shortened': { find: rendering([rgd({}), x({}, { name: 'a'.repeat(64) })]), severity: 'warning' },
  'owner-reference': {
    find: expanding([configMap('a', {}, { ownerReferences: [owner] })]),
    severity: 'warning',
    hint: '--keep-owner-references',
  },
  'status-failed': {
    find: rendering([rgd({}, [innerNode, configMap('a', { bad: '${inner.?status.?bad.orValue("")}' })]), inner, x()]),
    severity: 'warning',
  },
  'status-refused': {
    find: rendering([
      rgd({}, [innerNode, configMap('b', { a: '${inner.?status.?list[?1].orValue("")}' })]),
      innerWith({ list: ['${service.spec.clusterIP}', '${a.metadata.name}'] }),
      x(),
    ]),
    severity: 'warning',
  },
  'whole-status': {
    find: rendering([
      rgd({}, [innerNode, configMap('b', { a: '${json.marshal(inner.status)}' })]),
      innerWith({ name: '${a.metadata.name}' }),
      x(),
    ]),
    severity: 'warning',
    hint: 'read the fields',
  },
  'status-state': {
    find: rendering([innerWith({ state: '${a.metadata.name}' })]),
    severity: 'warning',
    hint: 'another name',
  },
  'node-skipped': { find: expanding([configMap('a', {}, {}, { includeWhen: ['${false}'] })]), severity: 'info' },
  'nothing-rendered': {
    find: expanding([
      configMap('a', {}, {}, { includeWhen: ['${false}'] }),
      configMap('b', { a: '${a.metadata.name}' }),
    ]),
    severity: 'warning',
    hint: 'schema',
  },
  'left-out': {
    find: command(['render', '-', '--allow-empty'], '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}'),
    severity: 'info',
  },
  'wave-conflict': {
    find: expanding([waved('a', '3'), waved('b', '3', { a: '${a.metadata.name}' })], {}, { order: 'argocd' }),
    hint: 'set 4 or more',
  },
  'hook-order': {
    find: expanding(
      [
        configMap('a'),
        configMap('b', { a: '${a.metadata.name}' }, { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } }),
      ],
      {},
      { order: 'argocd' },
    ),
    severity: 'warning',
    hint: 'earlier phase',
  },
  'empty-output': { find: answering([rgd({})]), hint: 'allowEmpty' },
  'entangled-item': { find: answering([page, x(), pod], undefined, shared), hint: 'config.kubernetes.io/local-config' },
  'earlier-removed': {
    find: answering([page, x(), pod], undefined, withSpec({ shown: false })),
    severity: 'info',
  },
  'earlier-doubtful': {
    find: answering([page, x(), pod], undefined, (list) => edited(withSpec({ shown: false })(list))),
    severity: 'warning',
    hint: 'annotation',
  },
  'earlier-changed': { find: answering([page, x()], undefined, edited), severity: 'warning', hint: 'before' },
  'earlier-kept': { find: answering([gate, x()], skip, withSpec({ closed: true })), severity: 'info' },
  'earlier-mismatch': { find: answering([page, x()], undefined, renamed), severity: 'warning', hint: 'annotation' },
  'earlier-without-rgd': { find: answering([page, x(), pod], undefined, withoutRgd), hint: 'RGD' },
  'earlier-part': { find: answering([page, x()], undefined, onlyRendered), severity: 'warning', hint: 'selectors' },
  'earlier-elsewhere': { find: renderingEarlier, severity: 'info' },
  'upstream-instance-kept': {
    find: answering([page, x({}, upstream)], undefined, updated),
    severity: 'warning',
    hint: 'kpt.md#kpt-pkg-update',
  },
  'quota-exceeded': {
    find: () => validate({ objects: [quota, pods] }).diagnostics,
    severity: 'warning',
    hint: 'replicas',
  },
  'not-rendered': { find: command(['doctor', '-'], JSON.stringify(page)), hint: 'kustomize' },
  'flux-substitution': {
    find: () => validate({ objects: [{ file: 'a.yaml', text: substituted }] }).diagnostics,
    severity: 'warning',
    hint: 'annotation',
  },
  'plugin-load': {
    find: inFolder(
      { 'plugin.yaml': cmp, 'kustomization.yaml': renderingLayer.replace('namePrefix: a-', '') },
      'doctor',
      '.',
    ),
    severity: 'warning',
    hint: 'plugin.name',
  },
  'kustomize-order': {
    find: inFolder({ 'kustomization.yaml': renderingLayer }, 'doctor', '.'),
    severity: 'warning',
    hint: 'above',
  },
} as const satisfies Partial<Record<Code, Example>>;

export const pendingExamples = {
  'pending-value': { find: expanding([service(), waiting]), hint: '{"apiVersion":"v1","kind":"Service"' },
  'pending-reference': { find: expanding([reference({ name: 'there' })]), hint: '"name":"there"' },
  'pending-reader': {
    find: expanding([service(), waiting, configMap('b', { a: '${a.data.ip}' })], {}, { onPending: 'skip' }),
    severity: 'warning',
  },
  'passed-through': { find: rendering([rgd({}), x({}, passthrough)]), severity: 'info' },
  'secret-unknown': { find: forAssistants([rgd({}, readingSecret as never), x()]), severity: 'info' },
} as const satisfies Partial<Record<Code, Example>>;

export const collisionExamples = {
  'identity-collision': { find: expanding([configMap('a'), configMap('b', {}, { name: 'a' })]) },
} as const satisfies Partial<Record<Code, Example>>;

import { graph } from '../../../../src/api/tools/index.ts';
import type { Code } from '../../../../src/core/diagnostics/diagnostic.ts';
import { answering, command, type Example, inFolder, reading, refusing, rendering } from './example.ts';
import { object, rgd } from './objects.ts';

const observed = object('v1', 'ConfigMap', { name: 'a' }, { data: { from: 'one' } });
const aConfigMap = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}';
const twin = object('v1', 'ConfigMap', { name: 'a' }, { data: { from: 'two' } });

export const parseExamples = {
  'yaml-syntax': { find: reading('a: [') },
  'duplicate-key': { find: reading('a: 1\na: 2'), severity: 'warning' },
  'missing-separator': { find: reading('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n'.repeat(2)) },
  'template-file': { find: command(['render', '-'], 'a: {{ .Values.a }}\n'), hint: 'helm template' },
  'yaml-value': { find: reading('{apiVersion: v1, kind: ConfigMap, data: {a: .inf}}') },
  'yaml-alias': { find: reading('a: *nowhere') },
  'object-shape': { find: reading('{apiVersion: v1, kind: ConfigMap, metadata: {name: 12}}'), hint: 'quote it' },
  'more-diagnostics': { find: reading('a: 1\n---\n'.repeat(1001)), severity: 'info' },
  'not-an-object': { find: reading('a: 1'), severity: 'info' },
  'output-file': {
    find: inFolder({ 'app/out/.render-rgd.sha256': '', 'app/out/c.yaml': aConfigMap }, 'render', 'app'),
    hint: 'move it out',
  },
  'output-skipped': {
    find: inFolder({ 'app/out/.render-rgd.sha256': '', 'app/c.yaml': aConfigMap }, 'render', 'app', '--all'),
    severity: 'info',
  },
  'ignored-file': {
    find: inFolder(
      {
        'app/c.yaml': aConfigMap,
        'app/.gitignore': 'c.*\n',
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/objects/none': '',
        '.git/refs/none': '',
        '.git/config': '',
      },
      'render',
      'app',
      '--all',
    ),
    severity: 'info',
    hint: '--exclude',
  },
  'command-line': { find: command(['render', '-', '--strct'], 'a: 1') },
  'unwritable-file': { find: command(['observe', '-', '--from', '-', '--write', '/'], 'a: 1') },
  'not-formatted': {
    find: command(['fmt', '-', '--check'], 'kind: ResourceGraphDefinition\napiVersion: kro.run/v1alpha1\n'),
    hint: 'render-rgd fmt',
  },
  'nothing-to-read': { find: command(['render', '-'], ''), hint: 'before the pipe' },
  'rgd-not-known': {
    find: rendering([{ ...rgd({}), apiVersion: 'kro.run/v1beta1' }]),
    hint: "'kro.run/v1alpha1'",
  },
  'resourceset-not-known': {
    find: rendering([object('fluxcd.controlplan.io/v1', 'ResourceSet', { name: 'a' }, {})]),
    hint: "'fluxcd.controlplane.io/v1'",
  },
  'observed-twice': { find: rendering([], {}, [observed, twin]) },
  'rgd-shape': { find: rendering([rgd({ kind: 12 })]), hint: 'quote it' },
  'rgd-unknown-field': { find: rendering([rgd({ scop: 'Cluster' })]), hint: "'scope'" },
  'control-character': { find: rendering([rgd({ spec: { a: 'string | description="\x7f"' } })]) },
  'external-ref-shape': {
    find: rendering([rgd({}, [{ id: 'a', externalRef: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} } }])]),
  },
  'unreadable-file': { find: command(['render', '/there/is/no/such/file'], '') },
  'skipped-file': {
    find: inFolder({ 'a.YAML': aConfigMap, 'b.yaml': aConfigMap }, {}),
    severity: 'warning',
    hint: '.yaml',
  },
  'resource-list': { find: refusing('{apiVersion: v1, kind: ConfigMap}'), hint: 'render-rgd render' },
  'function-config': {
    find: answering([], '{apiVersion: fn.kpt.dev/v1alpha1, kind: RenderRGD, metadata: {name: r}, spec: {stric: true}}'),
    hint: "'strict'",
  },
  'library-option': { find: rendering([], { onPending: 'pass' as never }) },
  'not-found': { find: () => graph({ objects: [] }).diagnostics },
  'crd-shape': {
    find: rendering([object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { name: 'a' }, { spec: {} })]),
  },
  'plugin-parameter': { find: inFolder({}, { onPending: 'skip' }), hint: 'acceptPrune' },
  'path-outside': { find: inFolder({}, { definitions: ['../elsewhere'] }) },
  'build-failed': { find: inFolder({}, { build: 'kustomize' }), hint: 'none' },
  'build-remote': {
    find: inFolder({ 'kustomization.yaml': 'resources: [https://example.com/x.yaml]' }, { build: 'kustomize' }),
    hint: '--allow-remote',
  },
  'build-refused': {
    find: inFolder({ 'kustomization.yaml': 'helmCharts: [{name: a}]' }, { build: 'kustomize' }),
    hint: 'helm',
  },
  'build-not-asked': {
    find: inFolder({ 'kustomization.yaml': 'resources: []', 'a.yaml': aConfigMap }, { build: 'none' }),
    hint: 'auto',
  },
} as const satisfies Partial<Record<Code, Example>>;

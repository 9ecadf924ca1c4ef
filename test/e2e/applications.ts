import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Value } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { note, noteRgd } from '../cli/resourcelist/packages.ts';
import { bundle, filesOf } from './sandbox.ts';

/** An Application of the tests: its files, its parameters, and what Argo CD shows. */
export interface Application {
  files?: Readonly<Record<string, string>>;
  /** Its folder in the repository; `apps/NAME` by default. */
  path?: string;
  namespace?: string;
  parameters?: readonly Parameter[];
  /** Its source, if it is not `plugin: {name: render-rgd}` with these parameters. */
  source?: Readonly<Record<string, unknown>>;
  annotations?: Readonly<Record<string, string>>;
  /** `Kind/name` of every manifest, all manifests, or parts of the message. */
  titles?: readonly string[];
  manifests?: readonly Value[];
  error?: RegExp;
}

export interface Parameter {
  name: string;
  string?: string;
  array?: readonly string[];
  map?: Readonly<Record<string, string>>;
}

const root = dirname(dirname(bundle));
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const yaml = (path: string): Value[] => readStream(text(path)).documents.map(({ value }) => value);
const conformance = (name: string): string => text(`test/conformance/${name}/input.yaml`);

const string = (name: string, value: string): Parameter => ({ name, string: value });
const array = (name: string, ...values: string[]): Parameter => ({ name, array: values });
const platform = array('definitions', '../../examples/argocd/platform');

const webApp = (name: string, spec = '{image: nginx}'): string =>
  `apiVersion: platform.example.com/v1alpha1\nkind: WebApp\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const configMap = (name: string, data = '{}'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`;

/** A ResourceSet that renders an instance of the RGD of notes for each of its inputs. */
const resourceSet = (inputs: string): string => `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: teams}
spec:
  inputs: ${inputs}
  resources:
    - apiVersion: kro.run/v1alpha1
      kind: Note
      metadata:
        name: << inputs.team >>
      spec: {text: "of size << inputs.size >>"}
`;

/**
 * An RGD of kind Chain: ConfigMaps, each of which reads the previous one. The annotations are those of the templates.
 */
export function chainRgd(...annotations: readonly string[]): string {
  const nodes = annotations.map(
    (given, index) => `
    - id: link${index}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${index === 0 ? 'link' : `\${link${index - 1}.metadata.name}`}-${index}", annotations: {${given}}}`,
  );
  return `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: chain}
spec:
  schema: {apiVersion: v1alpha1, kind: Chain}
  resources: ${nodes.join('')}
---
apiVersion: kro.run/v1alpha1
kind: Chain
metadata: {name: chain}
`;
}

const wave = (value: string): string => `argocd.argoproj.io/sync-wave: "${value}"`;
const hook = (value: string): string => `argocd.argoproj.io/hook: ${value}`;
const argocdOrder = string('order', 'argocd');

/** Applications that render. */
export const good: Readonly<Record<string, Application>> = {
  shop: {
    path: 'examples/argocd/shop',
    namespace: 'shop',
    parameters: [array('definitions', '../platform'), argocdOrder],
    manifests: yaml('examples/argocd/expected.yaml'),
  },
  collections: { path: 'examples/collections/input', manifests: yaml('examples/collections/expected.yaml') },
  // A ResourceSet, its provider, and the RGD of the instances that it renders.
  'resource-set': { path: 'examples/resourceset/input', manifests: yaml('examples/resourceset/expected.yaml') },
  'in-folders': {
    files: {
      'rgd/a.yaml': noteRgd,
      'deep/er/b.yml': note('a'),
      'c.json': '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}',
    },
    titles: ['Secret/s', 'ConfigMap/a'],
  },
  'other-group': { files: { 'a.yaml': webApp('a') }, parameters: [platform], titles: ['Deployment/a', 'Service/a'] },
  'namespace-of-application': {
    files: { 'a.yaml': webApp('a', '{image: nginx, host: a.example.com}') },
    namespace: 'here',
    parameters: [platform],
    titles: ['Deployment/a', 'Service/a', 'Ingress/a'],
  },
  'namespace-parameter': {
    files: { 'a.yaml': webApp('a') },
    parameters: [platform, string('namespace', 'there')],
    titles: ['Deployment/a', 'Service/a'],
  },
  'announced-parameters': {
    files: { 'a.yaml': webApp('a') },
    parameters: [platform, array('foundInstances', 'WebApp/a'), string('strict', 'false')],
    titles: ['Deployment/a', 'Service/a'],
  },
  'definition-file': {
    files: { 'a.yaml': webApp('a') },
    parameters: [array('definitions', '../../examples/argocd/platform/webapp.rgd.yaml')],
    titles: ['Deployment/a', 'Service/a'],
  },
  excluded: {
    files: { 'a.yaml': note('a'), 'rgd.yaml': noteRgd, 'draft/b.yaml': 'a: [' },
    parameters: [array('exclude', 'draft/**')],
    titles: ['ConfigMap/a'],
  },
  empty: { files: { 'rgd.yaml': noteRgd }, parameters: [string('allowEmpty', 'true')], titles: [] },
  'exact-numbers': {
    files: {
      'a.yaml':
        'apiVersion: example.com/v1\nkind: Exact\nmetadata: {name: a}\nspec: {big: 9007199254740993, few: 0.1, more: 1e21, octal: 0644}\n',
      'rgd.yaml': noteRgd,
    },
    manifests: readStream(
      '{apiVersion: example.com/v1, kind: Exact, metadata: {name: a}, spec: {big: 9007199254740993, few: 0.1, more: 1e+21, octal: 420}}',
    ).documents.map(({ value }) => value),
  },
  'texts-that-look-like-yaml': {
    files: {
      'a.yaml': configMap(
        'a',
        '{a: "---\\n--- x\\n", b: "{}\\n{}", c: "\\u2028\\u0085\\U0001F600", d: "on", e: "0x1"}',
      ),
      'rgd.yaml': noteRgd,
    },
    manifests: readStream(
      configMap('a', '{a: "---\\n--- x\\n", b: "{}\\n{}", c: "\\u2028\\u0085\\U0001F600", d: "on", e: "0x1"}'),
    ).documents.map(({ value }) => value),
  },
  'list-taken-apart': {
    files: {
      'a.yaml': `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}\n`,
    },
    titles: ['ConfigMap/a', 'Secret/b'],
  },
  'many-objects': {
    files: { 'rgd.yaml': noteRgd, 'a.yaml': Array.from({ length: 700 }, (_, index) => note(`n${index}`)).join('---') },
    titles: Array.from({ length: 700 }, (_, index) => `ConfigMap/n${index}`),
  },
  'skip-accepted': {
    files: { 'rgd.yaml': noteRgd, 'a.yaml': note('a') },
    parameters: [string('onPending', 'skip'), string('acceptPrune', 'true')],
    titles: ['ConfigMap/a'],
  },
  'left-to-kro': {
    files: {
      'rgd.yaml': noteRgd.replace(
        'metadata: {name: note}',
        'metadata: {name: note, annotations: {render-rgd.dev/mode: passthrough}}',
      ),
      'a.yaml': note('a'),
    },
    titles: ['Note/a', 'ResourceGraphDefinition/note'],
  },
  'two-dimensions': { files: { 'a.yaml': conformance('graph/012-foreach-two-dimensions-order') } },
  'chain-of-three': { files: { 'a.yaml': conformance('graph/098-chain-of-three') } },
  'other-instances': { files: { 'a.yaml': conformance('graph/206-externalref-to-object-rendered-elsewhere') } },
  'order-by-depth': {
    files: { 'a.yaml': chainRgd('', '', '') },
    parameters: [argocdOrder],
    titles: ['link-0', 'link-0-1', 'link-0-1-2'].map((name) => `ConfigMap/${name}`),
  },
  'order-behind-own': { files: { 'a.yaml': chainRgd('', wave('5'), '') }, parameters: [argocdOrder] },
  'order-before-own': { files: { 'a.yaml': chainRgd('', '', wave('-2'), '') }, parameters: [argocdOrder] },
  'order-of-hooks': {
    files: { 'a.yaml': chainRgd(hook('PreSync'), hook('PreSync'), '', hook('PostSync')) },
    parameters: [argocdOrder],
  },
  'order-with-weight': { files: { 'a.yaml': chainRgd('helm.sh/hook-weight: "3"', '') }, parameters: [argocdOrder] },
};

const many = Array.from({ length: 5_000 }, (_, index) => note(`n${index}`, '{text: 7}')).join('---');

/**
 * Applications that fail, with the message of the UI. Every message is checked for its size, its first line and its
 * positions too.
 */
export const bad: Readonly<Record<string, Application>> = {
  'no-such-parameter': {
    files: { 'a.yaml': note('a') },
    parameters: [array('definition', '../platform')],
    error: /parameters definition: there is no such parameter\n {2}hint: did you mean 'definitions'\?/,
  },
  'no-list': {
    files: { 'a.yaml': note('a') },
    parameters: [string('definitions', '../platform')],
    error: /parameters definitions: must be an array/,
  },
  'a-map': {
    files: { 'a.yaml': note('a') },
    parameters: [{ name: 'strict', map: { a: 'b' } }],
    error: /parameters strict: may not be a map/,
  },
  'no-choice': {
    files: { 'a.yaml': note('a') },
    parameters: [string('onPending', 'placeholder')],
    error: /onPending: 'placeholder' is not one of fail, skip, passthrough/,
  },
  'no-namespace': {
    files: { 'rgd.yaml': noteRgd, 'a.yaml': note('a') },
    parameters: [string('namespace', 'Not_Valid')],
    error: /parameters namespace: 'Not_Valid' is not a namespace/,
  },
  'no-number': {
    files: { 'a.yaml': note('a') },
    parameters: [string('maxSteps', '99999999999999999999')],
    error: /parameters maxSteps: 99999999999999999999 is too large/,
  },
  'values-for-nobody': {
    files: { 'rgd.yaml': noteRgd, 'a.yaml': note('a'), 'values.yaml': 'a: 1' },
    parameters: [array('values', 'values.yaml')],
    error: /parameters values: only helm reads it, which would not run\n {2}hint: set build to helm/,
  },
  'not-accepted': {
    files: { 'a.yaml': note('a') },
    parameters: [string('onPending', 'skip')],
    error: /onPending: with skip, /,
  },
  'out-of-the-repository': {
    files: { 'a.yaml': note('a') },
    parameters: [array('definitions', '../../../..')],
    error: /error\[path-outside\] parameters definitions: /,
  },
  'absolute-path': {
    files: { 'a.yaml': note('a') },
    parameters: [array('observed', '/etc/passwd')],
    error: /error\[path-outside\] parameters observed: /,
  },
  'definitions-missing': {
    files: { 'a.yaml': note('a') },
    parameters: [array('definitions', '../platfrom')],
    error: /error\[unreadable-file\]/,
  },
  'no-definition': { files: { 'a.yaml': note('a') }, error: /error\[undefined-kind\] Note\/a: .*\s+--> a\.yaml:3:7/ },
  'nothing-left': { files: { 'rgd.yaml': noteRgd }, error: /error\[empty-output\]/ },
  'wrong-type': {
    files: { 'rgd.yaml': noteRgd, 'a.yaml': note('a', '{text: 7}') },
    error: /error\[instance-type\] Note\/a: .*\s+--> a\.yaml:5:14 spec\.text/,
  },
  'resource-set-template': {
    files: { 'rgd.yaml': noteRgd, 'sets/teams.yaml': resourceSet('[{team: red, size: 1}, {team: blue}]') },
    error:
      /error\[template-key\] ResourceSet\/teams: map has no entry for key "size" \(inputs\[1\]: team: blue\)\s+--> \S*sets\/teams\.yaml:11:39 spec\.resources\[0\]\.spec\.text/,
  },
  'broken-yaml': {
    files: { 'rgd.yaml': noteRgd, 'a.yaml': 'a: [' },
    error: /error\[yaml-syntax\]: .*\s+--> \S*a\.yaml:\d+:\d+/,
  },
  'thousands-of-errors': { files: { 'rgd.yaml': noteRgd, 'a.yaml': many }, error: /\nand 4980 errors more$/ },
  cycle: {
    files: { 'a.yaml': conformance('graph/212-cycle-through-foreach-and-includewhen-error') },
    error: /error\[dependency-cycle\]/,
  },
  'too-many-items': {
    files: { 'a.yaml': conformance('graph/030-foreach-over-1000-error') },
    error: /error\[collection-too-large\]/,
  },
  'two-of-one-name': {
    files: { 'a.yaml': conformance('graph/128-collision-between-instances-error') },
    error: /error\[/,
  },
  'nested-error': {
    files: { 'a.yaml': conformance('graph/104-chain-nested-validation-error') },
    error: /error\[instance-/,
  },
  pending: { files: { 'a.yaml': conformance('graph/138-apiserver-default-not-known-pending') }, error: /error\[/ },
  'wave-that-cannot-be': {
    files: { 'a.yaml': chainRgd(wave('3'), '', wave('4')) },
    parameters: [argocdOrder],
    error:
      /error\[wave-conflict\] Chain\/chain node link2: wave 4 is not after wave 3 of ConfigMap\/link-0.*\n {2}--> .*\n {2}instance: .*\n {2}hint: set 5 or more/,
  },
  'no-such-plugin': {
    files: { 'a.yaml': note('a') },
    source: { plugin: { name: 'render-rdg' } },
    error: /could not find cmp-server plugin with name "render-rdg"|error dialing/,
  },
  'no-folder': { path: 'apps/missing', error: /apps\/missing: app path does not exist/ },
};

/** Applications that need kustomize or helm. */
export const built: Readonly<Record<string, Application>> = {
  blog: {
    path: 'examples/argocd/blog',
    namespace: 'blog',
    parameters: [string('build', 'kustomize'), array('definitions', '../platform')],
    titles: ['Deployment/blog', 'Service/blog'],
  },
  'kustomize-missing': {
    files: { 'kustomization.yaml': 'resources: [missing.yaml]\n' },
    parameters: [string('build', 'kustomize')],
    error: /error\[build-failed\]: kustomize failed with exit code 1: Error: .*missing\.yaml/,
  },
  'kustomize-function': {
    files: {
      'run.sh': '#!/bin/sh\necho ran\n',
      'transformer.yaml':
        'apiVersion: a/v1\nkind: B\nmetadata: {name: b, annotations: {config.kubernetes.io/function: "exec: {path: ./run.sh}"}}\n',
      'kustomization.yaml': 'transformers: [transformer.yaml]\n',
    },
    parameters: [string('build', 'kustomize')],
    error: /external plugins disabled/,
  },
  chart: {
    files: chart('{{ .Release.Name }}-{{ .Release.Namespace }}'),
    namespace: 'apps',
    parameters: [string('build', 'auto'), platform, array('values', 'production.yaml')],
    titles: ['Deployment/chart-apps', 'Service/chart-apps', 'Ingress/chart-apps'],
  },
  'chart-fails': {
    files: chart('{{ fail "no luck" }}'),
    parameters: [string('build', 'helm'), platform],
    error: /error\[build-failed\]: helm failed with exit code 1: .*no luck/,
  },
  'chart-name': {
    files: chart('a'),
    parameters: [string('build', 'helm'), platform, string('releaseName', '--debug')],
    error: /invalid release name/,
  },
};

function chart(name: string): Record<string, string> {
  const values = `{image: 'nginx:{{ .Capabilities.KubeVersion.Version }}', replicas: {{ .Values.replicas }}, host: '{{ if .Capabilities.APIVersions.Has "networking.k8s.io/v1/Ingress" }}example.com{{ end }}'}`;
  return {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 0.1.0\n',
    'values.yaml': 'replicas: 1\n',
    'production.yaml': 'replicas: 3\n',
    'templates/app.yaml': webApp(`'${name}'`, values),
  };
}

/** The repository with all Applications: each in apps/NAME, and the examples. */
export function repositoryOf(...groups: readonly Readonly<Record<string, Application>>[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [path, content] of Object.entries(filesOf(join(root, 'examples')))) files[`examples/${path}`] = content;
  for (const group of groups)
    for (const [name, { files: own = {} }] of Object.entries(group))
      for (const [path, content] of Object.entries(own)) files[`apps/${name}/${path}`] = content;
  return files;
}

/** Returns the manifest of an Application. */
export function manifestOf(name: string, application: Application, source: object): Record<string, unknown> {
  const { path = `apps/${name}`, namespace = 'default', parameters, annotations = {} } = application;
  const plugin = { plugin: { name: 'render-rgd', ...(parameters === undefined ? {} : { parameters }) } };
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', annotations },
    spec: {
      project: 'default',
      destination: { namespace },
      source: { ...source, path, ...(application.source ?? plugin) },
    },
  };
}

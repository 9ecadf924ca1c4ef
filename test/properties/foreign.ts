import { parseAllDocuments, stringify } from 'yaml';
import type { Texts } from '../gitops/plan/repository.ts';
import { application, instance, WEB } from '../gitops/plan/repository.ts';

/** A repository with an object of each kind of other tools that a command reads. */
export const REPOSITORY: Texts = {
  'argocd/application.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: one
  namespace: argocd
  labels: { tier: a }
  annotations: { note: a }
  finalizers: [resources-finalizer.argocd.argoproj.io]
spec:
  project: default
  destination: { server: https://kubernetes.default.svc, namespace: web }
  source:
    repoURL: https://example.com/repo.git
    targetRevision: HEAD
    path: apps
    kustomize:
      namePrefix: a-
      nameSuffix: -b
      namespace: web
      images: ["nginx:1"]
      replicas: [{ name: a, count: 2 }]
      patches: [{ target: { kind: ConfigMap }, patch: "[]" }]
      components: []
      commonLabels: { a: b }
      forceCommonLabels: true
      commonAnnotations: { c: d }
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: [Prune=false] }
`,
  'argocd/helm.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: chart, namespace: argocd }
spec:
  project: default
  destination: { server: "https://kubernetes.default.svc", namespace: web }
  sources:
    - repoURL: https://example.com/repo.git
      path: chart
      helm:
        releaseName: r
        valueFiles: [values.yaml, $other/chart/values.yaml]
        values: "a: b"
        valuesObject: { a: { b: c } }
        parameters: [{ name: a, value: b, forceString: true }]
        skipCrds: false
    - { repoURL: https://example.com/repo.git, ref: other }
`,
  'argocd/plugin.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: plugin, namespace: argocd }
spec:
  project: default
  destination: { server: "https://kubernetes.default.svc", namespace: web }
  source:
    repoURL: https://example.com/repo.git
    path: instances
    plugin:
      name: render-rgd
      parameters: [{ name: definitions, array: [../platform] }, { name: namespace, string: web }]
`,
  'argocd/set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: set, namespace: argocd }
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators:
    - list: { elements: [{ name: x, n: "1" }] }
      selector: { matchLabels: { name: x }, matchExpressions: [{ key: name, operator: In, values: [x] }] }
    - git:
        repoURL: https://example.com/repo.git
        revision: HEAD
        directories: [{ path: "apps/*" }, { path: "b*", exclude: true }]
        values: { a: "{{ .path.basename }}" }
        template: { metadata: { name: "g-{{ .path.basename }}" }, spec: { project: default, destination: {} } }
    - matrix:
        generators:
          - list: { elements: [{ name: y }] }
          - git: { repoURL: https://example.com/repo.git, revision: HEAD, files: [{ path: "data/*.json" }] }
    - merge:
        mergeKeys: [name]
        generators:
          - list: { elements: [{ name: z }] }
          - list: { elementsYaml: "- { name: z, n: '2' }" }
  template:
    metadata: { name: "set-{{ .name }}", labels: { a: b } }
    spec:
      project: default
      destination: { server: "https://kubernetes.default.svc", namespace: web }
      source: { repoURL: https://example.com/repo.git, path: apps }
  templatePatch: "metadata: { labels: { c: d } }"
  syncPolicy: { applicationsSync: sync, preserveResourcesOnDeletion: true }
`,
  'argocd/project.yaml': `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: { name: default, namespace: argocd }
spec:
  sourceRepos: ["*"]
  destinations: [{ server: "*", namespace: "*" }]
  clusterResourceWhitelist: [{ group: "*", kind: "*" }]
  namespaceResourceBlacklist: [{ group: "", kind: Secret }]
  roles: [{ name: r, policies: [p] }]
`,
  'flux/kustomization.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: two, namespace: flux-system }
spec:
  interval: 5m
  path: ./apps
  sourceRef: { kind: GitRepository, name: flux-system }
  targetNamespace: web
  prune: true
  suspend: false
  deletionPolicy: Delete
  images: [{ name: nginx, newName: other, newTag: "2", digest: "" }]
  patches: [{ target: { kind: ConfigMap }, patch: "[]" }]
  components: []
  commonMetadata: { labels: { a: b }, annotations: { c: d } }
  kubeConfig: { secretRef: { name: a } }
  dependsOn: [{ name: other }]
  postBuild:
    substitute: { a: b }
    substituteFrom: [{ kind: ConfigMap, name: variables, optional: true }]
`,
  'flux/release.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: three, namespace: flux-system }
spec:
  interval: 5m
  chart:
    spec:
      chart: ./chart
      version: "1"
      sourceRef: { kind: GitRepository, name: flux-system, namespace: flux-system }
      valuesFiles: [chart/values.yaml]
      ignoreMissingValuesFiles: true
  releaseName: r
  targetNamespace: web
  valuesFrom: [{ kind: ConfigMap, name: values, valuesKey: values.yaml, optional: true }]
  values: { a: b }
  upgrade: { crds: Create, disableSchemaValidation: true }
  test: { enable: true }
`,
  'flux/sources.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec:
  url: https://example.com/repo.git
  ref: { branch: main }
  ignore: "/docs"
  include: [{ repository: { name: other }, fromPath: a, toPath: b }]
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: { name: oci, namespace: flux-system }
spec: { url: "oci://example.com/a", ref: { tag: "1" } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: variables, namespace: flux-system }
data: { a: b }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: values, namespace: flux-system }
data: { values.yaml: "a: b" }
`,
  'apps/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: web
namePrefix: a-
resources: [a.yaml]
commonLabels: { a: b }
labels: [{ pairs: { c: d }, includeSelectors: false }]
images: [{ name: nginx, newTag: "1" }]
replicas: [{ name: a, count: 1 }]
configMapGenerator: [{ name: g, literals: [a=b], options: { labels: { a: b } } }]
generatorOptions: { disableNameSuffixHash: true }
patches: [{ target: { kind: ConfigMap, name: a }, patch: "[]", options: { allowNameChange: true } }]
components: []
transformers: []
generators: []
`,
  'apps/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: web }\ndata: { a: b }\n',
  'apps/x/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: web }\n',
  'chart/Chart.yaml':
    'apiVersion: v2\nname: chart\nversion: 1.0.0\ntype: application\ndependencies: [{ name: a, version: "1", repository: "file://../a" }]\n',
  'chart/values.yaml': 'a: { b: c }\nlist: [1]\n',
  'chart/templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Values.a.b }}" }\n',
  'data/a.json': '{ "name": "w", "list": [1], "map": { "a": "b" } }\n',
  'kpt/Kptfile': `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: { name: p }
pipeline:
  mutators:
    - image: ghcr.io/render-rgd/render-rgd:1
      configMap: { onPending: skip, definitions: ../platform }
`,
  'kpt/web.yaml': instance('kpt'),
  'platform/web.yaml': WEB,
  'platform/policy.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  failurePolicy: Fail
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }]
    namespaceSelector: { matchLabels: { a: b } }
    objectSelector: { matchExpressions: [{ key: a, operator: Exists }] }
  matchConditions: [{ name: m, expression: "true" }]
  variables: [{ name: v, expression: "object.metadata.name" }]
  validations: [{ expression: "variables.v != 'x'", message: m, messageExpression: "'a'", reason: Invalid }]
  auditAnnotations: [{ key: a, valueExpression: "'a'" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec:
  policyName: p
  validationActions: [Deny]
  paramRef: { name: c, namespace: web, parameterNotFoundAction: Allow }
  matchResources: { namespaceSelector: { matchLabels: { a: b } } }
`,
  'platform/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Thing, plural: things, singular: thing, shortNames: [t], categories: [all] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.n, statusReplicasPath: .status.n } }
      additionalPrinterColumns: [{ name: N, type: integer, jsonPath: .spec.n }]
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              properties:
                n: { type: integer, minimum: 0, default: 1 }
                s: { type: string, pattern: "^a", enum: [a, b], maxLength: 5 }
                l: { type: array, items: { type: string }, x-kubernetes-list-type: set }
              x-kubernetes-validations: [{ rule: "self.n > 0", message: m, messageExpression: "'a'" }]
`,
  'platform/roles.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: kro, labels: { a: "true" } }
aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "true" } }] }
rules:
  - { apiGroups: [""], resources: [configmaps], verbs: [get, create], resourceNames: [a] }
  - { nonResourceURLs: [/a], verbs: [get] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: kro }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kro }
subjects: [{ kind: ServiceAccount, name: kro, namespace: kro }]
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: q, namespace: web }
spec: { hard: { cpu: "1", count/configmaps: "2" }, scopeSelector: { matchExpressions: [{ scopeName: Terminating, operator: Exists }] } }
---
apiVersion: v1
kind: LimitRange
metadata: { name: l, namespace: web }
spec: { limits: [{ type: Container, max: { cpu: "1" }, default: { cpu: 500m } }] }
---
apiVersion: v1
kind: Namespace
metadata: { name: web, labels: { pod-security.kubernetes.io/enforce: baseline } }
`,
  'instances/web.yaml': instance('web', '{ title: a }'),
  'instances/set.yaml': `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: set, namespace: web }
spec:
  inputStrategy: { name: Flatten }
  inputs: [{ name: a, n: 1 }]
  inputsFrom: [{ kind: ResourceSetInputProvider, selector: { matchLabels: { a: b } } }]
  commonMetadata: { labels: { a: b } }
  resources: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: "<< inputs.name >>", namespace: web } }]
---
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: { name: p, namespace: web, labels: { a: b } }
spec: { type: Static, defaultValues: { name: b } }
`,
  'tests/a/test.yaml':
    'input: [../../instances/web.yaml]\ndefinitions: [../../platform/web.yaml]\nnamespace: web\nexpected: { diagnostics: [] }\n',
  'tests/a/expected.yaml': '',
  'render-rgd.yaml': `definitions: [platform]
disable: [doubtful-type]
plan: { holds-data: [Thing.example.com], accept: [{ code: danger-data-loss, object: ConfigMap/a, reason: r }] }
applications: [{ name: listed, path: instances, definitions: [platform] }]
rules: [{ name: r, expression: "true", message: m, match: { kinds: [ConfigMap] } }]
`,
  'control/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: control, namespace: web }\ndata: { a: b }\n',
  'declared/control.yaml': application(
    'control',
    '{ repoURL: "https://example.com/repo.git", path: control, directory: { recurse: true, include: "*.yaml", exclude: x } }',
  ),
};

/** A field of a file, or an item of a list in it. */
export interface Field {
  file: string;
  document: number;
  path: readonly (string | number)[];
}

function* fieldsOf(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of entries) yield* fieldsOf(item, [...path, key]);
}

const isYaml = (file: string): boolean => /\.(ya?ml|json)$|Kptfile$/.test(file) && !file.includes('/templates/');

const parsed = (text: string): unknown[] => parseAllDocuments(text).map((document) => document.toJS());

export const fields: readonly Field[] = Object.entries(REPOSITORY)
  .filter(([file]) => isYaml(file) && !/control/.test(file))
  .flatMap(([file, text]) =>
    parsed(text).flatMap((value, document) => [...fieldsOf(value)].map((path): Field => ({ file, document, path }))),
  );

/** Values of all types, and what a map or a list is not usually. */
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: [nested(depth - 1)] });
const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e300,
  '',
  'two words',
  'x'.repeat(5000),
  '${constructor}',
  '{{ .constructor }}',
  true,
  [],
  [null],
  [['a']],
  [{ name: 'a' }, { name: 'a' }],
  {},
  { constructor: 'a' },
  { toString: { a: 1 }, hasOwnProperty: [], valueOf: null },
  nested(40),
];

/** A changed field: another value, missing, twice in its list, or with a key that every object inherits. */
export const CHANGES = [
  ...VALUES.map((_, index) => `value ${index}` as const),
  'missing',
  'twice',
  'renamed constructor',
  'renamed __proto__',
] as const;
export type Change = (typeof CHANGES)[number];

export function mutantOf({ file, document, path }: Field, change: Change): Texts {
  const documents = parsed(REPOSITORY[file] ?? '');
  const texts = documents.map((value, index) => textOf(index === document ? changed(value, path, change) : value));
  return { ...REPOSITORY, [file]: texts.join('---\n') };
}

/** JSON writes each key as it is. */
const textOf = (value: unknown): string => (value === undefined ? '' : stringify(value));

function changed(value: unknown, [key, ...rest]: Field['path'], change: Change): unknown {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value as object);
  const result = entries.flatMap(([name, item]): [string | number, unknown][] => {
    if (name !== key) return [[name, item]];
    if (rest.length > 0) return [[name, changed(item, rest, change)]];
    if (change === 'missing') return [];
    if (change === 'twice')
      return [
        [name, item],
        [Array.isArray(value) ? name : `${name}2`, item],
      ];
    if (change.startsWith('renamed')) return [[change.slice('renamed '.length), item]];
    return [[name, VALUES[Number(change.slice('value '.length))]]];
  });
  if (Array.isArray(value)) return result.map(([, item]) => item);
  return new Map(result);
}

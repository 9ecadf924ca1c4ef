import { setKey, type Value, type ValueMap } from '../../src/core/model/value.ts';

/*
 * Objects that a later stage reads: a policy, what declares applications, a quota, a role, a CRD, a workload. Each of
 * their texts may be a value of a Secret, whole or as a part.
 */

const POLICY = 'admissionregistration.k8s.io/v1';
const rules = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] }] };

const STAGES: Readonly<Record<string, ValueMap>> = {
  policy: {
    apiVersion: POLICY,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'denying' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: rules,
      matchConditions: [{ name: 'c', expression: 'true' }],
      variables: [{ name: 'v', expression: "'a'" }],
      validations: [
        { expression: 'false', message: 'no', reason: 'Invalid' },
        { expression: 'object.data.none == "x"', messageExpression: "'a' + variables.v" },
        { expression: "request.userInfo.username == 'me'", message: 'who' },
      ],
      auditAnnotations: [{ key: 'k', valueExpression: "'x'" }],
    },
  },
  binding: {
    apiVersion: POLICY,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'denying' },
    spec: { policyName: 'always', validationActions: ['Deny'], paramRef: { name: 'x', namespace: 'y' } },
  },
  param: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'param' }, data: { a: 'x' } },
  application: {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: {
        repoURL: 'https://example.com/r.git',
        path: 'apps',
        targetRevision: 'main',
        helm: { parameters: [{ name: 'a', value: 'b' }], values: 'a: b', releaseName: 'r' },
        plugin: { name: 'render-rgd', parameters: [{ name: 'namespace', string: 'x' }] },
      },
      destination: { server: 'https://cluster', namespace: 'ns' },
      syncPolicy: { automated: { prune: true }, syncOptions: ['CreateNamespace=true'] },
    },
  },
  applicationSet: {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set', namespace: 'argocd' },
    spec: {
      goTemplate: true,
      generators: [{ list: { elements: [{ cluster: 'a', path: 'apps' }] } }],
      template: {
        metadata: { name: 'app-{{.cluster}}' },
        spec: {
          project: 'default',
          source: { repoURL: 'https://example.com/r.git', path: '{{.path}}', targetRevision: 'main' },
          destination: { server: 'https://cluster', namespace: 'ns' },
        },
      },
    },
  },
  kustomization: {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'web', namespace: 'flux-system' },
    spec: {
      path: './apps',
      prune: true,
      targetNamespace: 'ns',
      namePrefix: 'p-',
      sourceRef: { kind: 'GitRepository', name: 'flux-system' },
      patches: [{ patch: '- {op: add, path: /a, value: b}', target: { kind: 'ConfigMap' } }],
      images: [{ name: 'nginx', newTag: '1' }],
      postBuild: { substitute: { a: 'b' }, substituteFrom: [{ kind: 'Secret', name: 'kept' }] },
      dependsOn: [{ name: 'other' }],
    },
  },
  release: {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'web', namespace: 'flux-system' },
    spec: {
      releaseName: 'r',
      targetNamespace: 'ns',
      chart: { spec: { chart: './chart', sourceRef: { kind: 'GitRepository', name: 'flux-system' } } },
      values: { a: 'b' },
      valuesFrom: [{ kind: 'ConfigMap', name: 'values' }],
    },
  },
  repository: {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'flux-system', namespace: 'flux-system' },
    spec: { url: 'https://example.com/r.git', ref: { branch: 'main' }, ignore: '*.md', interval: '1m' },
  },
  quota: {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard: { pods: '1', 'requests.cpu': '1' } },
  },
  role: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'r', labels: { a: 'b' } },
    rules: [{ apiGroups: ['x'], resources: ['secrets'], verbs: ['get'], resourceNames: ['n'] }],
  },
  roleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'rb' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'ServiceAccount', name: 'kro', namespace: 'kro' }],
  },
  workload: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', annotations: { 'argocd.argoproj.io/sync-wave': '1', a: 'b' } },
    spec: {
      selector: { matchLabels: { app: 'x' } },
      template: {
        metadata: { labels: { app: 'x' } },
        spec: {
          serviceAccountName: 'sa',
          containers: [
            {
              name: 'c',
              image: 'nginx:1',
              imagePullPolicy: 'Always',
              command: ['run'],
              env: [{ name: 'A', value: 'b' }],
              resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '2' } },
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            },
          ],
          volumes: [{ name: 'v', configMap: { name: 'x' } }],
        },
      },
    },
  },
  ingress: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web' },
    spec: {
      ingressClassName: 'x',
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'http' } } } }],
          },
        },
      ],
      tls: [{ hosts: ['a.example.com'], secretName: 's' }],
    },
  },
  claim: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'x', resources: { requests: { storage: '1Gi' } } },
  },
  namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns', labels: { team: 'a' } } },
  schedule: {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'j' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox:1' }] } } },
      },
    },
  },
  provider: {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSetInputProvider',
    metadata: { name: 'inputs', labels: { team: 'a' } },
    spec: { type: 'Static', defaultValues: { a: 'b' } },
  },
  set: {
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'set' },
    spec: {
      inputs: [{ a: 'x', kind: 'ConfigMap' }],
      commonMetadata: { labels: { l: 'x' } },
      resourcesTemplate: 'apiVersion: v1\nkind: << inputs.kind >>\nmetadata: {name: "<< inputs.a >>"}\n',
    },
  },
  webhook: {
    apiVersion: POLICY,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hook' },
    webhooks: [
      {
        name: 'a.example.com',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        clientConfig: { url: 'https://example.com' },
      },
    ],
  },
  unknown: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' }, spec: { a: 'b', items: ['c'] } },
};

/** A policy without values of Secrets, for bindings and parameters that have some. */
export const BESIDE = [
  'apiVersion: admissionregistration.k8s.io/v1',
  'kind: ValidatingAdmissionPolicy',
  'metadata: {name: always}',
  'spec:',
  '  paramKind: {apiVersion: v1, kind: ConfigMap}',
  '  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: ["*"]}]}',
  '  validations: [{expression: "params != null && params.data.a == \'z\'", messageExpression: "string(params.data.a)"}]',
  '',
].join('\n');

type Path = readonly (string | number)[];

function textPaths(value: Value, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textPaths(item as Value, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function withText(value: Value, [step, ...rest]: Path, text: string): Value {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? withText(item, rest, text) : item));
  const copy: ValueMap = { ...(value as ValueMap) };
  setKey(copy, String(step), withText(copy[step] as Value, rest, text));
  return copy;
}

/** RGDs cannot compute the kind of an object. */
const isComputable = (path: Path): boolean => path.length > 1;

/** How a value becomes a text of a field: whole, a part of it, or a part of an expression. */
const FORMS: Readonly<Record<string, (expression: string, old: string) => string>> = {
  whole: (e) => `\${${e}}`,
  after: (e, old) => `${old}\${${e}}`,
  before: (e, old) => `\${${e}}${old}`,
};

const oldText = (object: ValueMap, path: Path): string =>
  path.reduce<Value>((at, step) => (at as ValueMap)[step] as Value, object) as string;

/** A template, as JSON, with an expression that returns a string. */
type Template = (expression: string) => string;

/** Objects that a node of an RGD renders. */
const ofNodes = Object.entries(STAGES).flatMap(([name, object]) =>
  textPaths(object)
    .filter(isComputable)
    .flatMap((path) =>
      Object.entries(FORMS).map(([form, write]): [string, Template] => [
        `stage ${name} ${path.join('.')} ${form}`,
        (e) => JSON.stringify(withText(object, path, write(e, oldText(object, path)))),
      ]),
    ),
);

/** Objects that a ResourceSet renders, which a node of an RGD renders. A template of a set may compute a kind. */
const ofSets = Object.entries(STAGES).flatMap(([name, object]) =>
  textPaths(object).map((path): [string, Template] => [
    `stage set-made ${name} ${path.join('.')}`,
    (e) =>
      JSON.stringify({
        apiVersion: 'fluxcd.controlplane.io/v1',
        kind: 'ResourceSet',
        metadata: { name: 'made' },
        spec: { inputs: [{ a: `\${${e}}` }], resources: [withText(object, path, '<< inputs.a >>')] },
      }),
  ]),
);

/** Templates by their names: a kind, a field and a form. */
export const stageTemplates: Readonly<Record<string, Template>> = Object.fromEntries([...ofNodes, ...ofSets]);

/** The same for nodes of a Graph, which may also compute the kind. */
export const graphTemplates: Readonly<Record<string, Template>> = Object.fromEntries(
  Object.entries(STAGES).flatMap(([name, object]) =>
    textPaths(object).map((path): [string, Template] => [
      `graph ${name} ${path.join('.')}`,
      (e) => JSON.stringify(withText(object, path, `\${${e}}`)),
    ]),
  ),
);

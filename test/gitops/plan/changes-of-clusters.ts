import { manifest } from './changes-of-manifests.ts';
import { application, instance, type Texts, WEB } from './repository.ts';

/** A change of a repository with two applications, and its dangers. */
export interface ClusterChange {
  title: string;
  /** What both versions have. */
  same?: Texts;
  before: Texts;
  after: Texts;
  dangers: readonly string[];
  /** The file of the component that decides, and what it does. */
  why: string;
}

/** Two applications in one cluster and namespace, in the folders `one` and `two`. */
export const APPLICATIONS: Texts = {
  'one.yaml': application('one', '{ path: one }'),
  'two.yaml': application('two', '{ path: two }'),
  'one/nothing.yaml': manifest('v1', 'LimitRange', 'spec: { limits: [] }', 'one'),
  'two/nothing.yaml': manifest('v1', 'LimitRange', 'spec: { limits: [] }', 'two'),
};

const configMap = (name: string, data = '{ a: b }'): string => manifest('v1', 'ConfigMap', `data: ${data}`, name);
const pod = (spec: string, name = 'web'): string =>
  manifest(
    'apps/v1',
    'Deployment',
    `spec:\n  selector: { matchLabels: { a: b } }\n  template: { metadata: { labels: { a: b } }, spec: { ${spec} } }`,
    name,
  );
const reading = (from: string): string => pod(`containers: [{ name: c, image: "a:1", envFrom: [${from}] }]`);
const readingKey = (key: string): string =>
  pod(
    `containers: [{ name: c, image: "a:1", env: [{ name: A, valueFrom: { configMapKeyRef: { name: settings, key: ${key} } } }] }]`,
  );
const ingress = (spec: string, name = 'web'): string =>
  manifest('networking.k8s.io/v1', 'Ingress', `spec: ${spec}`, name);
const route = (backend: string): string =>
  manifest(
    'gateway.networking.k8s.io/v1',
    'HTTPRoute',
    `spec: { hostnames: [a.example.com], rules: [{ backendRefs: [${backend}] }] }`,
  );
const backend = (service: string): string =>
  ingress(
    `{ rules: [{ host: a.example.com, http: { paths: [{ path: /, pathType: Prefix, backend: { service: ${service} } }] } }] }`,
  );
const service = (ports: string, name = 'web'): string => manifest('v1', 'Service', `spec: { ports: ${ports} }`, name);
const hosts = (...names: string[]): string =>
  ingress(`{ rules: [${names.map((name) => `{ host: "${name}" }`).join(', ')}] }`);
const external = (name: string, target: string): string =>
  manifest(
    'external-secrets.io/v1',
    'ExternalSecret',
    `spec: { secretStoreRef: { name: s, kind: ClusterSecretStore }, target: { name: ${target} } }`,
    name,
  );

const ENVIRONMENT =
  'pkg/kubelet/kubelet_pods.go: makeEnvironmentVariables, a ConfigMap or key that is not optional must exist';
const ACCOUNT = 'plugin/pkg/admission/serviceaccount/admission.go: rejects a pod whose account does not exist';
const VOLUME = 'pkg/scheduler/framework/plugins/volumebinding: a pod waits for its claim';
const BACKEND = 'networking/v1 types.go: IngressServiceBackend, the Service and port must exist in its namespace';
const SHARED = 'argo-cd controller/state.go: SharedResourceWarning';
const HOSTS = 'networking/v1 types.go: IngressRule.host, any Ingress may serve a host';
const DELETED = 'pkg/controller/namespace/deletion: all objects of a deleted namespace are deleted';
const DEFINED = 'apiextensions-apiserver pkg/controller/finalizer: objects of a deleted CRD are deleted';

export const CLUSTER_CHANGES: readonly ClusterChange[] = [
  {
    title: 'a ConfigMap is deleted that another application reads',
    same: { 'two/web.yaml': reading('{ configMapRef: { name: settings } }') },
    before: { 'one/c.yaml': configMap('settings') },
    after: {},
    dangers: ['danger-missing-reference'],
    why: ENVIRONMENT,
  },
  {
    title: 'a ConfigMap is deleted together with what reads it',
    before: { 'one/c.yaml': configMap('settings') + reading('{ configMapRef: { name: settings } }') },
    after: {},
    dangers: [],
    why: ENVIRONMENT,
  },
  {
    title: 'a ConfigMap is deleted that is optional',
    same: { 'two/web.yaml': reading('{ configMapRef: { name: settings, optional: true } }') },
    before: { 'one/c.yaml': configMap('settings') },
    after: {},
    dangers: [],
    why: ENVIRONMENT,
  },
  {
    title: 'a ConfigMap moves to the other application',
    same: { 'two/web.yaml': reading('{ configMapRef: { name: settings } }') },
    before: { 'one/c.yaml': configMap('settings') },
    after: { 'two/c.yaml': configMap('settings') },
    dangers: [],
    why: ENVIRONMENT,
  },
  {
    title: 'a reference to a ConfigMap has a typing error',
    same: { 'one/c.yaml': configMap('settings') },
    before: { 'two/web.yaml': reading('{ configMapRef: { name: settings } }') },
    after: { 'two/web.yaml': reading('{ configMapRef: { name: setings } }') },
    dangers: ['danger-missing-reference'],
    why: ENVIRONMENT,
  },
  {
    title: 'a new reference is to a ConfigMap of the other application',
    same: { 'one/c.yaml': configMap('settings') },
    before: { 'two/web.yaml': reading('{ configMapRef: { name: settings, optional: true } }') },
    after: { 'two/web.yaml': reading('{ configMapRef: { name: settings } }') },
    dangers: [],
    why: ENVIRONMENT,
  },
  {
    title: 'a ConfigMap loses a key that a container reads',
    same: { 'two/web.yaml': readingKey('color') },
    before: { 'one/c.yaml': configMap('settings', '{ color: blue, size: big }') },
    after: { 'one/c.yaml': configMap('settings', '{ colour: blue, size: big }') },
    dangers: ['danger-missing-reference'],
    why: ENVIRONMENT,
  },
  {
    title: 'a ConfigMap loses a key that nothing reads',
    same: { 'two/web.yaml': readingKey('color') },
    before: { 'one/c.yaml': configMap('settings', '{ color: blue, size: big }') },
    after: { 'one/c.yaml': configMap('settings', '{ color: blue }') },
    dangers: [],
    why: ENVIRONMENT,
  },
  {
    title: 'a container reads a key that its ConfigMap does not have',
    same: { 'one/c.yaml': configMap('settings', '{ color: blue }') },
    before: { 'two/web.yaml': readingKey('color') },
    after: { 'two/web.yaml': readingKey('colour') },
    dangers: ['danger-missing-reference'],
    why: ENVIRONMENT,
  },
  {
    title: 'a new Deployment has a ServiceAccount that nothing has',
    before: {},
    after: { 'two/web.yaml': pod('serviceAccountName: web, containers: [{ name: c, image: "a:1" }]') },
    dangers: ['danger-missing-reference'],
    why: ACCOUNT,
  },
  {
    title: 'a new Deployment has the ServiceAccount of every namespace',
    before: {},
    after: { 'two/web.yaml': pod('serviceAccountName: default, containers: [{ name: c, image: "a:1" }]') },
    dangers: [],
    why: ACCOUNT,
  },
  {
    title: 'a new Deployment mounts a claim that nothing has',
    before: {},
    after: {
      'two/web.yaml': pod(
        'containers: [{ name: c, image: "a:1" }], volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]',
      ),
    },
    dangers: ['danger-missing-reference'],
    why: VOLUME,
  },
  {
    title: 'a new Deployment mounts a claim that a custom resource may create',
    before: {},
    after: {
      'two/v.yaml': manifest('volsync.backube/v1alpha1', 'ReplicationDestination', 'spec: { trigger: {} }', 'data'),
      'two/web.yaml': pod(
        'containers: [{ name: c, image: "a:1" }], volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]',
      ),
    },
    dangers: [],
    why: VOLUME,
  },
  {
    title: 'a new Deployment reads a Secret that was created by hand',
    before: {},
    after: { 'two/web.yaml': reading('{ secretRef: { name: password } }') },
    dangers: [],
    why: ENVIRONMENT,
  },
  {
    title: 'a Secret of an ExternalSecret is read',
    before: {},
    after: { 'two/web.yaml': external('web', 'password') + reading('{ secretRef: { name: password } }') },
    dangers: [],
    why: 'external-secrets docs: spec.target.name is the name of the Secret',
  },
  {
    title: 'a reference to a Secret of the repository has a typing error',
    same: { 'one/s.yaml': manifest('v1', 'Secret', 'stringData: { a: b }', 'password') },
    before: { 'two/web.yaml': reading('{ secretRef: { name: password } }') },
    after: { 'two/web.yaml': reading('{ secretRef: { name: pasword } }') },
    dangers: ['danger-missing-reference'],
    why: ENVIRONMENT,
  },
  {
    title: 'a reference is old, and what it refers to is elsewhere',
    before: { 'two/web.yaml': pod('serviceAccountName: web, containers: [{ name: c, image: "a:1" }]') },
    after: { 'two/web.yaml': pod('serviceAccountName: web, containers: [{ name: c, image: "a:2" }]') },
    dangers: [],
    why: ACCOUNT,
  },
  {
    title: 'the applications of a namespace include a chart that is elsewhere',
    same: { 'chart.yaml': application('chart', '{ chart: redis, targetRevision: 1.0.0 }') },
    before: {},
    after: { 'two/web.yaml': pod('serviceAccountName: web, containers: [{ name: c, image: "a:1" }]') },
    dangers: [],
    why: ACCOUNT,
  },
  {
    title: 'an Ingress names a port that its Service does not have',
    same: { 'one/s.yaml': service('[{ name: http, port: 80 }]') },
    before: { 'two/i.yaml': backend('{ name: web, port: { number: 80 } }') },
    after: { 'two/i.yaml': backend('{ name: web, port: { number: 8080 } }') },
    dangers: ['danger-missing-reference'],
    why: BACKEND,
  },
  {
    title: 'an Ingress names the port by its name',
    same: { 'one/s.yaml': service('[{ name: http, port: 80 }]') },
    before: { 'two/i.yaml': backend('{ name: web, port: { number: 80 } }') },
    after: { 'two/i.yaml': backend('{ name: web, port: { name: http } }') },
    dangers: [],
    why: BACKEND,
  },
  {
    title: 'a Service gets another port, and its route does not',
    same: { 'two/r.yaml': route('{ name: web, port: 80 }') },
    before: { 'one/s.yaml': service('[{ port: 80 }]') },
    after: { 'one/s.yaml': service('[{ port: 8080 }]') },
    dangers: ['danger-missing-reference'],
    why: 'gateway-api apis/v1/shared_types.go: BackendRef, a reference that does not resolve is answered with 500',
  },
  {
    title: 'a Service is deleted, and its route is not',
    same: { 'two/r.yaml': route('{ name: web, port: 80 }') },
    before: { 'one/s.yaml': service('[{ port: 80 }]') },
    after: {},
    dangers: ['danger-missing-reference'],
    why: BACKEND,
  },
  {
    title: 'the Service of a webhook is deleted',
    same: {
      'two/w.yaml': manifest(
        'admissionregistration.k8s.io/v1',
        'ValidatingWebhookConfiguration',
        'webhooks: [{ name: a.example.com, admissionReviewVersions: [v1], sideEffects: None, clientConfig: { service: { name: hook, namespace: web } } }]',
      ),
    },
    before: { 'one/s.yaml': service('[{ port: 443 }]', 'hook') },
    after: {},
    dangers: ['danger-missing-reference'],
    why: 'apiserver pkg/admission/plugin/webhook: a call that fails rejects the request, if the policy is Fail',
  },
  {
    title: 'a role is deleted, and its binding is not',
    same: {
      'two/b.yaml': manifest(
        'rbac.authorization.k8s.io/v1',
        'RoleBinding',
        'roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader }\nsubjects: [{ kind: User, name: u }]',
      ),
    },
    before: { 'one/r.yaml': manifest('rbac.authorization.k8s.io/v1', 'Role', 'rules: []', 'reader') },
    after: {},
    dangers: ['danger-missing-reference'],
    why: 'pkg/registry/rbac/validation/rule.go: a binding whose role does not exist grants nothing',
  },
  {
    title: 'a host moves to the other application',
    before: { 'one/i.yaml': hosts('a.example.com') },
    after: { 'two/i.yaml': hosts('a.example.com').replace('name: web', 'name: shop') },
    dangers: [],
    why: HOSTS,
  },
  {
    title: 'a host moves from an Ingress to a route',
    before: { 'one/i.yaml': hosts('a.example.com') },
    after: { 'one/i.yaml': route('{ name: web, port: 80 }'), 'one/s.yaml': service('[{ port: 80 }]') },
    dangers: [],
    why: HOSTS,
  },
  {
    title: 'a host is served by another application already',
    same: { 'two/i.yaml': hosts('*.example.com').replace('name: web', 'name: all') },
    before: { 'one/i.yaml': hosts('a.example.com') },
    after: {},
    dangers: [],
    why: HOSTS,
  },
  {
    title: 'a host is served by nothing any more',
    same: { 'two/i.yaml': hosts('b.example.com').replace('name: web', 'name: all') },
    before: { 'one/i.yaml': hosts('a.example.com', 'b.example.com') },
    after: { 'one/i.yaml': hosts('b.example.com') },
    dangers: ['danger-host-removed'],
    why: HOSTS,
  },
  {
    title: 'an object is in two applications',
    same: { 'one/c.yaml': configMap('settings') },
    before: {},
    after: { 'two/c.yaml': configMap('settings') },
    dangers: ['danger-shared-object'],
    why: SHARED,
  },
  {
    title: 'an object is in both applications, and changes in both',
    before: { 'one/c.yaml': configMap('settings'), 'two/c.yaml': configMap('settings') },
    after: { 'one/c.yaml': configMap('settings', '{}'), 'two/c.yaml': configMap('settings', '{}') },
    dangers: [],
    why: SHARED,
  },
  {
    title: 'a rendered object is in another application too',
    same: { 'web.rgd.yaml': WEB, 'two/c.yaml': configMap('page') },
    before: {},
    after: { 'one/i.yaml': instance('page') },
    dangers: ['danger-shared-object'],
    why: SHARED,
  },
  {
    title: 'a Namespace is deleted that another application uses',
    same: { 'two/c.yaml': configMap('settings').replace('name: settings', 'name: settings, namespace: team') },
    before: { 'one/n.yaml': manifest('v1', 'Namespace', '', 'team') },
    after: {},
    dangers: ['danger-data-loss'],
    why: DELETED,
  },
  {
    title: 'a CRD is deleted whose kind another application uses',
    same: { 'two/t.yaml': manifest('example.com/v1', 'Thing', 'spec: {}') },
    before: {
      'one/n.yaml': manifest(
        'apiextensions.k8s.io/v1',
        'CustomResourceDefinition',
        'spec: { group: example.com, scope: Namespaced, names: { kind: Thing, plural: things }, versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }] }',
        'things.example.com',
      ),
    },
    after: {},
    dangers: ['danger-data-loss'],
    why: DEFINED,
  },
];

import { codes } from '../../../../src/core/diagnostics/index.ts';
import { acceptDangers } from '../../../../src/gitops/plan/index.ts';
import { application, planOf, type Texts } from '../../../gitops/plan/repository.ts';
import type { Example, Found } from './example.ts';

const app = application('a', '{ path: apps }');

/** Returns the dangers of a change of one manifest of an application. */
const dangers = (before: string, after: string) => (): readonly Found[] =>
  planOf({ 'a.yaml': app, 'apps/a.yaml': before }, { 'a.yaml': app, 'apps/a.yaml': after }).dangers.map(
    ({ code, message }) => ({
      code,
      message,
      severity: 'warning',
      stage: codes[code].stage,
    }),
  );

const other = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: other }\n';
const deployment = (image: string, replicas = 1): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec:\n  replicas: ${replicas}\n  selector: { matchLabels: { a: b } }\n  template:\n    metadata: { labels: { a: b } }\n    spec: { containers: [{ name: web, image: "${image}" }] }\n`;
/** A Pod with the variables of a ConfigMap. */
const reading = (map: string): string =>
  `---\napiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: web, image: "a:1", envFrom: [{ configMapRef: { name: ${map} } }] }] }\n`;
const claim = (storage: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a }\nspec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: ${storage} } } }\n`;
const ingress = (host: string): string =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: a }\nspec: { rules: [{ host: ${host} }] }\n`;
const role = (verbs: string): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: a }\nrules: [{ apiGroups: [""], resources: [pods], verbs: ${verbs} }]\n`;
const service = (ip: string): string =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { clusterIP: ${ip}, ports: [{ port: 80 }] }\n`;

const notRendered = (): readonly Found[] =>
  planOf({}, { 'a.yaml': application('a', '{ chart: redis, targetRevision: 1.0.0 }') }).applications.map(
    ({ error = '' }) => ({
      code: 'application-not-rendered',
      stage: codes['application-not-rendered'].stage,
      severity: 'warning',
      message: error,
    }),
  );

/** Returns the dangers, or the errors, of a change of a repository. */
const ofRepository = (before: Texts, after: Texts) => (): readonly Found[] => {
  const { dangers, reports } = planOf(before, after);
  return [...dangers, ...reports].map(({ code, message }) => ({
    code,
    message,
    severity: code === 'application-fails' ? 'error' : 'warning',
    stage: codes[code].stage,
  }));
};
const files = { 'a.yaml': app, 'apps/a.yaml': other };
const policy =
  'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: a }\nspec: { podSelector: {} }\n';
const webhook = (policy: string): string =>
  `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: { name: a }\nwebhooks: [{ name: a.example.com, failurePolicy: ${policy}, admissionReviewVersions: [v1], sideEffects: None, clientConfig: { url: "https://a.example.com" } }]\n`;

const denying = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [configmaps] }]
  validations: [{ expression: object.data == oldObject.data, message: the data never changes }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: [Deny] }
`;

export const planExamples = {
  'danger-denied': {
    find: ofRepository(
      { ...files, 'apps/p.yaml': denying, 'apps/a.yaml': `${other}data: { a: b }\n` },
      { ...files, 'apps/p.yaml': denying, 'apps/a.yaml': `${other}data: { a: c }\n` },
    ),
    severity: 'warning',
  },
  'danger-protection-removed': { find: dangers(policy, other), severity: 'warning' },
  'danger-address-removed': {
    find: dangers(service('10.0.0.1').replace('spec: {', 'spec: { type: LoadBalancer,'), service('10.0.0.1')),
    severity: 'warning',
  },
  'danger-destination': {
    find: ofRepository(files, { ...files, 'a.yaml': app.replace('namespace: web', 'namespace: other') }),
    severity: 'warning',
  },
  'danger-application': {
    find: ofRepository(files, { ...files, 'a.yaml': app.replace('project: default', 'project: other') }),
    severity: 'warning',
  },
  'danger-same-name': { find: ofRepository(files, { ...files, 'b.yaml': app }), severity: 'warning' },
  'accepted-unused': {
    find: () =>
      acceptDangers(planOf(files, files), [
        { application: 'a', object: 'Secret web/a', danger: 'danger-secret-deleted', reason: 'moved' },
      ]).reports.map(({ code, message }) => ({ code, message, severity: 'warning', stage: codes[code].stage })),
    severity: 'warning',
  },
  'application-fails': {
    find: ofRepository(files, { ...files, 'a.yaml': application('a', '{ path: nowhere }') }),
  },
  'danger-data-loss': { find: dangers(claim('1Gi'), other), severity: 'warning' },
  'danger-secret-deleted': {
    find: dangers('apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n', other),
    severity: 'warning',
  },
  'danger-immutable-field': { find: dangers(service('10.0.0.1'), service('10.0.0.2')), severity: 'warning' },
  'danger-image-latest': { find: dangers(deployment('nginx:1.27'), deployment('nginx')), severity: 'warning' },
  'danger-image-older': { find: dangers(deployment('nginx:1.27'), deployment('nginx:1.9')), severity: 'warning' },
  'danger-access-wider': { find: dangers(role('[get]'), role('["*"]')), severity: 'warning' },
  'danger-privileged': {
    find: dangers(
      other,
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { hostPID: true, containers: [{ name: c, image: "a:1" }] }\n',
    ),
    severity: 'warning',
  },
  'danger-network-opened': {
    find: dangers(policy, `${policy.replace('podSelector: {} }', 'podSelector: {}, ingress: [{}] }')}`),
    severity: 'warning',
  },
  'danger-service-public': {
    find: dangers(service('10.0.0.1'), service('10.0.0.1').replace('spec: {', 'spec: { type: NodePort,')),
    severity: 'warning',
  },
  'danger-tls-removed': {
    find: dangers(
      ingress('a.example.com').replace('rules:', 'tls: [{ hosts: [a.example.com] }], rules:'),
      ingress('a.example.com'),
    ),
    severity: 'warning',
  },
  'danger-admission-blocks': { find: dangers(webhook('Ignore'), webhook('Fail')), severity: 'warning' },
  'danger-never-ready': {
    find: ofRepository(
      { 'apps/a.yaml': other },
      {
        'apps/a.yaml': other,
        'f.yaml':
          'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: f, namespace: x }\nspec: { interval: 1m, prune: true, path: ./apps, dependsOn: [{ name: none }], sourceRef: { kind: GitRepository, name: x } }\n',
      },
    ),
    severity: 'warning',
  },
  'danger-missing-reference': {
    find: dangers(other + reading('other'), other + reading('another')),
    severity: 'warning',
  },
  'danger-shared-object': {
    find: ofRepository(
      { ...files, 'b.yaml': application('b', '{ path: more }'), 'more/b.yaml': policy },
      { ...files, 'b.yaml': application('b', '{ path: more }'), 'more/b.yaml': `${policy}---\n${other}` },
    ),
    severity: 'warning',
  },
  'danger-no-replicas': { find: dangers(deployment('nginx:1'), deployment('nginx:1', 0)), severity: 'warning' },
  'danger-host-removed': { find: dangers(ingress('a.example.com'), ingress('b.example.com')), severity: 'warning' },
  'danger-volume-smaller': { find: dangers(claim('2Gi'), claim('1024Mi')), severity: 'warning' },
  'application-not-rendered': { find: notRendered, severity: 'warning' },
} as const satisfies Record<string, Example>;

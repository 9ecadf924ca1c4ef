import { describe, expect, it } from 'vitest';
import { answerOf, application } from './repository.ts';

const app = application('a', '{ path: apps }');
const dangers = (before: string, after: string): string[] =>
  answerOf({ 'a.yaml': app, 'apps/a.yaml': before }, { 'a.yaml': app, 'apps/a.yaml': after }).dangers.map(
    ({ code, message }) => `${code} ${message}`,
  );

const pod = (...images: string[]): string =>
  `apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: a }\nspec:\n  schedule: "* * * * *"\n  jobTemplate: { spec: { template: { spec: { containers: [${images.map((image, index) => `{ name: c${index}, image: "${image}" }`).join(', ')}] } } } }\n`;
const role = (...rules: string[]): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: a }\nrules: [${rules.join(', ')}]\n`;
const binding = (subjects: string, name = 'view'): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: { name: a }\nroleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name} }\nsubjects: ${subjects}\n`;
const user = (name: string): string => `{ kind: User, name: ${name} }`;

describe('changes of images', () => {
  it.each([
    ['nginx:1.27', 'nginx:1.28'],
    ['nginx:1.9.1', 'nginx:1.10'],
    ['nginx:1.27', 'other:1.0'],
    ['nginx:main', 'nginx:abc'],
    ['nginx:latest', 'nginx'],
    ['registry:5000/nginx@sha256:0', 'registry:5000/nginx@sha256:1'],
    ['nginx:1.0-rc1', 'nginx:1.0'],
    ['nginx:1.0-rc2', 'nginx:1.0-rc1'],
    ['nginx:1.0', 'nginx:1.0-alpine'],
    ['nginx:1.0-alpine', 'nginx:1.0'],
  ])('from %s to %s are not dangerous', (before, after) => expect(dangers(pod(before), pod(after))).toEqual([]));

  it.each([
    ['nginx:1.27', 'nginx:latest', 'danger-image-latest'],
    ['registry:5000/nginx:1', 'registry:5000/nginx', 'danger-image-latest'],
    ['nginx:v2.0.0', 'nginx:v1.99.0', 'danger-image-older'],
    ['nginx:1.0', 'nginx:1.0-rc1', 'danger-image-older'],
    ['nginx:1.0.1', 'nginx:1.0', 'danger-image-older'],
    ['nginx:v1.2', 'nginx:1.1-alpine', 'danger-image-older'],
    ['nginx:20260101', 'nginx:20251231', 'danger-image-older'],
  ])('from %s to %s are dangerous', (before, after, code) =>
    expect(dangers(pod('same:1', before), pod('same:1', after))).toEqual([
      expect.stringMatching(`^${code} CronJob web/a: spec.jobTemplate.spec.template.spec.containers\\[c1\\] `),
    ]),
  );
});

describe('changes of access', () => {
  const pods = '{ apiGroups: [""], resources: [pods], verbs: [get, list] }';

  it.each([
    [
      'the same in other words',
      role(pods),
      role(
        '{ apiGroups: [""], resources: [pods], verbs: [list] }',
        '{ apiGroups: [""], resources: [pods], verbs: [get] }',
      ),
    ],
    ['less', role('{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }'), role(pods)],
    [
      'a subresource of all',
      role('{ apiGroups: [apps], resources: ["*/scale"], verbs: [get] }'),
      role('{ apiGroups: [apps], resources: [deployments/scale], verbs: [get] }'),
    ],
    ['some names of all', role(pods), role('{ apiGroups: [""], resources: [pods], verbs: [get], resourceNames: [a] }')],
  ])('of %s are not dangerous', (_, before, after) => expect(dangers(before, after)).toEqual([]));

  it.each([
    ['another verb', role(pods), role('{ apiGroups: [""], resources: [pods], verbs: [delete] }'), 'delete pods'],
    ['another group', role(pods), role('{ apiGroups: [apps], resources: [pods], verbs: [get] }'), 'get pods.apps'],
    [
      'all names',
      role('{ apiGroups: [""], resources: [pods], verbs: [get], resourceNames: [a] }'),
      role(pods),
      'get pods, list pods',
    ],
    ['a URL', role(), role('{ nonResourceURLs: [/metrics], verbs: [get] }'), 'get /metrics'],
  ])('of %s are dangerous', (_, before, after, what) =>
    expect(dangers(before, after)).toEqual([`danger-access-wider ClusterRole a: it allows more than before: ${what}`]),
  );

  it('are dangerous if a binding has new subjects, or is new and grants cluster-admin', () => {
    expect(dangers(binding(`[${user('a')}]`), binding(`[${user('a')}, ${user('b')}]`))).toEqual([
      'danger-access-wider ClusterRoleBinding a: User b gets the permissions of view',
    ]);
    expect(dangers(pod(), binding(`[${user('a')}]`, 'cluster-admin'))).toEqual([
      'danger-access-wider ClusterRoleBinding a: it binds subjects to cluster-admin',
    ]);
  });
});

describe('deletions', () => {
  const claim = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a, namespace: web }\n';

  it('are not dangerous if another application takes over the object', () => {
    const second = application('b', '{ path: more }');
    const apps = { 'a.yaml': app, 'b.yaml': second, 'apps/z.yaml': pod(), 'more/z.yaml': pod() };
    const [before, after] = [
      { ...apps, 'apps/c.yaml': claim },
      { ...apps, 'more/c.yaml': claim },
    ];
    expect(answerOf(before, after).dangers).toEqual([]);
    expect(answerOf(before, apps).dangers).toMatchObject([
      { code: 'danger-data-loss', application: 'a', object: { name: 'a' } },
    ]);
  });
});

describe('changes of values of Secrets', () => {
  const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: web }
spec:
  schema: { apiVersion: v1alpha1, kind: Web, spec: { tag: string } }
  resources:
    - id: secret
      template:
        apiVersion: v1
        kind: Secret
        metadata: { name: s }
        stringData: { image: "planted-\${schema.spec.tag}", host: "planted-\${schema.spec.tag}.example.com" }
    - id: ingress
      template:
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata: { name: i }
        spec: { rules: [{ host: "\${secret.stringData.host}" }] }
    - id: server
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: d }
        spec:
          selector: { matchLabels: { a: b } }
          template:
            metadata: { labels: { a: b } }
            spec: { containers: [{ name: web, image: "\${secret.stringData.image}" }] }
`;
  const instance = (tag: string): string =>
    `apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata: { name: a, namespace: web }\nspec: { tag: ${tag} }\n`;

  it('are not dangerous', () => {
    const repository = (tag: string) => ({ 'web.yaml': rgd, 'apps/a.yaml': instance(tag) });
    const { applications, dangers } = answerOf(repository('v2'), repository('v1'));
    expect(applications[0]?.changed.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'Ingress', 'Secret']);
    expect(dangers).toEqual([]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { invoke } from '../../cli/invoke.ts';

const folder = mkdtempSync(join(tmpdir(), 'render-rgd-rbac-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rgd = (resources: string) => `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: team }
spec:
  schema: { apiVersion: v1, kind: Team, group: example.com, spec: { owner: string, verb: string } }
  resources:
${resources}`;
const instance =
  '\n---\napiVersion: example.com/v1\nkind: Team\nmetadata: { name: a, namespace: a }\nspec: { owner: o, verb: get }\n';

const role = (rules: string, name = 'reader') =>
  `  - { id: role, template: { apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: { name: '${name}' }, rules: ${rules} } }\n`;
const binding = (name: string) =>
  `  - { id: bound, template: { apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: { name: b }, roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: '${name}' }, subjects: [] } }\n`;

/** Returns each permission of the printed role: `verb resource.group [name]`. */
async function granted(input: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await invoke(['rbac', '-', ...args], input);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return parse(stdout).rules.flatMap(
    (rule: { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }) =>
      rule.resources.flatMap((resource) =>
        rule.verbs.map((verb) => [verb, `${resource}.${rule.apiGroups[0]}`, ...(rule.resourceNames ?? [])].join(' ')),
      ),
  );
}

const check = (input: string, roleText: string) => {
  const file = join(folder, 'role.yaml');
  writeFileSync(
    file,
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: a }\n${roleText}`,
  );
  return invoke(['rbac', '-', '--check', file], input);
};

const ofTeam = [
  ...'get list patch watch'.split(' ').map((verb) => `${verb} teams.example.com`),
  'update teams/status.example.com',
];

describe('rbac', () => {
  it('lets kro apply the labels of an instance and update its status, and read a reference', async () => {
    const named =
      '  - { id: policy, externalRef: { apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: { name: a } } }\n';
    const selected =
      '  - { id: maps, externalRef: { apiVersion: v1, kind: ConfigMap, metadata: { selector: { matchLabels: { a: b } } } } }\n';
    expect((await granted(rgd(named + selected))).sort()).toEqual(
      [
        ...ofTeam,
        ...['get', 'list', 'watch'].map((verb) => `${verb} networkpolicies.networking.k8s.io`),
        ...['list', 'watch'].map((verb) => `${verb} configmaps.`),
      ].sort(),
    );
  });

  it('takes the plural of a kind from its CRD', async () => {
    const crd = `
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: oxen.example.org }
spec:
  group: example.org
  scope: Namespaced
  names: { kind: Ox, plural: oxen }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }]
`;
    const node = '  - { id: ox, template: { apiVersion: example.org/v1, kind: Ox, metadata: { name: a } } }\n';
    expect(await granted(rgd(node) + crd)).toContain('create oxen.example.org');
  });

  it.each([
    ["[{ apiGroups: [''], resources: [pods/log], verbs: [get] }]", 'reader', ['get pods/log.']],
    [
      "[{ apiGroups: [''], resources: [pods], verbs: ['${schema.spec.verb}'] }]",
      'reader',
      ['escalate roles.rbac.authorization.k8s.io reader'],
    ],
    [
      "[{ apiGroups: [''], resources: [pods], verbs: ['${schema.spec.verb}'] }]",
      '${schema.spec.owner}',
      ['escalate roles.rbac.authorization.k8s.io'],
    ],
  ])('includes what a role grants, or may escalate it: %s of %s', async (rules, name, wanted) => {
    const all = await granted(rgd(role(rules, name)));
    expect(all.filter((one) => /escalate|pods/.test(one))).toEqual(wanted);
  });

  it.each([
    ['view', 'bind clusterroles.rbac.authorization.k8s.io view'],
    ['${schema.spec.owner}', 'bind clusterroles.rbac.authorization.k8s.io'],
  ])('may bind the role that a binding names: %s', async (name, wanted) => {
    expect((await granted(rgd(binding(name)))).filter((one) => one.startsWith('bind'))).toEqual([wanted]);
  });

  it('lets a GitOps tool apply what is rendered, and knows the values of an instance', async () => {
    const rules = "[{ apiGroups: [''], resources: [pods], verbs: ['${schema.spec.verb}'] }]";
    const all = await granted(rgd(role(rules) + binding('${schema.spec.owner}')) + instance, '--for', 'gitops');
    expect(all).not.toContain('get teams.example.com');
    expect(all.filter((one) => /escalate|pods|bind/.test(one) && !/rolebindings/.test(one))).toEqual([
      'get pods.',
      'bind clusterroles.rbac.authorization.k8s.io o',
    ]);
  });

  it('reports each missing verb and each verb that nothing needs', async () => {
    const node = '  - { id: map, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } } }\n';
    const rules = `rules:
- { apiGroups: [''], resources: [configmaps], verbs: [create, delete, get, list, patch, update] }
- { apiGroups: [example.com], resources: ['*'], verbs: ['*'] }
`;
    const { code, stderr } = await check(rgd(node), rules);
    expect(code).toBe(1);
    expect(stderr).toContain('lacks watch on configmaps\n');
    expect(stderr).toContain('grants more than is needed: update on configmaps\n');
    expect(stderr).toContain('grants more than is needed: * on *.example.com\n');
  });

  it('accepts its own output', async () => {
    const input = rgd(role("[{ apiGroups: [''], resources: [pods], verbs: [get] }]") + binding('view'));
    const { stdout } = await invoke(['rbac', '-'], input);
    expect(await check(input, stdout.slice(stdout.indexOf('rules:')))).toMatchObject({ code: 0, stderr: '' });
  });
});

it('rbac says that a package needs nothing', async () => {
  const { code, stderr } = await invoke(['rbac', '-'], 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n');
  expect(stderr).toBe('warning[nothing-to-read]: nothing in the package needs a permission: there is no RGD\n');
  expect(code).toBe(0);
});

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Step } from '../../../src/author/migrate/index.ts';
import { invoke } from '../../cli/invoke.ts';

const folder = mkdtempSync(join(tmpdir(), 'render-rgd-migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rgd = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: team }
spec:
  schema: { apiVersion: v1, kind: Team, group: example.com, spec: { owner: string } }
  resources:
  - { id: map, template: { apiVersion: v1, kind: ConfigMap, metadata: { name: '\${schema.metadata.name}' }, data: { owner: '\${schema.spec.owner}' } } }
`;
const outer = `
---
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: org }
spec:
  schema: { apiVersion: v1, kind: Org, group: example.com, spec: { owner: string } }
  resources:
  - { id: team, template: { apiVersion: example.com/v1, kind: Team, metadata: { name: '\${schema.metadata.name}-team' }, spec: { owner: '\${schema.spec.owner}' } } }
---
apiVersion: example.com/v1
kind: Org
metadata: { name: a, namespace: ns }
spec: { owner: o }
`;

const instance = (kind: string, name: string, more = '') =>
  `---\napiVersion: example.com/v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: ns, uid: ${name}-uid, finalizers: [kro.run/finalizer, other]${more} }\n`;
const labels = (kind: string, name: string) =>
  `labels: { kro.run/instance-kind: ${kind}, kro.run/instance-group: example.com, kro.run/instance-name: ${name}, kro.run/instance-namespace: ns }`;
const live = `${instance('Org', 'a')}${instance('Team', 'a-team', `, ${labels('Org', 'a')}`)}---
apiVersion: v1
kind: ConfigMap
metadata: { name: a-team, namespace: ns, ${labels('Team', 'a-team')} }
`;

async function planned(text: string, ...args: string[]): Promise<{ steps: Step[]; stderr: string; all: string[] }> {
  const file = join(folder, 'live.yaml');
  writeFileSync(file, text);
  const { stdout, stderr } = await invoke(['migrate', '-', '--from', file, '-o', 'json', ...args], rgd + outer);
  const steps: Step[] = stdout === '' ? [] : JSON.parse(stdout);
  return { steps, stderr, all: steps.flatMap(({ run, commit }) => [...commit, ...run]) };
}

describe('migrate', () => {
  it('plans nothing if no instance of the package is live, or none is in the package', async () => {
    writeFileSync(join(folder, 'live.yaml'), live.replaceAll('name: a,', 'name: b,'));
    const missing = await invoke(['migrate', '-', '--from', join(folder, 'live.yaml')], rgd + outer);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('error[live-missing] Org/a: is not among the live objects');
    const none = await invoke(['migrate', '-', '--from', join(folder, 'live.yaml')], rgd);
    expect(none).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error[nothing-to-read]: there is no instance of an RGD\n',
    });
  });

  it('suspends and deletes nested instances after outer ones, and keeps finalizers of others', async () => {
    const { all, stderr } = await planned(live);
    expect(stderr).toBe('');
    expect(all.filter((line) => /annotate|delete|finalizers/.test(line) && !/scale|wait/.test(line))).toEqual([
      'kubectl annotate --overwrite -n ns Org.v1.example.com a kro.run/reconcile=suspended',
      'kubectl annotate --overwrite -n ns Team.v1.example.com a-team kro.run/reconcile=suspended',
      `kubectl patch -n ns Org.v1.example.com a --type=merge -p '{"metadata":{"finalizers":["other"]}}'`,
      'kubectl delete -n ns Org.v1.example.com a',
      `kubectl patch -n ns Team.v1.example.com a-team --type=merge -p '{"metadata":{"finalizers":["other"]}}'`,
      'kubectl delete -n ns Team.v1.example.com a-team',
    ]);
  });

  it('gives up the fields of kro on rendered objects that exist, and of no others', async () => {
    const { all } = await planned(live);
    const [release = ''] = all.filter((line) => line.includes('--field-manager=kro.run/applyset'));
    const [, list = ''] = /END'\n([\s\S]*)\nEND$/.exec(release) ?? [];
    expect(JSON.parse(list).items).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a-team', namespace: 'ns' } },
    ]);
    const none = await planned(instance('Org', 'a'));
    expect(none.all.filter((line) => line.includes('applyset'))).toEqual([]);
  });

  it('removes owner references to an instance only, the last one first', async () => {
    const reference = (uid: string) => `{ apiVersion: example.com/v1, kind: Team, name: a, uid: ${uid} }`;
    const owners = `, ownerReferences: [${['a-uid', 'x', 'a-team-uid'].map(reference).join(', ')}] }\n`;
    const { all } = await planned(live.replace(/ \}\n$/, owners));
    const [patch = ''] = all.filter((line) => line.includes('ownerReferences'));
    expect(JSON.parse(/-p '(.*)'$/.exec(patch)?.[1] ?? '')).toEqual([
      { op: 'test', path: '/metadata/ownerReferences/2/uid', value: 'a-team-uid' },
      { op: 'remove', path: '/metadata/ownerReferences/2' },
      { op: 'test', path: '/metadata/ownerReferences/0/uid', value: 'a-uid' },
      { op: 'remove', path: '/metadata/ownerReferences/0' },
    ]);
  });

  it('warns of an object of a nested instance that is not rendered', async () => {
    const { stderr, steps } = await planned(live + live.slice(live.lastIndexOf('---')).replace('a-team,', 'old,'));
    expect(stderr).toContain('warning[live-lost] ConfigMap/old');
    expect(steps).not.toEqual([]);
  });

  it.each([
    ['argocd', 'argocd.argoproj.io/sync-options: Prune=false'],
    ['flux', 'kustomize.toolkit.fluxcd.io/prune: disabled'],
  ])('protects instances and RGDs from being pruned by %s before they leave Git', async (tool, annotation) => {
    const { steps } = await planned(live, '--tool', tool);
    const [first, second] = steps.filter(({ commit }) => commit.length > 0);
    expect(first?.commit).toContain(`${annotation} as an annotation of Org/a`);
    expect(first?.commit).toContain(`${annotation} as an annotation of ResourceGraphDefinition/org`);
    expect(first?.commit[0]).toContain('prune: false');
    expect(second?.commit.join()).toContain('rendered files');
  });

  it('finds an instance whose namespace is an option', async () => {
    const file = join(folder, 'live.yaml');
    writeFileSync(file, live);
    const input = (rgd + outer).replace(', namespace: ns', '');
    const { stdout, stderr } = await invoke(['migrate', '-', '--from', file, '--namespace', 'ns'], input);
    expect(stderr).toBe('');
    expect(stdout).toContain('kubectl get -n ns Org.v1.example.com a -o name');
  });

  it('prints no plan for a package that does not render', async () => {
    const { stderr, steps } = await planned(live, '--max-collection-size', '0');
    expect(stderr).toContain('error');
    expect(steps).toEqual([]);
  });
});

it('applies instances without a namespace to the given one', async () => {
  const [all, cluster] = [join(folder, 'default.yaml'), join(folder, 'default-live.yaml')];
  writeFileSync(all, `${rgd}---\napiVersion: example.com/v1\nkind: Team\nmetadata: { name: a }\nspec: { owner: o }\n`);
  writeFileSync(cluster, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: ns }\n');
  const { stdout } = await invoke(['migrate', all, '--from', cluster, '--namespace', 'ns', '--back']);
  expect(stdout).toContain(`kubectl apply --server-side --force-conflicts -n ns -R -f ${all}\n`);
  expect(stdout).toContain('ACTIVE -n ns Team.v1.example.com a\n');
});

it.each([
  ['kubectl', ['Org.v1.example.com a', 'Team.v1.example.com a-team']],
  ['argocd', ['Team.v1.example.com a-team']],
])('resumes suspended instances on the way back with %s, and waits for the fields of kro', async (tool, resumed) => {
  const suspended = live.replaceAll(
    '-uid, finalizers',
    '-uid, annotations: { kro.run/reconcile: suspended }, finalizers',
  );
  const { steps, all } = await planned(suspended, '--tool', tool, '--back');
  expect(all.filter((line) => line.startsWith('kubectl annotate'))).toEqual(
    resumed.map((one) => `kubectl annotate -n ns ${one} kro.run/reconcile-`),
  );
  const { verify = [] } = steps.find(({ title }) => title === 'Apply the RGDs and the instances') ?? {};
  expect(verify.at(-1)).toMatch(/\| kubectl wait --for=jsonpath='\S+"kro.run\/applyset"\S+'=kro.run\/applyset -f -$/);
});

it('resumes no instance that is not suspended', async () => {
  const { all } = await planned(live, '--back');
  expect(all.filter((line) => line.startsWith('kubectl annotate'))).toEqual([]);
});

it('resumes nested instances when an instance in Git is not live', async () => {
  const file = join(folder, 'live.yaml');
  writeFileSync(file, live);
  const two = `${rgd}${outer}${instance('Org', 'b')}spec: { owner: o }\n`;
  const { stdout } = await invoke(['migrate', '-', '--from', file, '-o', 'json', '--tool', 'flux'], two);
  expect((JSON.parse(stdout) as Step[]).flatMap(({ back }) => back)).toContain(
    'kubectl annotate -n ns Team.v1.example.com a-team kro.run/reconcile-',
  );
});

it('finds nested instances when their outer one is gone', async () => {
  const { all } = await planned(live.slice(live.indexOf('---', 3)));
  expect(all).toContain('kubectl delete -n ns Team.v1.example.com a-team');
  expect(all).not.toContain('kubectl delete -n ns Org.v1.example.com a');
});

it.each([
  ['succeeds when no field is left', 'true', '', 0],
  ['fails when a manager is left', 'true', 'kro.run/applyset', 1],
  ['fails when the objects cannot be read', 'false', '', 1],
])('the check of managed fields %s', async (_, result, printed, status) => {
  const { steps } = await planned(live);
  const [check = ''] = steps.flatMap(({ verify }) => verify.filter((line) => line.includes('managedFields')));
  const bin = mkdtempSync(join(folder, 'bin-'));
  for (const [name, script] of [
    ['render-rgd', 'true'],
    ['kubectl', `printf '${printed}'; ${result}`],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  expect(spawnSync('sh', ['-c', check], { env: { PATH: `${bin}:${process.env.PATH}` } }).status).toBe(status);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

const SET = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: tenants, namespace: platform }
spec:
  commonMetadata: { labels: { team: platform } }
  inputs:
    - { tenant: red, token: t0psecret }
    - { tenant: blue, token: t0psecret }
  resources:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: claim-<< inputs.tenant >>
        namespace: platform
    - apiVersion: v1
      kind: Secret
      metadata: { name: "token-<< inputs.tenant >>", namespace: platform }
      stringData: { token: "<< inputs.token >>" }
  resourcesTemplate: |
    ---
    apiVersion: example.com/v1alpha1
    kind: Site
    metadata: { name: << inputs.tenant >>, namespace: platform }
`;
const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { group: example.com, apiVersion: v1alpha1, kind: Site, spec: {} }
  resources:
    - id: page
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "page-\${schema.metadata.name}" } }
`;
const WAITING = SET.replace(/ {2}inputs:\n.*\n.*\n/, '  inputsFrom: [{ name: pulls }]\n').replace(
  'name: tenants',
  'name: pulls',
);
const PROVIDER = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: { name: pulls, namespace: platform }
spec: { type: GitHubPullRequest, url: https://example.org }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-sets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
async function run(...args: string[]) {
  const { code, stdout, stderr } = await invoke(
    args.map((one) => (one.startsWith('@') ? join(folder, one.slice(1)) : one)),
  );
  return { code, stdout: stdout.replaceAll(`${folder}/`, ''), stderr: stderr.replaceAll(`${folder}/`, '') };
}

describe('diff of ResourceSets', () => {
  it('matches an object by its template and the index of its inputs', async () => {
    write({ 'old/set.yaml': SET, 'new/set.yaml': SET.replace('tenant: blue', 'tenant: green') });
    const { code, stdout } = await run('diff', '@old', '@new');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'replaced PersistentVolumeClaim platform/claim-blue by PersistentVolumeClaim platform/claim-green, deleted and created anew (ResourceSet platform/tenants, spec.resources[0])',
    );
    expect(stdout).toContain('warning[data-loss] PersistentVolumeClaim platform/claim-blue is deleted');
    expect(stdout).toMatch(/\n3 replaced, 3 unchanged\n$/);
  });

  it('matches an instance and the objects that it renders', async () => {
    write({ 'old/a.yaml': `${SET}---\n${RGD}`, 'new/a.yaml': `${SET}---\n${RGD.replace('page-', 'site-')}` });
    const { stdout } = await run('diff', '@old', '@new');
    expect(stdout).toContain('replaced ConfigMap platform/page-blue by ConfigMap platform/site-blue');
    expect(stdout).toContain('(Site platform/blue, node page)');
  });

  it('reports removed inputs and a removed ResourceSet', async () => {
    write({ 'old/a.yaml': SET, 'new/a.yaml': SET.replace(/ {4}- \{ tenant: blue.*\n/, ''), 'none/a.yaml': PROVIDER });
    expect((await run('diff', '@old', '@new')).stdout).toMatch(/\n3 removed, 3 unchanged\n$/);
    expect((await run('diff', '@old', '@none')).stdout).toMatch(/\n6 removed, 1 changed object not compared\n$/);
  });

  it('names a set that waits for a provider, and compares the rest', async () => {
    write({ 'old/a.yaml': SET, 'new/a.yaml': `${SET}---\n${WAITING}---\n${PROVIDER}` });
    const { code, stdout } = await run('diff', '@old', '@new');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'not compared: ResourceSet/pulls in platform: spec.inputsFrom[0] (only a cluster has the value',
    );
    expect(stdout).toMatch(/\n6 unchanged, 1 pending value not compared\n$/);
    expect((await run('diff', '@old', '@new', '--fail-on', 'unknown')).code).toBe(1);
  });
});

describe('test of ResourceSets', () => {
  it('passes, and reports differences', async () => {
    write({ 'tests/one/test.yaml': '', 'tests/one/set.yaml': SET });
    expect((await run('test', '@tests', '--update')).code).toBe(0);
    expect((await run('test', '@tests')).stdout).toContain('1 passed');
    write({ 'tests/one/set.yaml': SET.replace('claim-', 'volume-') });
    const { code, stdout } = await run('test', '@tests');
    expect(code).toBe(1);
    expect(stdout).toContain('volume-red');
  });
});

describe('explain of ResourceSets', () => {
  it('lists the inputs, and the objects of each template', async () => {
    write({ 'set.yaml': SET });
    expect(
      (await run('explain', 'ResourceSet/tenants', '@set.yaml')).stdout,
    ).toBe(`ResourceSet/platform/tenants is included
  inputs[0] = {"tenant":"red","token":"(hidden)"}  set.yaml:7:7
  inputs[1] = {"tenant":"blue","token":"(hidden)"}  set.yaml:8:7
  spec.resources[0]  set.yaml:10:7
    renders PersistentVolumeClaim/platform/claim-red for inputs[0]
    renders PersistentVolumeClaim/platform/claim-blue for inputs[1]
  spec.resources[1]  set.yaml:15:7
    renders Secret/platform/token-red for inputs[0]
    renders Secret/platform/token-blue for inputs[1]
  spec.resourcesTemplate  set.yaml:20:5
    renders Site/platform/red for inputs[0]
    renders Site/platform/blue for inputs[1]
`);
  });

  it('lists the first inputs, and counts the others', async () => {
    const inputs = Array.from({ length: 23 }, (_, index) => `{tenant: t${index}, token: x}`).join(', ');
    write({ 'set.yaml': SET.replace(/inputs:[\s\S]*?(?=\n {2}resources:)/, `inputs: [${inputs}]`) });
    const { stdout } = await run('explain', 'ResourceSet/tenants', '@set.yaml');
    expect(stdout.match(/^ {2}inputs\[\d+\] = /gm)).toHaveLength(20);
    expect(stdout).toContain('\n  and 3 more inputs\n');
    expect(stdout).toContain('\n    and 3 more\n');
  });

  it('traces a field to the template and to the inputs', async () => {
    write({ 'set.yaml': SET });
    expect(
      (await run('explain', 'PersistentVolumeClaim/claim-blue', '.metadata.name', '@set.yaml')).stdout,
    ).toBe(`metadata.name of PersistentVolumeClaim/platform/claim-blue = "claim-blue"
  rendered by ResourceSet/tenants, spec.resources[0].metadata.name, of inputs[1]  set.yaml:13:15
    claim-<< inputs.tenant >>
    given in inputs[1], tenant = "blue"  set.yaml:8:17
`);
    const label = await run('explain', 'PersistentVolumeClaim/claim-blue', '.metadata.labels.team', '@set.yaml');
    expect(label.stdout).toContain('written in ResourceSet/tenants, spec.commonMetadata.labels.team  set.yaml:5:37');
    const owner = '.metadata.labels["resourceset.fluxcd.controlplane.io/name"]';
    expect((await run('explain', 'PersistentVolumeClaim/claim-blue', owner, '@set.yaml')).stdout).toContain(
      'set by render-rgd',
    );
    const written = await run('explain', 'PersistentVolumeClaim/claim-blue', '.kind', '@set.yaml');
    expect(written.stdout).toContain(
      'written in ResourceSet/tenants, spec.resources[0].kind, of inputs[1]  set.yaml:11:13',
    );
    const documents = await run('explain', 'Site/red', '.metadata.name', '@set.yaml');
    expect(documents.stdout).toContain(
      'rendered by ResourceSet/tenants, spec.resourcesTemplate, of inputs[0]  set.yaml:20:5',
    );
    expect(documents.stdout).toContain('given in inputs[0], tenant = "red"');
  });

  it('hides values of a Secret', async () => {
    write({ 'set.yaml': SET });
    for (const args of [
      ['Secret/token-red', '.stringData.token'],
      ['Secret/token-red', '.stringData'],
      ['ResourceSet/tenants'],
    ]) {
      const { code, stdout } = await run('explain', ...args, '@set.yaml', '-o', 'json');
      expect([code, stdout.includes('t0psecret')]).toEqual([0, false]);
    }
  });

  it('reports what does not exist', async () => {
    write({ 'set.yaml': SET });
    expect((await run('explain', 'ResourceSet/tenant', '@set.yaml')).stderr).toContain(
      'there is ResourceSet/platform/tenants',
    );
    expect((await run('explain', 'ResourceSet/tenants', 'page', '@set.yaml')).stderr).toContain(
      'a ResourceSet has no nodes',
    );
    expect((await run('explain', 'Secret/token-red', '.spec', '@set.yaml')).stderr).toContain('has no field spec');
  });
});

describe('graph of ResourceSets', () => {
  it('draws inputs, objects by kind, and the RGDs that they instantiate', async () => {
    write({ 'a.yaml': `${SET}---\n${RGD}` });
    const { code, stdout } = await run('graph', '@a.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('subgraph g0["tenants (ResourceSet)"]');
    expect(stdout).toContain('n0_0["inputs<br/>2 input sets"]');
    expect(stdout).toContain('n0_3["Site<br/>2 objects<br/>RGD site"]');
    expect(stdout).toContain('n0_0 --> n0_3');
    expect(stdout).toContain('n0_3 -.-> g1');
    expect((await run('graph', '@a.yaml', '--instance', 'ResourceSet/tenants')).stdout).toBe(stdout);
    expect((await run('graph', '@a.yaml', '--rgd', 'site')).stdout).not.toContain('tenants');
  });

  it('finds the RGD among the definitions', async () => {
    write({ 'set.yaml': SET, 'rgd.yaml': RGD });
    expect((await run('graph', '@set.yaml', '--definitions', '@rgd.yaml')).stdout).toContain('n0_3 -.-> g1');
  });

  it('colours a pending provider', async () => {
    write({ 'a.yaml': `${WAITING}---\n${PROVIDER}` });
    const { code, stdout, stderr } = await run('graph', '@a.yaml');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('pulls<br/>ResourceSetInputProvider<br/>external, pending');
  });

  it('omits an invalid template', async () => {
    write({ 'a.yaml': SET.replace('<< inputs.tenant >>', '<< inputs.tenent >>') });
    const { code, stdout, stderr } = await run('graph', '@a.yaml');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error[template-key]');
  });
});

describe('a feature that ResourceSets do not support', () => {
  it.each([
    ['docs', ['@set.yaml']],
    ['schema', ['ResourceSet', '@set.yaml']],
    ['instance', ['ResourceSet', '@set.yaml']],
  ])('is reported by %s', async (command, args) => {
    write({ 'set.yaml': SET });
    const { code, stdout, stderr } = await run(command, ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('there is no RGD, and a ResourceSet defines no kind: its inputs have no schema\n');
  });

  it('is reported by crd, which prints the CRDs of RGDs beside it', async () => {
    write({ 'set.yaml': SET, 'both.yaml': `${SET}---\n${RGD}` });
    expect(await run('crd', '@set.yaml')).toEqual({
      code: 0,
      stdout: '',
      stderr:
        'warning[nothing-to-read]: there is no RGD, and a ResourceSet defines no kind: its inputs have no schema\n',
    });
    expect(await run('crd', '@set.yaml', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await run('crd', '@both.yaml')).stdout).toContain('name: sites.example.com');
  });
});

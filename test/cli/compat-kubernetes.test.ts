import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invoke } from './invoke.ts';

// The releases are those of the deprecation guide of Kubernetes, of its change logs and of its types.

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { apiVersion: v1, kind: Site, spec: {} }
  resources:
    - id: pod
      template:
        apiVersion: v1
        kind: Pod
        metadata: { name: a }
        spec: { serviceAccount: a, containers: [{ name: a, image: a }] }
    - id: flow
      template:
        apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
        kind: FlowSchema
        metadata: { name: a }
        spec: { priorityLevelConfiguration: { name: exempt } }
`;
const SET = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: { name: set, namespace: default }
spec:
  resources:
    - apiVersion: v1
      kind: Service
      metadata: { name: a, namespace: default }
      spec: { loadBalancerIP: 10.0.0.1, trafficDistribution: PreferClose, ports: [{ port: 80 }] }
`;
const ENDPOINTS = 'apiVersion: v1\nkind: Endpoints\nmetadata: { name: a }\n';
const CLAIM =
  'apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: { name: a, namespace: a }\nspec: { devices: {} }\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-kubernetes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

interface Found {
  severity: string;
  code: string;
  line?: number;
  field?: string;
}

async function compared(...args: readonly string[]): Promise<{ code: number; found: string[] }> {
  const { code, stdout } = await invoke(['compat', ...args, '--report', 'json']);
  const all: Found[] = JSON.parse(stdout);
  const found = all.map(({ severity, code: name, field = '' }) => `${severity} ${name} ${field}`.trim());
  return { code, found: found.sort() };
}

describe('compat --kubernetes', () => {
  it('reports what a release does not serve or has deprecated, in RGDs, ResourceSets and manifests', async () => {
    write({ 'rgd.yaml': RGD, 'set.yaml': SET, 'endpoints.yaml': ENDPOINTS });
    const account = 'warning deprecated-field spec.resources[0].template.spec.serviceAccount';
    const address = 'warning deprecated-field spec.resources[0].spec.loadBalancerIP';
    expect(await compared(folder, '--kubernetes', '1.37')).toEqual({
      code: 1,
      found: [
        'error api-removed spec.resources[1].template.apiVersion',
        address,
        account,
        'warning lint-deprecated-api apiVersion',
      ],
    });
    expect(await compared(folder, '--kubernetes', '1.31')).toEqual({
      code: 0,
      found: [address, account, 'warning lint-deprecated-api spec.resources[1].template.apiVersion'],
    });
    const { code, found } = await compared(folder, '--kubernetes', '1.29');
    expect(code).toBe(1);
    expect(found.filter((one) => one.startsWith('error')).map((one) => one.split(' ')[1])).toEqual([
      'field-not-served',
    ]);
  });

  it('reports only planned removals of a release that is not known, and says so', async () => {
    write({ 'claim.yaml': CLAIM });
    expect(await compared(folder, '--kubernetes', '1.37')).toEqual({
      code: 0,
      found: ['warning lint-deprecated-api apiVersion'],
    });
    expect(await compared(folder, '--kubernetes', '1.38')).toEqual({
      code: 1,
      found: ['error api-removed apiVersion', 'warning planned-release'],
    });
    const { stdout } = await invoke(['compat', folder, '--kubernetes', '1.38']);
    expect(stdout).toContain(
      'Kubernetes 1.38 will no longer serve resource.k8s.io/v1beta1 ResourceClaim, as planned\n',
    );
    expect(stdout).toContain('hint: use resource.k8s.io/v1 ResourceClaim');
  });

  it('omits what the commit to compare with has too', async () => {
    write({ 'endpoints.yaml': ENDPOINTS });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'a');
    write({ 'claim.yaml': CLAIM });
    const at = [folder, '--against', 'HEAD', '--kubernetes', '1.38'];
    expect((await compared(...at)).found).toContain('error api-removed apiVersion');
    expect((await compared(...at)).found).not.toContain('warning lint-deprecated-api apiVersion');
  });

  it('keeps the errors that hide what a release does', async () => {
    write({ 'rgd.yaml': RGD.replace('spec: {} }', 'spec: { a: strin } }') });
    const { code, found } = await compared(folder, '--kubernetes', '1.31');
    expect(code).toBe(1);
    expect(found[0]).toMatch(/^error unknown-type/);
  });

  it('refuses a release of which nothing is known', async () => {
    write({ 'endpoints.yaml': ENDPOINTS });
    for (const release of ['1.28', '1.44']) {
      const { code, stderr } = await invoke(['compat', folder, '--kubernetes', release]);
      expect(code).toBe(2);
      expect(stderr).toContain(`nothing is known of Kubernetes ${release}: known are 1.29 to 1.37`);
    }
    expect((await invoke(['compat', folder, '--kubernetes', '1'])).code).toBe(2);
    expect((await invoke(['compat', '--kubernetes', '1.33'])).stderr).toContain('compat --kubernetes needs a PATH');
  });
});

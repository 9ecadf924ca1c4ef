import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { invoke } from './invoke.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: web}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Web
    spec:
      host: string
      replicas: integer | default=1
  resources:
    - id: front
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "\${schema.metadata.name}"}
        spec: {ports: [{port: 80}]}
    - id: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data:
          host: \${schema.spec.host}
          address: \${front.status.loadBalancer.ingress[0].ip}
    - id: server
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "\${schema.metadata.name}"}
        spec:
          replicas: \${front.status.conditions[0].observedGeneration + schema.spec.replicas}
          selector: {matchLabels: {app: a}}
          template:
            metadata: {labels: {app: a}}
            spec: {containers: [{name: a, image: a}]}
    - id: reader
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}-reader"}
        data: {copy: "\${settings.data.address}", host: "\${settings.data.host}"}
`;
const PLAIN_RGD = RGD.replace('front.status.loadBalancer.ingress[0].ip', "'none'").replace(
  'front.status.conditions[0].observedGeneration',
  '0',
);
const web = (name: string, spec: string): string =>
  `apiVersion: kro.run/v1alpha1\nkind: Web\nmetadata: {name: ${name}, namespace: a}\nspec: {${spec}}\n`;
const CLAIM = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\n';

type Files = Readonly<Record<string, string>>;

function write(folder: string, files: Files): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

async function compared(old: Files, newer: Files, ...options: string[]) {
  const folder = temporaryFolder('gaps');
  const [before, after] = [write(join(folder, 'old'), old), write(join(folder, 'new'), newer)];
  const found = await invoke(['diff', before, after, ...options]);
  return {
    ...found,
    stdout: found.stdout.replaceAll(`${folder}/`, ''),
    stderr: found.stderr.replaceAll(`${folder}/`, ''),
  };
}

describe('a pending value in diff', () => {
  const before = { 'rgd.yaml': RGD, 'a.yaml': web('a', 'host: x') };

  it('never hides the rest of its object, or other objects', async () => {
    const { code, stdout, stderr } = await compared(before, { ...before, 'a.yaml': web('a', 'host: z') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('  @@ data.host @@\n  -host: x\n  +host: z\n');
    expect(stdout).not.toContain('removed');
    expect(stdout).toContain(
      'not compared: Web/a in a, node settings: spec.resources[1].template.data.address (only a',
    );
    expect(stdout).toMatch(/\n2 changed, 2 unchanged, 3 pending values not compared\n$/);
  });

  it('is compared by its expression', async () => {
    const newer = { ...before, 'rgd.yaml': RGD.replace('ingress[0].ip', 'ingress[1].ip') };
    const { stdout } = await compared(before, newer);
    expect(stdout).toContain('-address: "<pending: front.status.loadBalancer.ingress[0].ip>"');
    expect(stdout).toContain('+address: "<pending: front.status.loadBalancer.ingress[1].ip>"');
  });

  it('is named in JSON and Markdown, and fails with --fail-on unknown and --strict', async () => {
    const { stdout } = await compared(before, before, '-o', 'json');
    expect(JSON.parse(stdout).pending).toHaveLength(3);
    expect((await compared(before, before, '-o', 'markdown')).stdout).not.toContain('No rendered object changes');
    expect((await compared(before, before)).code).toBe(0);
    expect((await compared(before, before, '--fail-on', 'unknown')).code).toBe(1);
    expect((await compared(before, before, '--strict')).code).toBe(1);
  });

  it('hides the objects of a node only if the whole node is pending', async () => {
    const old = { ...before, 'rgd.yaml': PLAIN_RGD };
    const newer = {
      ...before,
      'rgd.yaml': RGD.replace(
        'name: "${schema.metadata.name}-reader"',
        'name: "${front.status.loadBalancer.ingress[0].hostname}"',
      ),
    };
    const { stdout } = await compared(old, newer, '-o', 'json');
    const { objects, pending } = JSON.parse(stdout);
    expect(objects.map(({ change }: { change: string }) => change)).toEqual(['changed', 'changed']);
    expect(pending).toContainEqual(expect.stringContaining('node reader'));
  });
});

describe('an error in diff', () => {
  const before = { 'rgd.yaml': PLAIN_RGD, 'a.yaml': web('a', 'host: x'), 'b.yaml': web('b', 'host: x') };

  it('hides only the instance that has it', async () => {
    const { code, stdout, stderr } = await compared(before, {
      ...before,
      'a.yaml': web('a', 'host: 1'),
      'b.yaml': web('b', 'host: z'),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error\[instance-type\] Web\/a: /);
    expect(stdout).toContain('  @@ data.host @@\n  -host: x\n  +host: z\n');
    expect(stdout).toContain('not compared: Web a/a (it has an error)');
    expect(stdout).not.toContain('removed');
    expect(stdout).toMatch(/\n2 changed, 2 unchanged, 1 with an error not compared\n$/);
  });

  it('shows nothing as added if both versions have it', async () => {
    const broken = { ...before, 'a.yaml': web('a', 'host: 1') };
    const { code, stdout, stderr } = await compared(broken, broken);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n4 unchanged, 1 with an error not compared\n$/);
    expect(stderr).not.toContain('older-version-broken');
  });

  it('hides only the file that cannot be parsed', async () => {
    const newer = { ...before, 'a.yaml': '{a: [', 'b.yaml': web('b', 'host: z') };
    const { code, stdout } = await compared(before, newer);
    expect(code).toBe(1);
    expect(stdout).toContain('  @@ data.host @@\n  -host: x\n  +host: z\n');
    expect(stdout).toContain('not compared: new/a.yaml (it has an error)');
    expect(stdout).not.toContain('removed');
  });

  it('does not show objects as removed if the file of their RGD cannot be parsed', async () => {
    const { code, stdout } = await compared(before, { ...before, 'rgd.yaml': '{a: [' });
    expect(code).toBe(1);
    expect(stdout).toContain('not compared: new/rgd.yaml (it has an error)');
    expect(stdout).not.toContain('removed');
  });

  it('does not show objects as removed if their RGD has an error', async () => {
    const { code, stdout } = await compared(before, {
      ...before,
      'rgd.yaml': PLAIN_RGD.replace('host: string', 'host: strin'),
    });
    expect(code).toBe(1);
    expect(stdout).toContain('not compared: Web a/a (it has an error)');
    expect(stdout).not.toContain('removed');
  });

  it('still shows what is removed with an RGD', async () => {
    const { 'rgd.yaml': _, ...others } = before;
    const { stdout } = await compared(before, others);
    expect(stdout).toMatch(/removed|not compared/);
  });
});

describe('a file that diff does not read', () => {
  const before = { 'rgd.yaml': PLAIN_RGD, 'a.yaml': web('a', 'host: x') };

  it.each(['.more/data.yaml', 'data', 'data.yaml.tmpl'])('is named if it is %s and differs', async (path) => {
    const old = { ...before, [path]: CLAIM };
    for (const newer of [before, { ...before, [path]: `${CLAIM}# changed\n` }]) {
      const { code, stdout } = await compared(old, newer);
      expect(code).toBe(0);
      expect(stdout).toContain(`${path} (the file is not read)`);
      expect(stdout).toContain('1 changed file not read');
      expect((await compared(old, newer, '--fail-on', 'unknown')).code).toBe(1);
    }
    expect((await compared(old, old)).stdout).toBe('4 unchanged\n');
  });

  it('is compared with the commit of --against', async () => {
    const folder = write(temporaryFolder('gaps'), {
      'apps/rgd.yaml': PLAIN_RGD,
      'apps/a.yaml': web('a', 'host: x'),
      'apps/.x/d.yaml': CLAIM,
      'apps/e': CLAIM,
    });
    const git = (...args: string[]): void => {
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
      expect(spawnSync('git', [...own, ...args], { cwd: folder }).status).toBe(0);
    };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    const apps = join(folder, 'apps');
    const run = async () => (await invoke(['diff', apps, '--against', 'HEAD'])).stdout.replaceAll(`${apps}/`, '');
    expect(await run()).toBe('4 unchanged\n');
    writeFileSync(join(apps, 'e'), `${CLAIM}# changed\n`);
    rmSync(join(apps, '.x/d.yaml'));
    const stdout = await run();
    expect(stdout).toContain('not compared: e (the file is not read)\n');
    expect(stdout).toContain('not compared: HEAD:apps/.x/d.yaml (the file is not read)\n');
    expect(stdout).toContain('2 changed files not read');
  });
});

describe('an error in compat', () => {
  const own = PLAIN_RGD.replace('host: string', 'host: string\n      note: string | default=x');
  const before = { 'rgd.yaml': own, 'other.yaml': PLAIN_RGD.replaceAll('web', 'shop').replaceAll('Web', 'Shop') };
  const narrowed = before['rgd.yaml'].replace('note: string | default=x', 'note: integer | default=1');

  async function compat(newer: Files, ...options: string[]) {
    const folder = temporaryFolder('gaps');
    const [old, later] = [write(join(folder, 'old'), before), write(join(folder, 'new'), newer)];
    const instances = write(join(folder, 'instances'), { 'a.yaml': web('a', 'host: x') });
    const found = await invoke(['compat', old, later, '--instances', instances, ...options]);
    return { ...found, stdout: found.stdout.replaceAll(`${folder}/`, '') };
  }

  it.each([
    ['that has an error', before['other.yaml'].replace('host: string', 'host: strin')],
    ['whose file cannot be parsed', '{a: ['],
  ])('of an RGD %s hides no other RGD', async (_, text) => {
    const changed = await compat({ 'rgd.yaml': narrowed, 'other.yaml': text });
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('error[breaking-change] ResourceGraphDefinition/web: ');
    expect(changed.stdout).not.toContain('kind-removed');
    const host = before['rgd.yaml'].replace('host: ${schema.spec.host}', 'host: ${schema.spec.host + "2"}');
    const objects = await compat({ 'rgd.yaml': host, 'other.yaml': text });
    expect(objects.code).toBe(1);
    expect(objects.stdout).toContain('changed ConfigMap a/a (Web a/a, node settings): data.host');
  });

  it('names files that are not read, and fails for them with --fail-on unknown', async () => {
    const newer = { ...before, 'data.tmpl': PLAIN_RGD };
    expect(await compat(newer)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 file not read (new/data.tmpl'),
    });
    expect((await compat(newer, '--fail-on', 'unknown')).code).toBe(1);
  });
});

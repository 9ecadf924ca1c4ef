import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ObjectSource, render } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { isMap } from '../../src/core/model/value.ts';
import type { Programs } from './control-plane/build.ts';
import { type ControlPlane, startControlPlane } from './control-plane/start.ts';
import { jsonText, readPackageText } from './documents.ts';

const PACKAGE = readPackageText(`
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: pair}
spec:
  schema: {apiVersion: v1alpha1, kind: Pair}
  resources:
    - {id: late, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${early.metadata.name}-late"}}}
    - {id: early, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: early}}}
---
{apiVersion: kro.run/v1alpha1, kind: Pair, metadata: {name: one, namespace: live}}
`);
const LOCAL = { 'config.kubernetes.io/local-config': 'true' };
const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: pair}\n';

/** Applies a rendered package with `kpt live`, and returns what differs from docs/kpt.md. */
export async function checkKptLive(programs: Programs): Promise<string[]> {
  if (spawnSync('kpt', ['live', '--help']).status !== 0) {
    console.log('SKIPPED: kpt is not here, nobody applies with it');
    return process.env.CI === 'true' ? ['kpt is not here'] : [];
  }
  const cluster = await startControlPlane(programs);
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-live-'));
  try {
    return await applyAndPrune(cluster, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await cluster.stop();
  }
}

async function applyAndPrune({ api, kubeconfig }: ControlPlane, folder: string): Promise<string[]> {
  const faults: string[] = [];
  const kpt = (...args: string[]): void => {
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    const { status, stdout, stderr } = spawnSync('kpt', ['live', ...args], { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0) faults.push(`kpt live ${args.join(' ')}: ${stdout}${stderr}`);
  };
  const { objects } = render({ objects: PACKAGE as ObjectSource[] }, { order: 'kpt' });
  const rendered = objects.map((object) => fromPlain(object) as KubeObject);
  const uids = async (): Promise<string> => {
    const found = await Promise.all(rendered.map((object) => api.read(object)));
    return found.map(({ body }) => String(isMap(body.metadata) ? (body.metadata.uid ?? '') : '')).join();
  };
  const write = (all: readonly KubeObject[]): void =>
    writeFileSync(join(folder, 'package.yaml'), all.map((object) => `${jsonText(object)}\n---\n`).join(''));
  // RGDs and instances stay in the package, and are not applied.
  const sources = PACKAGE.map((one) => ({ ...one, metadata: { ...(one.metadata as object), annotations: LOCAL } }));

  await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'live' } });
  writeFileSync(join(folder, 'Kptfile'), KPTFILE);
  write([...sources, ...rendered]);
  kpt('install-resource-group');
  kpt('init', '--namespace', 'live');
  kpt('apply', '--reconcile-timeout', '5m');
  const before = (await uids()).split(',');
  if (before.some((uid) => uid === '')) faults.push('not so: kpt live apply applies what is rendered');
  const rgds = await api.list({ apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition' });
  if (rgds.length > 0) faults.push('not so: kpt live apply leaves RGDs alone');
  write([...sources, ...rendered.filter((object) => nameOf(object) === 'early')]);
  kpt('apply', '--reconcile-timeout', '5m');
  const kept = rendered.map((object, index) => (nameOf(object) === 'early' ? before[index] : ''));
  if ((await uids()) !== kept.join()) faults.push('not so: kpt live apply deletes the one object that went');
  kpt('destroy');
  if (/[^,]/.test(await uids())) faults.push('not so: kpt live destroy deletes what was applied');
  return faults;
}

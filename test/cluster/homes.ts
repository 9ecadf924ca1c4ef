import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type ObjectSource, render } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { getAt } from '../../src/core/model/value.ts';
import type { Programs } from './control-plane/build.ts';
import { type ControlPlane, startControlPlane } from './control-plane/start.ts';
import { jsonText, readPackageText } from './documents.ts';

const SITE = ['rgd.yaml', 'blog.yaml'].flatMap((name) =>
  readPackageText(readFileSync(`examples/pending/site/${name}`, 'utf8')),
);
const INSTANCE = ['-n', 'web', 'sites.kro.run', 'blog'];
const FORCED = ['--server-side', '--force-conflicts', '-f', '-'];

/** Runs the kubectl commands of docs/migrating-from-kro.md; returns what differs from the page. */
export async function checkHomes(programs: Programs): Promise<string[]> {
  if (spawnSync('kubectl', ['version', '--client']).status !== 0) {
    console.log('SKIPPED: kubectl is not here, nobody migrates');
    return process.env.CI === 'true' ? ['kubectl is not here'] : [];
  }
  const cluster = await startControlPlane(programs);
  try {
    return await new Homes(cluster).run();
  } finally {
    await cluster.stop();
  }
}

class Homes {
  private readonly faults: string[] = [];
  constructor(private readonly cluster: ControlPlane) {}

  async run(): Promise<string[]> {
    const kro = await this.cluster.startKro();
    const live = await this.livingWithKro();
    const uids = await this.uidsOf(live);
    this.expect('what is observed renders whole', live.length === 3 && uids.every((uid) => uid !== undefined));
    this.kubectl(['annotate', ...INSTANCE, 'kro.run/reconcile=suspended']);
    this.kubectl(['apply', ...FORCED], live);
    this.expect('kubectl diff is empty after an apply', this.kubectl(['diff', ...FORCED], live) === '');
    await kro.stop();
    this.kubectl(['patch', ...INSTANCE, '--type', 'merge', '-p', '{"metadata":{"finalizers":null}}']);
    this.kubectl(['delete', ...INSTANCE]);
    this.expect('the migration keeps every object', (await this.uidsOf(live)).join() === uids.join());
    await this.prune(live);
    return this.faults;
  }

  /**
   * Applies the example, gives its Service an address as a cloud would, and waits until kro has created all objects.
   */
  private async livingWithKro(): Promise<KubeObject[]> {
    this.kubectl(['create', 'namespace', 'web']);
    // With client-side validation kubectl would report RGD fields that have a default as missing.
    this.kubectl(['create', '--validate=false', '-f', '-'], SITE.slice(0, 1));
    await this.until(() => this.kubectl(['create', '-f', '-'], SITE.slice(1), true) !== undefined);
    const status = '{"status":{"loadBalancer":{"ingress":[{"hostname":"blog.example.com"}]}}}';
    const patch = ['patch', '-n', 'web', 'service', 'blog', '--subresource', 'status', '--type', 'merge', '-p', status];
    await this.until(() => this.kubectl(patch, undefined, true) !== undefined);
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'blog', namespace: 'web' } };
    const { body } = await this.cluster.api.read(service);
    const rendered = render({ objects: SITE as ObjectSource[], observed: [body as ObjectSource] });
    const objects = rendered.objects.map((object) => fromPlain(object) as KubeObject);
    await this.until(async () => (await this.uidsOf(objects)).every((uid) => uid !== undefined));
    return objects;
  }

  /** Checks that `kubectl apply --prune` deletes what is no longer rendered and nothing else. */
  private async prune(objects: readonly KubeObject[]): Promise<void> {
    const apply = ['apply', ...FORCED, '-n', 'web', '--prune', '--applyset', 'site'];
    this.kubectl(apply, objects);
    const [before, kept] = [await this.uidsOf(objects), objects.filter(({ kind }) => kind !== 'ConfigMap')];
    this.kubectl(apply, kept);
    const wanted = objects.map(({ kind }, index) => (kind === 'ConfigMap' ? undefined : before[index]));
    this.expect(
      'apply --prune deletes the one object that went',
      (await this.uidsOf(objects)).join() === wanted.join(),
    );
  }

  private async uidsOf(objects: readonly KubeObject[]): Promise<(string | undefined)[]> {
    return Promise.all(
      objects.map(async (object) => {
        const { status, body } = await this.cluster.api.read(object);
        return status === 200 ? String(getAt(body, ['metadata', 'uid'])) : undefined;
      }),
    );
  }

  /** Returns what kubectl prints; undefined, and a fault unless `mayFail`, if it fails. */
  private kubectl(args: readonly string[], objects?: readonly KubeObject[], mayFail = false): string | undefined {
    const input = objects === undefined ? '' : jsonText({ apiVersion: 'v1', kind: 'List', items: [...objects] });
    const env = { ...process.env, KUBECONFIG: this.cluster.kubeconfig, KUBECTL_APPLYSET: 'true' };
    const { status, stdout, stderr } = spawnSync('kubectl', args, { input, env, encoding: 'utf8' });
    if (status === 0) return stdout;
    if (!mayFail) this.faults.push(`kubectl ${args.join(' ')}: ${stdout}${stderr}`);
    return undefined;
  }

  private expect(what: string, holds: boolean): void {
    if (!holds) this.faults.push(`not so: ${what}`);
  }

  private async until(check: () => boolean | Promise<boolean>): Promise<void> {
    for (let left = 60; left > 0; left -= 1) {
      if (await check()) return;
      await new Promise((done) => setTimeout(done, 1000));
    }
    this.faults.push(`waited for a minute: ${SITE.map(nameOf).join(', ')}`);
  }
}

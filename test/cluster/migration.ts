import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Step, TOOLS } from '../../src/author/migrate/index.ts';
import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { getAt, isMap, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { batchesOf } from './batches.ts';
import { migrated } from './cases.ts';
import type { Programs } from './control-plane/build.ts';
import { type ControlPlane, type Kro, startControlPlane } from './control-plane/start.ts';
import { jsonText, readPackageText } from './documents.ts';
import {
  fixturesOf,
  instancesOf,
  namespaces,
  placed,
  placeFixture,
  placeStatus,
  withoutReadiness,
} from './fixtures.ts';
import { identityIn } from './identity.ts';
import { KRO, type Prepared } from './verdict.ts';

type Tool = (typeof TOOLS)[number];
const MANAGERS: Record<Tool, string> = {
  kubectl: 'kubectl',
  argocd: 'argocd-controller',
  flux: 'kustomize-controller',
};
const TAKE_FROM_KRO = 'Take the objects from kro';
/** How long kro may take until its objects are as they should be, in seconds. */
const PATIENCE = 120;

/**
 * Follows the plans of `migrate` for each example and each tool, with a simulated Argo CD and Flux that prune: from kro
 * to the last step before the instances are deleted and back, then to the end and back. No object may be deleted or
 * changed, and a field that is removed from Git must disappear.
 */
export async function checkMigrations(programs: Programs, prepared: readonly Prepared[]): Promise<string[]> {
  if (spawnSync('kubectl', ['version', '--client']).status !== 0) return ['kubectl is not here'];
  spawnSync(process.execPath, ['tools/build.mjs', '--no-types'], { stdio: 'inherit' });
  const own = new Set(migrated().map(({ name }) => name));
  const all = prepared.filter(({ one }) => one.name.startsWith('examples/') || own.has(one.name));
  const examples = all.filter(({ one, ours }) => one.leftOut === undefined && ours.stage === '');
  for (const { one, ours } of all.filter((each) => !examples.includes(each))) {
    console.log(`not migrated: ${one.name}: ${one.leftOut ?? `${ours.stage}: ${ours.message}`}`);
  }
  const faults: string[] = [];
  let followed = 0;
  for (const batch of batchesOf(examples)) {
    const cluster = await startControlPlane(programs);
    try {
      await namespaces(cluster, batch);
      const site = new Site(cluster, await cluster.startKro());
      for (const each of batch) {
        for (const tool of TOOLS) {
          const found = await new Home(site, each, tool).run();
          faults.push(...found.map((one) => `${each.one.name} with ${tool}: ${one}`));
          followed += 1;
          console.error([`migration of ${each.one.name} with ${tool}: ${found.length} faults`, ...found].join('\n  '));
        }
      }
    } finally {
      await cluster.stop();
    }
  }
  console.log(`migrations: ${followed} there and back, ${faults.length} faults`);
  return followed > 0 ? faults : ['no example was found'];
}

/** A cluster with a kro that can be stopped. */
class Site {
  constructor(
    readonly cluster: ControlPlane,
    private kro: Kro | undefined,
  ) {}

  async scale(replicas: string): Promise<void> {
    if (replicas === '0') await this.kro?.stop();
    this.kro = replicas === '0' ? undefined : await this.cluster.startKro();
  }
}

/** One example and one tool that applies what is in Git. */
class Home {
  private readonly folder = mkdtempSync(join(tmpdir(), 'render-rgd-migration-'));
  private readonly faults: string[] = [];
  private readonly sources: KubeObject[];
  private readonly written: KubeObject[];
  /** The content of Git, and what the tool applied last. */
  private git: KubeObject[];
  private inventory: KubeObject[] = [];
  private prunes = true;
  /** What the last command that failed printed, or what an instance waits for. */
  private lastError = '';

  constructor(
    private readonly site: Site,
    private readonly prepared: Prepared,
    private readonly tool: Tool,
  ) {
    const { one, written } = prepared;
    this.sources = [...one.objects.filter(isRgd).map(withoutReadiness), ...instancesOf(one)].map((object) =>
      isRgd(object) ? object : placed(object, one.namespace),
    );
    this.written = [...written];
    this.git = this.sources;
  }

  async run(): Promise<string[]> {
    try {
      const { one } = this.prepared;
      writeFileSync(join(this.folder, 'package.json'), '{}');
      // kubectl validates the items of a List itself, without the defaults of a CRD.
      writeFileSync(join(this.folder, 'all.yaml'), one.objects.map((each) => `---\n${jsonText(each)}\n`).join(''));
      writeFileSync(
        join(this.folder, 'render-rgd'),
        `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/render-rgd.js')}' "$@"\n`,
      );
      chmodSync(join(this.folder, 'render-rgd'), 0o755);
      for (const object of fixturesOf(one)) await placeFixture(this.site.cluster, object, one.namespace);
      await this.sync();
      await this.until('kro has created all objects', () => this.isReconciled());
      const states = await this.states();
      await this.follow([], states, TAKE_FROM_KRO);
      await this.goBack(states);
      await this.follow([], states);
      await this.expect('the instances are gone', async () =>
        (await this.reads(instancesOf(one))).every((live) => live === undefined),
      );
      await this.checkRemoval();
      await this.goBack(states);
    } catch (cause) {
      this.faults.push(String(cause));
    } finally {
      rmSync(this.folder, { recursive: true });
    }
    return this.faults;
  }

  private async goBack(states: readonly Value[][]): Promise<void> {
    await this.follow(['--back'], states);
    await this.until('kro is back', () => this.isReconciled());
    await this.expect('kro owns the objects again', async () =>
      (await this.reads(this.written)).every((live) => managersOf(live).includes(KRO)),
    );
    await this.compare('the way back', states);
  }

  /** Follows a plan, also to one of its steps only: commits, commands, and what they are said to print. */
  private async follow(args: readonly string[], states: readonly Value[][], last = ''): Promise<void> {
    await this.writeLive();
    const command = `render-rgd migrate all.yaml --from live.yaml --namespace ${this.prepared.one.namespace} --tool ${this.tool} -o json ${args.join(' ')} 2>warnings`;
    const printed = this.shell(command);
    this.shell('! grep live- warnings');
    if (printed === undefined) return void this.shell('cat warnings >&2; false');
    for (const step of JSON.parse(printed) as Step[]) {
      for (const line of step.commit) this.commit(line);
      if (step.commit.length > 0) await this.sync();
      if (step.title.startsWith('Take the objects')) {
        const holds = step.verify.filter((line) => this.shell(line, true) !== undefined);
        if (holds.length > 0) this.faults.push(`${step.title}: holds before the step: ${holds.join('; ')}`);
      }
      for (const line of step.run) await this.perform(line);
      for (const line of step.verify) {
        await this.until(`${step.title}: ${line}`, async () => this.shell(line, true) !== undefined);
      }
      if (!(await this.compare(step.title, states)) || step.title === last) return;
    }
    if (last !== '') this.faults.push(`there is no step ${last}`);
  }

  private async compare(after: string, states: readonly Value[][]): Promise<boolean> {
    const now = await this.states();
    const changed = this.written.filter((_, index) => jsonText(now[index] ?? []) !== jsonText(states[index] ?? []));
    for (const one of changed) this.faults.push(`${one.kind}/${nameOf(one)} is not what it was after: ${after}`);
    return changed.length === 0;
  }

  private commit(line: string): void {
    const [, key, value, kind, name] = /^(\S+): (\S+) as an annotation of (\w+)\/(\S+)$/.exec(line) ?? [];
    if (key !== undefined) {
      this.git = this.git.map((object) =>
        object.kind === kind && nameOf(object) === name ? annotated(object, key, value ?? '') : object,
      );
    } else if (/prune: false/.test(line)) this.prunes = false;
    else if (/prune as it was/.test(line)) this.prunes = true;
    else if (/instead of the rendered objects/.test(line)) this.git = this.sources;
    else if (/rendered files/.test(line)) this.git = this.rendered();
    else if (line !== 'observed.yaml') this.faults.push(`an unknown commit: ${line}`);
  }

  private async perform(line: string): Promise<void> {
    const replicas = /^kubectl scale -n kro-system deployment\/kro --replicas=(\d)$/.exec(line)?.[1];
    if (replicas !== undefined) await this.site.scale(replicas);
    else if (/^kubectl apply .* -R /.test(line)) {
      await this.until(line, async () => this.shell(line.replace(' -R ', ' '), true) !== undefined);
    } else if (!line.startsWith('kubectl wait -n kro-system')) this.shell(line);
  }

  private rendered(): KubeObject[] {
    const { namespace } = this.prepared.one;
    const observed =
      spawnSync('test', ['-e', join(this.folder, 'observed.yaml')]).status === 0 ? '--observed observed.yaml' : '';
    const text = this.shell(`render-rgd render all.yaml --namespace ${namespace} ${observed}`);
    return text === undefined ? [] : readPackageText(text);
  }

  /** Applies what is in Git, and deletes what has left it. kubectl only applies at the beginning. */
  private async sync(): Promise<void> {
    const { api } = this.site.cluster;
    for (const object of this.git) {
      await this.until(`${object.kind} is applied`, async () => {
        if (!(await api.knows(object))) return false;
        const { status, body } = await api.apply(object, { manager: MANAGERS[this.tool] });
        if (status >= 400 && status !== 404) throw new Error(String(body.message));
        return status < 400;
      });
    }
    const kept = new Set(this.git.map((object) => identityIn(object, '')));
    for (const object of this.inventory.filter((one) => !kept.has(identityIn(one, '')))) {
      const live = (await this.reads([object]))[0];
      const annotations = jsonText(getAt(live ?? null, ['metadata', 'annotations']) ?? null);
      if (this.prunes && this.tool !== 'kubectl' && !/Prune=false|"disabled"/.test(annotations))
        await api.remove(object);
    }
    this.inventory = this.git;
  }

  /** Removes a label and a key of data from Git, and puts them back. */
  private async checkRemoval(): Promise<void> {
    const all = this.rendered();
    const [first] = all.filter(({ kind }) => kind === 'ConfigMap').concat(all);
    if (first === undefined) return void this.faults.push('nothing is rendered');
    const key = Object.keys(isMap(first.data) ? first.data : {})[0];
    const path = key === undefined ? ['metadata', 'labels', 'kro.run/node-id'] : ['data', key];
    const there = async (): Promise<boolean> => getAt((await this.reads([first]))[0] ?? null, path) !== undefined;
    await this.expect(`the object has ${path.join('.')}`, there);
    const manager = MANAGERS[this.tool];
    await this.site.cluster.api.apply(without(first, path), { manager });
    await this.expect(`${path.join('.')} disappears with Git`, async () => !(await there()));
    await this.site.cluster.api.apply(first, { manager });
  }

  private async isReconciled(): Promise<boolean> {
    const { one } = this.prepared;
    for (const object of one.observed) await placeStatus(this.site.cluster, object, one.namespace);
    const instances = await this.reads(instancesOf(one));
    const uids = (await this.states()).map(([uid]) => uid);
    this.lastError = jsonText([...instances.map((live) => live?.status ?? null), ...uids.map((uid) => uid !== null)]);
    const isActive = instances.every((live) => getAt(live ?? null, ['status', 'state']) === 'ACTIVE');
    return isActive && uids.every((uid) => uid !== null);
  }

  /** Writes the live objects of the kinds of the package, as `kubectl get -o yaml` prints them. */
  private async writeLive(): Promise<void> {
    const { api } = this.site.cluster;
    const kinds = new Map(
      [
        ...this.written,
        ...instancesOf(this.prepared.one),
        ...this.prepared.one.observed,
        ...nestedKinds(this.prepared),
      ].map((one) => [`${one.apiVersion} ${one.kind}`, one]),
    );
    const items: Value[] = [];
    for (const kind of kinds.values()) items.push(...((await api.knows(kind)) ? await api.list(kind) : []));
    writeFileSync(join(this.folder, 'live.yaml'), jsonText({ apiVersion: 'v1', kind: 'List', items }));
  }

  /** Returns the identity and the content of the objects that kro creates. */
  private states = async (): Promise<Value[][]> =>
    (await this.reads(this.written)).map((live) =>
      [['metadata', 'uid'], ['spec'], ['data'], ['rules']].map((path) => getAt(live ?? null, path) ?? null),
    );

  private reads(objects: readonly KubeObject[]): Promise<(ValueMap | undefined)[]> {
    return Promise.all(
      objects.map(async (object) => {
        const { status, body } = await this.site.cluster.api.read(placed(object, this.prepared.one.namespace));
        return status === 200 ? body : undefined;
      }),
    );
  }

  /** Returns what a command prints; undefined, and a fault unless `mayFail`, if it fails. */
  private shell(line: string, mayFail = false): string | undefined {
    const PATH = `${this.folder}:${process.env.PATH}`;
    const env = { ...process.env, PATH, KUBECONFIG: this.site.cluster.kubeconfig };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
      cwd: this.folder,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (status === 0) return stdout;
    this.lastError = stderr;
    if (!mayFail) this.faults.push(`${line.slice(0, 300)}: ${stdout.slice(0, 300)}${stderr}`);
    return undefined;
  }

  private async expect(what: string, check: () => Promise<boolean>): Promise<void> {
    if (!(await check())) this.faults.push(`not so: ${what}`);
  }

  private async until(what: string, check: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + PATIENCE * 1000; Date.now() < end; ) {
      if (await check()) return;
      await new Promise((done) => setTimeout(done, 500));
    }
    throw new Error(`waited in vain: ${what}: ${this.lastError}`);
  }
}

const managersOf = (live: ValueMap | undefined): string[] => {
  const managed = getAt(live ?? null, ['metadata', 'managedFields']);
  return (Array.isArray(managed) ? managed : []).map((one) => String(getAt(one, ['manager'])));
};

const nestedKinds = ({ one }: Prepared): KubeObject[] =>
  one.objects.filter(isRgd).map((rgd) => ({
    apiVersion: `${getAt(rgd, ['spec', 'schema', 'group']) ?? 'kro.run'}/${getAt(rgd, ['spec', 'schema', 'apiVersion'])}`,
    kind: String(getAt(rgd, ['spec', 'schema', 'kind'])),
  }));

function annotated(object: KubeObject, key: string, value: string): KubeObject {
  const metadata = isMap(object.metadata) ? object.metadata : {};
  const annotations = isMap(metadata.annotations) ? metadata.annotations : {};
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [key]: value } } };
}

function without(object: KubeObject, [first = '', ...rest]: readonly string[]): KubeObject {
  const { [first]: member = null, ...others } = object;
  if (rest.length === 0) return others as KubeObject;
  return { ...others, [first]: without(member as KubeObject, rest) } as unknown as KubeObject;
}

import { execFileSync, spawn } from 'node:child_process';
import { accessSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { invoke } from '../cli/invoke.ts';
import { buildApiServer, hasGo } from '../cluster/control-plane/build.ts';
import { type ControlPlane, startControlPlane } from '../cluster/control-plane/start.ts';
import type { Draw } from '../differential/draw.ts';
import { programOf } from '../plans/programs.ts';
import { drawFromSeed } from '../templates/random.ts';
import { argocdHistory } from './argocd.ts';
import { differencesOf, type PlanJson } from './claims.ts';
import { fluxHistory } from './flux.ts';
import { type Fates, type History, keyOf, ordersOf, URL, type Version } from './history.ts';
import { fluxCrds, kustomizeHarness, sourcesOfModule } from './programs.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '10' },
    orders: { type: 'string', default: '24' },
    only: { type: 'string', default: '' },
    kubeconfig: { type: 'string', default: '' },
    controllers: { type: 'string', default: 'argocd,flux' },
    explain: { type: 'boolean', default: false },
    progress: { type: 'boolean', default: false },
  },
});

/** Answers of test/argocd/fates.go and test/kustomize-controller/fates.go. */
interface Answer {
  fates?: Fates[];
  error?: string;
}

/** The controllers of one tool: their program, their CRDs and their histories. */
interface Tool {
  name: string;
  program: () => { command: string; args: readonly string[] };
  crds: () => readonly string[];
  history: (draw: Draw, only: string) => History;
}

const ARGOCD_CRDS = ['application', 'applicationset', 'appproject'];

const TOOLS: readonly Tool[] = [
  {
    name: 'argocd',
    program: () => ({ command: programOf('argocd', 'ARGOCD_HARNESS'), args: ['fates'] }),
    crds: () => {
      const sources = sourcesOfModule(`github.com/argoproj/argo-cd/v3@${versionOfArgocd()}`);
      return ARGOCD_CRDS.map((kind) => join(sources, `manifests/crds/${kind}-crd.yaml`));
    },
    history: argocdHistory,
  },
  {
    name: 'flux',
    program: () => ({ command: kustomizeHarness(), args: [] }),
    crds: fluxCrds,
    history: fluxHistory,
  },
];

/** Returns the version of test/argocd/go.mod. */
function versionOfArgocd(): string {
  const found = /github\.com\/argoproj\/argo-cd\/v3 (v\S+)/.exec(readFileSync('test/argocd/go.mod', 'utf8'));
  return found?.[1] ?? 'latest';
}

/** Returns the number of an option. */
function numberAt(option: 'seed' | 'from' | 'count' | 'orders'): number {
  const text = values[option];
  if (!/^\d+$/.test(text)) throw new Error(`--${option}: '${text}' is no number`);
  return Number(text);
}

/** What was judged. */
interface Totals {
  passed: number;
  failed: number;
  objects: number;
  orders: number;
}

async function run(): Promise<void> {
  const tools = TOOLS.filter(({ name }) => values.controllers.split(',').includes(name));
  const unknown = values.controllers.split(',').filter((one) => !TOOLS.some(({ name }) => name === one));
  if (unknown.length > 0) throw new Error(`--controllers: '${unknown.join()}' is none of argocd, flux`);
  if (numberAt('count') === 0 || numberAt('orders') === 0) throw new Error('--count and --orders are at least 1');
  if (values.kubeconfig !== '') accessSync(values.kubeconfig);
  const work = mkdtempSync(join(tmpdir(), 'render-rgd-fates-'));
  const plane = values.kubeconfig === '' ? await startControlPlane(buildApiServer()) : undefined;
  const totals: Totals = { passed: 0, failed: 0, objects: 0, orders: 0 };
  try {
    for (const tool of tools) {
      if (plane !== undefined) await install(plane, tool.crds());
      await judge(tool, plane?.kubeconfig ?? values.kubeconfig, work, totals);
    }
  } finally {
    await plane?.stop();
    rmSync(work, { recursive: true, force: true });
  }
  const count = numberAt('count') * tools.length;
  console.log(`${totals.objects} objects in ${count} histories and ${totals.orders} orders`);
  console.log(`fates: ${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

/** Compares a plan of each history with what the controllers of a tool do in every order. */
async function judge(tool: Tool, kubeconfig: string, work: string, totals: Totals): Promise<void> {
  const { command, args } = tool.program();
  const controllers = startJudge(command, [...args, kubeconfig]);
  try {
    await judgeWith(controllers, tool, work, totals);
  } finally {
    controllers.stop();
  }
}

async function judgeWith(controllers: Judge, tool: Tool, work: string, totals: Totals): Promise<void> {
  const seed = numberAt('seed');
  const from = numberAt('from');
  const count = numberAt('count');
  for (let at = from; at < from + count; at += 1) {
    const draw = drawFromSeed(seed * 1_000_003 + at);
    const history = tool.history(draw, values.only);
    const orders = ordersOf(history.actors, numberAt('orders'), draw.int);
    const plan = await planOf(history, join(work, `${tool.name}-${at}`));
    const answer = await controllers.ask({ ...history, orders });
    const title = `OPEN --controllers ${tool.name} --seed ${seed} --from ${at} (${history.title})`;
    if (answer.fates === undefined) {
      totals.failed += 1;
      console.log(`${title}: ${answer.error}`);
      continue;
    }
    totals.orders += answer.fates.length;
    totals.objects += Object.keys(answer.fates[0] ?? {}).length;
    const found = differencesOf(plan, answer.fates, takenOver(history));
    if (found.length === 0) totals.passed += 1;
    else {
      totals.failed += 1;
      console.log(`${title}, ${orders.length} orders:\n  ${found.join('\n  ')}`);
    }
    if (values.progress) console.log(`${tool.name} ${at}: ${totals.passed} passed, ${totals.failed} failed`);
    if (values.explain) explain(history, plan, orders, answer.fates);
  }
}

function explain(
  history: History,
  plan: PlanJson,
  orders: readonly (readonly string[])[],
  fates: readonly Fates[],
): void {
  console.log(JSON.stringify({ before: history.before, after: history.after }, null, 1));
  console.log(JSON.stringify(plan, null, 1));
  for (const [index, order] of orders.entries()) {
    const deleted = Object.entries(fates[index] ?? {}).flatMap(([key, { deleted, deletedLater }]) =>
      deletedLater ? [deleted ? key : `${key} (later)`] : [],
    );
    console.log(`${order.join(', ')}: ${deleted.join(', ')}`);
  }
}

/** Returns whether another folder has an object in the newer version. */
function takenOver({ before, after }: History): (key: string) => boolean {
  const placesIn = ({ folders }: Version, key: string): string =>
    Object.entries(folders)
      .flatMap(([folder, objects]) => (objects.some((one) => keyOf(one) === key) ? [folder] : []))
      .join();
  return (key) =>
    placesIn(after, key) !== '' && (placesIn(before, key) !== placesIn(after, key) || isRenamed(before, after));
}

function isRenamed(before: Version, after: Version): boolean {
  const hasNew = (version: Version): boolean => JSON.stringify(version).includes('"name":"c"');
  return hasNew(after) && !hasNew(before);
}

/** Creates CRDs, and waits until the API server serves them. */
async function install({ api }: ControlPlane, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const crd = parse(readFileSync(file, 'utf8'));
    await api.create(crd);
    const { group, names, versions } = crd.spec as {
      group: string;
      names: { kind: string };
      versions: { name: string; storage: boolean }[];
    };
    const version = versions.find(({ storage }) => storage)?.name;
    const object = { apiVersion: `${group}/${version}`, kind: names.kind };
    const end = Date.now() + SERVED_WITHIN;
    while (!(await api.knows(object))) {
      if (Date.now() > end) throw new Error(`the API server does not serve ${names.kind} of ${file}`);
      await new Promise((next) => setTimeout(next, 100));
    }
  }
}

/** In milliseconds; usually less than a second. */
const SERVED_WITHIN = 300_000;

interface Judge {
  ask: (line: unknown) => Promise<Answer>;
  stop: () => void;
}

/** How much of what a program writes before it ends is shown. */
const MOST_WORDS = 2000;

function startJudge(program: string, args: readonly string[]): Judge {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MOST_WORDS);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (cause) => reject(new Error(`${program} does not start: ${cause.message}`)));
    child.once('close', (status, signal) => reject(new Error(`${program} ended with ${status ?? signal}: ${words}`)));
  });
  // Only a question that has no answer fails.
  failed.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<Answer> => {
    const { value, done } = await lines.next();
    return done === true ? failed : (JSON.parse(value) as Answer);
  };
  return {
    ask: async (line) => {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      return Promise.race([answer(), failed]);
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

async function planOf({ before, after, people }: History, folder: string): Promise<PlanJson> {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'remote', 'add', 'origin', URL);
  write(folder, people, before);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'before');
  for (const name of ['apps', 'argocd', 'clusters', 'roots'])
    rmSync(join(folder, name), { recursive: true, force: true });
  write(folder, people, after);
  const args = ['--holds-data', 'ConfigMap.*', '--holds-data', 'Secret.*'];
  const { stdout, stderr } = await invoke(['plan', folder, '--against-exact', 'HEAD', '-o', 'json', ...args]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as PlanJson;
}

/** Writes a version as files; JSON is YAML. A folder without objects has another file. */
function write(folder: string, own: string, { people, folders }: Version): void {
  for (const [path, objects] of Object.entries({ [own]: people, ...folders })) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'README.md'), '# Objects\n');
    for (const one of objects) {
      const file = join(folder, path, `${one.kind}-${one.metadata.name}.yaml`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(one, null, 2));
    }
  }
}

function git(folder: string, ...args: string[]): void {
  const own = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...own, ...args], { cwd: folder, stdio: 'ignore' });
}

if (hasGo()) {
  await run().catch((cause: unknown) => {
    console.log(`fates: ${cause instanceof Error ? cause.message : cause}`);
    process.exitCode = 1;
  });
} else {
  console.log('SKIPPED: go is not here, so nobody can ask Argo CD');
  const isFailure = process.env.CI === 'true';
  console.log(`fates: 0 passed, ${isFailure ? 1 : 0} failed`);
  process.exitCode = isFailure ? 1 : 0;
}

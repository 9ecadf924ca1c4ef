import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { invoke } from '../cli/invoke.ts';
import { hasGo } from '../cluster/control-plane/build.ts';
import { drawFromSeed } from '../templates/random.ts';
import { CHANGES } from './changes.ts';
import { contentOf, type Deployed, deployedFrom, type Judges, type Rendered } from './oracle.ts';
import { programOf, startRepoServer } from './programs.ts';
import { type Files, LINK, named, repositoryOf, shapesNamed, URL } from './repository.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '10' },
    applications: { type: 'string', default: '38' },
    only: { type: 'string', default: '' },
    changes: { type: 'string', default: '' },
    show: { type: 'string', default: '10' },
  },
});

/**
 * These are named as not rendered: sources with a fixed revision, values that may be elsewhere in the cluster,
 * kustomizations with a repeated key, which other parsers reject or read otherwise, what such a kustomization applies, and
 * releases that get newer values for the older chart.
 */
const NAMED =
  /it deploys the revision v1\.0\.0$|^Application \S+ appli(?:es|ed) it, and is not rendered(?:; as it is written, it fails: .*)?$|its (?:values|variables) are in the ConfigMap \S+, which is not read$|duplicate key '\w+'; the last one wins$|^its chart changes without its version \(reconcileStrategy: ChartVersion\), /;

if (hasGo()) {
  await run().catch((cause: unknown) => {
    console.log(`plans: ${cause instanceof Error ? cause.message : cause}`);
    process.exitCode = 1;
  });
} else {
  console.log('SKIPPED: go is not here, so nobody can ask Argo CD and Flux');
  const isFailure = process.env.CI === 'true';
  console.log(`plans: 0 passed, ${isFailure ? 1 : 0} failed`);
  process.exitCode = isFailure ? 1 : 0;
}

/** Returns the value of an option, and names the option if it has none. */
function optionOf<T>(
  option: 'seed' | 'from' | 'count' | 'applications' | 'only' | 'changes',
  read: (text: string) => T,
): T {
  try {
    return read(values[option]);
  } catch (cause) {
    throw new Error(`--${option}: ${cause instanceof Error ? cause.message : cause}`);
  }
}

function readNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`'${text}' is not a number`);
  return Number(text);
}

function readCount(text: string): number {
  const count = readNumber(text);
  if (count === 0) throw new Error('it is at least 1');
  return count;
}

async function run(): Promise<void> {
  const seed = optionOf('seed', readNumber);
  const from = optionOf('from', readNumber);
  const count = optionOf('count', readCount);
  const applications = optionOf('applications', readCount);
  const shapes = optionOf('only', shapesNamed);
  const kinds = optionOf('changes', (pattern) => named(CHANGES, ([name]) => name, pattern));
  const work = mkdtempSync(join(tmpdir(), 'render-rgd-plans-'));
  const isForFlux = /^[\^(]*(flux|release)/.test(values.only);
  const harness = isForFlux ? '' : programOf('argocd', 'ARGOCD_HARNESS');
  const argocd = isForFlux ? undefined : await startRepoServer(harness, join(work, 'argocd'));
  const flux = programOf('flux-controllers', 'FLUX_CONTROLLERS');
  const judges: Judges = { argocd, harness, flux, work: join(work, 'copies'), known: new Map() };
  const open: string[] = [];
  let agreed = 0;
  let changes = 0;
  try {
    const folder = join(work, 'fleet');
    const draw = drawFromSeed(seed);
    const base = repositoryOf(draw, applications, shapes);
    mkdirSync(folder);
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'remote', 'add', 'origin', URL);
    const first = commit(folder, base);
    git(folder, 'tag', 'v1.0.0');
    const before = await deployedFrom(folder, first, base, judges);
    const invalid = [...before.applications].filter(([, one]) => one === 'rejected').map(([key]) => key);
    if (invalid.length > 0) throw new Error(`the generated repository is not valid: ${invalid.join(', ')} fails`);
    const contents = await differentContents(before, base, folder, join(work, 'rendered'));
    if (contents.length > 0) open.push(`OPEN --seed ${seed}, contents:\n  ${contents.slice(0, 8).join('\n  ')}`);
    for (let at = from; at < from + count; at += 1) {
      const own = drawFromSeed(seed * 1_000_003 + at);
      const files = new Map(base);
      const names = own
        .times(1, 3, () => own.pick(kinds))
        .flatMap(([name, apply]) => (apply(files, own) ? [name] : []));
      const after = await deployedFrom(folder, commit(folder, files), files, judges);
      const { stdout, stderr } = await invoke(['plan', folder, '--against-exact', first, '--allow-exec', '-o', 'json']);
      const expected = expectedOf(before, after, files);
      const found = foundIn(stdout);
      const differences = [...differencesOf(expected, found)];
      changes += expected.changes.size;
      if (differences.length === 0) agreed += 1;
      else
        open.push(
          `OPEN --seed ${seed}, change ${at} (${names.join(', ')}):\n  ${differences.slice(0, 8).join('\n  ')}\n  ${stderr.split('\n')[0]}`,
        );
      git(folder, 'reset', '-q', '--hard', first);
    }
  } finally {
    argocd?.stop();
    rmSync(work, { recursive: true, force: true });
  }
  for (const one of open.slice(0, Number(values.show))) console.log(one);
  console.log(`${changes} changed objects in ${count} pull requests`);
  console.log(`plans: ${agreed} passed, ${open.length} failed`);
  process.exitCode = open.length === 0 ? 0 : 1;
}

/** Returns the objects that only one of the controllers and `plan --output-dir` renders, as JSON. */
async function differentContents({ applications }: Deployed, base: Files, folder: string, output: string) {
  await invoke(['plan', folder, '--output-dir', output, '--allow-exec']);
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const found = new Set(files.map((file) => contentOf(readFileSync(join(output, file), 'utf8'))));
  const isPinned = (key: string): boolean =>
    base.get(`argocd/${key.split(' ')[1]}.yaml`)?.includes('targetRevision: v1.0.0') === true;
  const wanted = new Set(
    [...applications].flatMap(([key, one]) => (one === 'rejected' || isPinned(key) ? [] : [...one.values()])),
  );
  console.log(`${wanted.size} objects are rendered by the controllers, and ${found.size} by plan`);
  return [
    ...[...wanted].filter((one) => !found.has(one)).map((one) => `not rendered: ${one}`),
    ...[...found].filter((one) => !wanted.has(one)).map((one) => `rendered: ${one}`),
  ];
}

/** What a pull request does: changes as `Application a: + v1 ConfigMap x/b`, and the applications that fail. */
interface Effect {
  changes: ReadonlySet<string>;
  rejected: ReadonlySet<string>;
  /** The applications that are named as not rendered, with the reason. */
  named?: ReadonlySet<string>;
  /** Applications whose declaration is left as it is: they may fail too. */
  left?: ReadonlySet<string>;
  /** What declares an application in one of the versions, by their keys. */
  parents?: ReadonlyMap<string, string>;
}

/** Returns the Applications that are written below the path of one that fails: nobody applies them. */
function* writtenBelowFailed({ applications }: Deployed, files: Files): Generator<string> {
  const failed = new Set([...applications].flatMap(([key, one]) => (one === 'rejected' ? [key.split(' ')[1]] : [])));
  const declared = [...files].flatMap(([file, text]) => {
    const [, name = ''] = /^kind: Application\nmetadata: \{ name: ([\w-]+)/m.exec(text) ?? [];
    const [, path = ''] = /path: "?([^\s",}]+)/.exec(text) ?? [];
    return name === '' ? [] : [{ file, name, path }];
  });
  const paths = declared.filter(({ name }) => failed.has(name)).map(({ path }) => `${path}/`);
  for (const { file, name } of declared) {
    if (!applications.has(`Application ${name}`) && paths.some((path) => file.startsWith(path))) yield name;
  }
}

/** Reports whether another ApplicationSet generates an application: the cluster deletes what the older one owns. */
function isRegenerated(key: string, before: Deployed, after: Deployed): boolean {
  const [was = ' ', is = ' '] = [before.parents.get(key), after.parents.get(key)];
  return was !== is && !was.includes(' ') && !is.includes(' ');
}

function expectedOf(before: Deployed, after: Deployed, files: Files): Effect {
  const changes = new Set<string>();
  const rejected = new Set([...after.failedSets].filter((one) => !before.failedSets.has(one)));
  const left = new Set<string>(writtenBelowFailed(after, files));
  const nothing: Rendered = new Map();
  // A controller leaves what another application or a set declares as it is while that one fails.
  const isLeft = (key: string): boolean => {
    const parent = before.parents.get(key);
    if (parent === undefined || after.applications.has(key)) return false;
    return after.failedSets.has(parent) || after.applications.get(parent) === 'rejected' || isLeft(parent);
  };
  for (const key of new Set([...before.applications.keys(), ...after.applications.keys()])) {
    const [kind = '', name = ''] = key.split(' ');
    if (isLeft(key)) {
      left.add(name);
      continue;
    }
    const [was, is] = [before.applications.get(key) ?? nothing, after.applications.get(key) ?? nothing];
    if (was === 'rejected' && is === 'rejected') continue;
    if (was === 'rejected' || is === 'rejected') {
      rejected.add(name);
      continue;
    }
    for (const identity of new Set([...was.keys(), ...is.keys()])) {
      const [old, newer] = [was.get(identity), is.get(identity)];
      if (old !== undefined && newer !== undefined && isRegenerated(key, before, after)) {
        changes.add(`${kind} ${name}: - ${identity}`).add(`${kind} ${name}: + ${identity}`);
        continue;
      }
      const sign = old === undefined ? '+' : newer === undefined ? '-' : '~';
      if (old !== newer) changes.add(`${kind} ${name}: ${sign} ${identity}`);
    }
  }
  return { changes, rejected, left, parents: new Map([...before.parents, ...after.parents]) };
}

interface Answer {
  applications: ({ kind: string; name: string; declaredIn?: string; error?: string } & Record<
    'added' | 'changed' | 'removed',
    Named[]
  >)[];
}
type Named = Record<'apiVersion' | 'kind' | 'namespace' | 'name', string>;

function foundIn(json: string): Effect {
  const changes = new Set<string>();
  const rejected = new Set<string>();
  const named = new Set<string>();
  for (const { kind, name: own, declaredIn = '', error, ...lists } of (JSON.parse(json) as Answer).applications) {
    const [, cluster] = /clusters\/(\w+)/.exec(declaredIn) ?? [];
    const name = cluster === undefined ? own : `${own}@${cluster}`;
    if (error !== undefined && NAMED.test(error)) named.add(`${kind} ${name}`);
    else if (error !== undefined) rejected.add(name);
    for (const [list, sign] of [
      ['added', '+'],
      ['changed', '~'],
      ['removed', '-'],
    ] as const) {
      for (const one of lists[list]) {
        changes.add(`${kind} ${name}: ${sign} ${one.apiVersion} ${one.kind} ${one.namespace}/${one.name}`);
      }
    }
  }
  return { changes, rejected, named };
}

function* differencesOf(expected: Effect, found: Effect): Generator<string> {
  const isNamed = (key: string | undefined): boolean =>
    key !== undefined && (found.named?.has(key) === true || isNamed(expected.parents?.get(key)));
  for (const one of expected.changes) {
    if (!found.changes.has(one) && !isNamed(one.slice(0, one.indexOf(':')))) yield `missing ${one}`;
  }
  for (const one of found.changes) if (!expected.changes.has(one)) yield `spurious ${one}`;
  const isNamedRejection = (name: string): boolean =>
    ['Application', 'HelmRelease', 'Kustomization'].some((kind) => isNamed(`${kind} ${name}`));
  for (const one of expected.rejected) {
    if (!found.rejected.has(one) && !isNamedRejection(one)) yield `not rejected ${one}`;
  }
  for (const one of found.rejected)
    if (!expected.rejected.has(one) && !expected.left?.has(one)) yield `rejected ${one}`;
}

function git(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

/** Makes the working copy the files, and commits it. */
function commit(folder: string, files: Files): string {
  for (const name of readdirSync(folder)) if (name !== '.git') rmSync(join(folder, name), { recursive: true });
  for (const [file, text] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (text.startsWith(LINK)) symlinkSync(text.slice(LINK.length), join(folder, file));
    else writeFileSync(join(folder, file), text);
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'files');
  return git(folder, 'rev-parse', 'HEAD');
}

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { versions } from './versions.ts';

/** Programs by name and version, and their OpenAPI documents; safe to delete. */
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'render-rgd');

export interface Programs {
  etcd: string;
  apiserver: string;
  kro: string;
}

/** Returns false if the programs can be neither found nor built. */
export function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Builds a control plane from Go modules: about five minutes, and later cached. */
export const buildControlPlane = (): Programs => ({
  etcd: buildEtcd(),
  apiserver: buildApiserver(),
  kro: buildKro(),
});

/** Builds only what an API server needs, of one release or of the chosen one. */
export const buildApiServer = (release = versions.kubernetes): Programs => ({
  etcd: buildEtcd(),
  apiserver: buildApiserver(release),
  kro: '',
});

/**
 * Builds tools/judge against a release of kro, by default the chosen one. A folder of the name of an earlier release,
 * for example tools/judge-0.9.3, has the files that are different for it.
 */
export function buildJudge(version = versions.kro): string {
  const folder = `tools/judge-${version.replace(/^v/, '')}`;
  const texts = mergedTexts('tools/judge', ...(existsSync(resolve(folder)) ? [folder] : []));
  return buildFrom(texts, `judge-${version}`, (work) => {
    if ((texts.get('go.mod') ?? '').includes(`github.com/kubernetes-sigs/kro ${version}\n`)) return;
    go(work, 'get', `github.com/kubernetes-sigs/kro@${version}`);
    go(work, 'mod', 'tidy');
  });
}

/**
 * Builds the judge of kro's next release against a folder of its sources: no version of it is published. Its files are
 * those of tools/judge, replaced or completed by those of tools/judge-next.
 */
export function buildNextJudge(sources: string): string {
  const texts = mergedTexts('tools/judge', 'tools/judge-next');
  texts.set('go.mod', (texts.get('go.mod') ?? '').replace('KRO_SOURCES', resolve(sources)));
  return buildFrom(texts, 'judge-next', () => undefined);
}

/** The files of some folders, by name. Those of a later folder replace those of an earlier one. */
const mergedTexts = (...folders: string[]): Map<string, string> =>
  new Map(
    folders.flatMap((folder) =>
      readdirSync(resolve(folder)).map((file) => [file, readFileSync(join(resolve(folder), file), 'utf8')] as const),
    ),
  );

function buildFrom(texts: Map<string, string>, name: string, prepare: (folder: string) => void): string {
  const hash = createHash('sha256');
  for (const [file, text] of [...texts].sort()) hash.update(`${file}\n${text}`);
  return cached(`${name}-${hash.digest('hex').slice(0, 12)}`, (folder, target) => {
    for (const [file, text] of texts) writeFileSync(join(folder, file), text);
    prepare(folder);
    go(folder, 'build', '-o', target, '.');
  });
}

/** Builds tools/gotemplate-judge. */
export function buildTemplateJudge(): string {
  const source = resolve('tools/gotemplate-judge');
  const files = readdirSync(source).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(source, file)));
  return cached(`gotemplate-judge-${hash.digest('hex').slice(0, 12)}`, (folder, target) => {
    for (const file of files) copyFileSync(join(source, file), join(folder, file));
    go(folder, 'build', '-o', target, '.');
  });
}

/** Builds tools/resourceset-judge, and returns the sources of the Flux operator that it imports. */
export function buildResourceSetJudge(): { program: string; sources: string } {
  const source = resolve('tools/resourceset-judge');
  const files = readdirSync(source).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(source, file)));
  const version = /flux-operator (v[0-9.]+)/.exec(readFileSync(join(source, 'go.mod'), 'utf8'))?.[1];
  const program = cached(`resourceset-judge-${hash.digest('hex').slice(0, 12)}`, (folder, target) => {
    for (const file of files) copyFileSync(join(source, file), join(folder, file));
    go(folder, 'build', '-o', target, '.');
  });
  return { program, sources: moduleFolder(`github.com/controlplaneio-fluxcd/flux-operator@${version}`) };
}

/** The folder of the sources of a release of kro in Go's module cache. */
export const kroSources = (version = versions.kro): string => moduleFolder(`github.com/kubernetes-sigs/kro@${version}`);

/** The folder of a module in Go's module cache. */
export function moduleFolder(module: string): string {
  const answer = JSON.parse(go(tmpdir(), 'mod', 'download', '-json', module)) as { Dir: string };
  return answer.Dir;
}

/** Returns a folder of the cache, filled by `fill` if it does not exist. */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(cache, name);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, '.filling-'));
  try {
    await fill(folder);
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return target;
}

function buildEtcd(): string {
  return cached(`etcd-${versions.etcd}`, (folder, target) => {
    copyFileSync(resolve('test/cluster/control-plane/etcd/main.go'), join(folder, 'main.go'));
    writeFileSync(join(folder, 'go.mod'), 'module render-rgd.dev/etcd\n\ngo 1.26\n');
    go(folder, 'get', `go.etcd.io/etcd/server/v3@${versions.etcd}`);
    go(folder, 'mod', 'tidy');
    go(folder, 'build', '-o', target, '.');
  });
}

function buildKro(): string {
  return cached(`kro-${versions.kro}`, (folder, target) => {
    const command = `github.com/kubernetes-sigs/kro/cmd/controller@${versions.kro}`;
    execFileSync('go', ['install', command], { cwd: folder, env: { ...environment, GOBIN: folder }, stdio });
    renameSync(join(folder, 'controller'), target);
  });
}

function buildApiserver(release = versions.kubernetes): string {
  return cached(`kube-apiserver-${release}-numbered`, (folder, target) => {
    copyFileSync(resolve('test/cluster/control-plane/apiserver/main.go'), join(folder, 'main.go'));
    const module = JSON.parse(go(tmpdir(), 'mod', 'download', '-json', `k8s.io/kubernetes@${release}`));
    writeFileSync(join(folder, 'go.mod'), requirementsOf(readFileSync(module.GoMod as string, 'utf8'), release));
    go(folder, 'mod', 'tidy');
    go(folder, 'build', '-ldflags', versionFlags(release), '-o', target, '.');
  });
}

/** Without the numbers, an API server also warns about kinds that only a later release deprecates. */
function versionFlags(release: string): string {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(release) ?? [];
  const values = { gitVersion: release, gitMajor: major, gitMinor: minor };
  return Object.entries(values)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
}

/** k8s.io/kubernetes replaces its own modules by folders; a dependent uses the published modules of that release. */
function requirementsOf(goMod: string, kubernetes: string): string {
  const staged = new Set([...goMod.matchAll(/(k8s\.io\/[a-z-]+) => \.\/staging\//g)].map((match) => match[1]));
  const release = kubernetes.replace(/^v1\./, 'v0.');
  return [
    'module render-rgd.dev/apiserver\n',
    /^go .*$/m.exec(goMod)?.[0] ?? '',
    `require k8s.io/kubernetes ${kubernetes}`,
    ...[...staged].map((name) => `replace ${name} => ${name} ${release}`),
    '',
  ].join('\n');
}

/** Returns a program of the cache, built in an empty folder if it does not exist. */
function cached(name: string, make: (folder: string, target: string) => void): string {
  const target = join(cache, name);
  if (existsSync(target)) return target;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-build-'));
  console.error(`building ${name}`);
  try {
    // Renamed in one step, so that no process runs an incomplete program.
    const half = join(cache, `.${name}-${process.pid}`);
    make(folder, half);
    renameSync(half, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return target;
}

const environment = {
  ...process.env,
  CGO_ENABLED: '0',
  GOFLAGS: `${process.env.GOFLAGS ?? ''} -mod=mod -buildvcs=false`,
};
const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];

const go = (folder: string, ...args: string[]): string =>
  execFileSync('go', args, { cwd: folder, env: environment, stdio, encoding: 'utf8', maxBuffer: 1 << 26 });

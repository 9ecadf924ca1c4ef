import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { bundle, command, findTool } from './sandbox.ts';

const root = dirname(dirname(bundle));
const sources = join(root, 'test/argocd');

/** The answer of the harness: see test/argocd/protocol.go. */
export interface Answer {
  error?: string;
  sourceType?: string;
  /** Each is a JSON text, as the repo-server returns it. */
  manifests?: string[];
  parameters?: { name: string; title?: string; array?: string[] }[];
  waves?: { phase: string; number: number; objects: string[] }[];
  milliseconds: number;
}

/** Argo CD's repo-server, and argocd-cmp-server with the plugin, for one repository. */
export interface ArgoCd {
  ask(request: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** The repository URL, and the commit. */
  source: { repoURL: string; targetRevision: string };
  stopSidecar(): Promise<void>;
  stop(): Promise<void>;
}

export interface ResourceSetContext {
  /** The text of plugin.yaml. */
  plugin: string;
  /** The files of the repository by their path. */
  files: Readonly<Record<string, string>>;
  /** The value of reposerver.parallelism.limit. */
  parallelism: string;
  /** More variables for the repo-server. */
  variables?: Readonly<Record<string, string>>;
}

/** The go.mod of Argo CD names the Go that it needs; an older one downloads it. */
const env = (): NodeJS.ProcessEnv => ({ ...process.env, GOTOOLCHAIN: 'auto' });

/** Returns the module of Argo CD, with its manifests, from which the harness is built. */
export const argocdModule = (): string =>
  execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', 'github.com/argoproj/argo-cd/v3'], {
    cwd: sources,
    encoding: 'utf8',
    env: env(),
  }).trim();

/** Returns the program of test/argocd: built by .ci/run, or here, which takes minutes the first time. */
export function harness(): string {
  if (process.env.ARGOCD_HARNESS !== undefined) return process.env.ARGOCD_HARNESS;
  const program = join(root, 'node_modules/.cache/argocd-harness');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: sources, stdio: 'inherit', env: env() });
  return program;
}

/** The timeout of the first build of Argo CD, in milliseconds. */
export const BUILD_TIMEOUT = 900_000;

export async function startArgoCd(given: ResourceSetContext): Promise<ArgoCd> {
  const program = harness();
  const top = mkdtempSync(join(tmpdir(), 'render-rgd-argocd-'));
  const at = (name: string): string => join(top, name);
  for (const folder of ['plugins', 'work', 'tmp', 'home', 'bin', 'config']) mkdirSync(at(folder));
  const repository = at('repository');
  for (const [path, text] of Object.entries(given.files)) put(join(repository, path), text);
  const revision = commit(repository);
  put(at('config/plugin.yaml'), given.plugin);
  symlinkSync(command, at('bin/render-rgd'));
  // The repo-server calls it to verify signatures, of which there are none.
  writeFileSync(at('bin/git-verify-wrapper.sh'), '#!/bin/sh\n', { mode: 0o755 });
  const tools = ['kustomize', 'helm', 'git'].flatMap((name) => findTool(name) ?? []).map((tool) => dirname(tool));
  const env = {
    PATH: [...new Set([at('bin'), dirname(process.execPath), ...tools, '/usr/bin', '/bin'])].join(':'),
    HOME: at('home'),
    TMPDIR: at('tmp'),
    ARGOCD_PLUGINSOCKFILEPATH: at('plugins'),
  };
  const sidecar = spawn(program, ['cmp-server', '--config-dir-path', at('config'), '--loglevel', 'error'], {
    env: { ...env, ARGOCD_CMP_WORKDIR: at('work') },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await appears(at('plugins/render-rgd.sock'), sidecar);
  const server = spawn(program, ['repo-server'], {
    env: {
      ...env,
      ARGOCD_REPO_SERVER_PARALLELISM_LIMIT: given.parallelism,
      ARGOCD_GPG_ENABLED: 'false',
      // A busy machine must not fail a test.
      HARNESS_REQUEST_TIMEOUT: '10m',
      ...given.variables,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return {
    ask: asking(server),
    source: { repoURL: `file://${repository}`, targetRevision: revision },
    stopSidecar: () => ended(sidecar),
    stop: async () => {
      await Promise.all([ended(sidecar), ended(server)]);
      rmSync(top, { recursive: true, force: true });
    },
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function commit(repository: string): string {
  const git = (...args: string[]): string => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    return execFileSync('git', args, { cwd: repository, encoding: 'utf8', env }).trim();
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message', 'all');
  return git('rev-parse', 'HEAD');
}

async function appears(path: string, process: ChildProcess): Promise<void> {
  while (!existsSync(path)) {
    if (process.exitCode !== null) throw new Error(`argocd-cmp-server ended with ${process.exitCode}`);
    await pause(20);
  }
}

/** Matches answers to requests in any order. */
function asking(server: ReturnType<typeof spawn>): ArgoCd['ask'] {
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let count = 0;
  createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer & { id: number };
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  server.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the repo-server ended with ${code}`));
  });
  return (request) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      server.stdin?.write(`${JSON.stringify({ id: count, ...request })}\n`);
    });
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const end = new Promise((resolve) => process.once('exit', resolve));
  process.kill('SIGKILL');
  await end;
}

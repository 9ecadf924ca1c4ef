import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkPackage } from '../../playground/engine/check.ts';
import { formatDiagnostics, validate } from '../../src/api/index.ts';
import { commands } from '../../src/cli/loaded.ts';
import { pluginCommand } from '../../src/cli/plugin/index.ts';
import { assistantFor } from '../../src/cli/servers.ts';
import { isKubeObject } from '../../src/core/model/object.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { invoke } from '../cli/invoke.ts';
import { recordingIo } from '../cli/recording.ts';
import { listOf, runFunction } from '../cli/resourcelist/packages.ts';
import type { Random } from '../fuzz/random.ts';
import { drawPackage, type FileContent } from './package.ts';
import type { Plant, Planted, SurfaceName } from './plants.ts';

type FilesByPath = ReadonlyMap<string, FileContent>;

/** Writes files below a folder, which is emptied before, except for its repository. */
function write(folder: string, files: FilesByPath): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  addFiles(folder, files);
  return folder;
}

function addFiles(folder: string, files: FilesByPath): void {
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, file);
    else writeFileSync(file, content);
  }
}

/** What a surface says, and whether it is green. */
interface Said {
  text: string;
  isGreen: boolean;
  /** The entries of its ledger, if it writes one. */
  entries?: readonly LedgerEntry[];
}

interface LedgerEntry {
  file?: string;
  title: string;
  outcome: string;
  why?: string;
}

interface Question {
  planted: Planted;
  /** A folder for temporary files. */
  folder: string;
  older: string;
  newer: string;
  /** The name of the folder of the package in both. */
  pack: string;
}

/** Runs a command with a ledger. */
async function said(args: readonly string[], folder: string): Promise<Said> {
  const file = join(folder, 'ledger.json');
  rmSync(file, { force: true });
  const { code, stdout, stderr } = await invoke([...args, '--ledger', file]);
  const entries = ledgerIn(file);
  return { text: stdout + stderr, isGreen: code === 0, ...(entries !== undefined && { entries }) };
}

function ledgerIn(file: string): readonly LedgerEntry[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).entries;
  } catch {
    // A command that fails before it looks at anything has none.
    return undefined;
  }
}

const URL = 'https://git.example.com/team/fleet.git';

/** An Application of Argo CD that renders the package with the plugin. */
const applicationOf = (path: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: everything, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: web}
  source: {repoURL: ${URL}, targetRevision: HEAD, path: ${path}, plugin: {name: render-rgd}}
`;

function git(folder: string, ...args: string[]): void {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', '-c', 'gc.auto=0'];
  const { status, stderr } = spawnSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

async function askPlan({ planted, folder, pack }: Question): Promise<Said> {
  const root = join(folder, 'repository');
  const argo = ['argocd/everything.yaml', applicationOf(pack)] as const;
  write(root, new Map([...planted.older, argo]));
  git(root, 'init', '-q');
  git(root, 'add', '-A', '-f');
  git(root, 'commit', '-q', '-m', 'first');
  for (const path of planted.older.keys()) if (!planted.newer.has(path)) rmSync(join(root, path));
  for (const path of planted.newer.keys()) rmSync(join(root, path), { force: true });
  addFiles(root, planted.newer);
  return said(['plan', root, '--against', 'HEAD', '--repo-url', URL, ...(planted.planArgs ?? [])], folder);
}

/** Runs a golden test that expects no error of the newer version. */
async function askTest({ planted, folder, pack }: Question): Promise<Said> {
  const root = join(folder, 'golden');
  const test = ['test/test.yaml', `input: [../${pack}]\nexpected: []\n${planted.testOptions ?? ''}`] as const;
  write(root, new Map([...planted.newer, test]));
  return said(['test', join(root, 'test')], folder);
}

/** Runs something in a folder. */
async function inside<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const home = process.cwd();
  process.chdir(folder);
  try {
    return await run();
  } finally {
    process.chdir(home);
  }
}

/** The texts of the files that a program would read. */
export function textsIn(files: FilesByPath): { file: string; text: string }[] {
  return [...files].flatMap(([file, content]) => {
    const isRead = /\.(ya?ml|json)$/.test(file) && !/(^|\/)\./.test(file);
    return isRead && typeof content === 'string' ? [{ file, text: content }] : [];
  });
}

const SURFACES: Readonly<Record<SurfaceName, (question: Question) => Promise<Said>>> = {
  validate: ({ newer, planted: { args = [] }, folder }) => said(['validate', newer, ...args], folder),
  diff: ({ older, newer, planted: { args = [] }, folder }) => said(['diff', older, newer, ...args], folder),
  compat: ({ older, newer, planted: { args = [] }, folder }) =>
    said(['compat', older, newer, '--instances', newer, ...args], folder),
  plan: askPlan,
  test: askTest,
  function: async ({ planted: { newer } }) => {
    const documents = textsIn(newer).flatMap(({ text }) => readStream(text).documents);
    const items = documents.flatMap(({ value }) => (isKubeObject(value) ? [JSON.stringify(plain(value))] : []));
    const { code, results } = await runFunction(listOf(items));
    return { text: JSON.stringify(plain(results)), isGreen: code === 0 };
  },
  plugin: ({ newer, pack }) =>
    inside(join(newer, pack), async () => {
      const result = { stdout: '', stderr: '' };
      const code = await pluginCommand(['generate'], recordingIo(result), {});
      return { text: result.stderr, isGreen: code === 0 };
    }),
  MCP: ({ newer }) =>
    inside(newer, async () => {
      const io = recordingIo({ stdout: '', stderr: '' });
      const { call } = assistantFor({ io, version: '0.0.0-test', commands: async () => commands });
      const { text, ledger = '', isError } = await call('validate', { paths: ['.'] });
      const hasErrors = /"severity": "error"/.test(text);
      return { text: text + ledger, isGreen: !isError && !hasErrors };
    }),
  library: async ({ planted: { newer } }) => {
    const { diagnostics, ledger } = validate({ objects: textsIn(newer) });
    const unseen = ledger.entries.filter(({ outcome }) => outcome === 'unseen');
    const text = `${formatDiagnostics(diagnostics)}${JSON.stringify(unseen)}`;
    return { text, isGreen: !ledger.isRefused, entries: ledger.entries };
  },
  page: async ({ planted: { newer } }) => {
    const files = textsIn(newer).map(({ file, text }) => ({ name: file, text, role: 'objects' as const }));
    const { diagnostics, unchecked } = checkPackage({ files, options: {} });
    const isGreen = !diagnostics.some(({ severity }) => severity === 'error');
    return { text: `${formatDiagnostics(diagnostics)}${unchecked}`, isGreen };
  },
  'language server': async ({ planted: { newer } }) => {
    const workspace = new Workspace();
    workspace.configure({ options: defaultRenderOptions, disable: [], openapi: undefined }, []);
    const uris = textsIn(newer).map(({ file, text }) => {
      const uri = `file:///folder/${file}`;
      workspace.open(uri, text, 1);
      return uri;
    });
    const found = uris.flatMap((uri) => workspace.current(uri)?.diagnostics ?? []);
    const isGreen = !found.some(({ severity }) => severity === 'error');
    return { text: formatDiagnostics([...found]), isGreen };
  },
};

/** Returns a value without integers that JSON.stringify does not take. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)));

/** Plants something into a random package, and returns what is wrong with the answers of the surfaces. */
export async function silentSurfaces(plant: Plant, random: Random, folder: string): Promise<string[]> {
  const pack = drawPackage(random);
  const planted = plant.plant(pack, random);
  const [older, newer] = [write(join(folder, 'old'), planted.older), write(join(folder, 'new'), planted.newer)];
  const question = { planted, folder, older, newer, pack: pack.folder };
  const wrong: string[] = [];
  for (const surface of plant.surfaces) {
    const { text, isGreen, entries = [] } = await SURFACES[surface](question);
    const what = `${surface} says of ${plant.name} (${planted.named.join(', ')})`;
    const isNamed = planted.named.some((name) => text.includes(name));
    if (!isNamed || (isGreen && text.includes('nothing wrong') && !text.includes('left out on request'))) {
      wrong.push(`${what}, ${isGreen ? 'green' : 'failed'}: ${text.slice(-600)}`);
    }
    const more = otherReasons(entries, planted.named);
    if (more.length > 1) wrong.push(`${what} ${more.length} reasons more: ${more.join('; ')}`);
  }
  return wrong;
}

/** Returns the reasons why something else was not looked at, each once. */
function otherReasons(entries: readonly LedgerEntry[], named: readonly string[]): string[] {
  const isPlanted = ({ file = '', title }: LedgerEntry): boolean =>
    named.some((name) => title.includes(name) || basename(file).includes(name));
  const others = entries.filter((one) => one.outcome === 'unseen' && !isPlanted(one));
  const reasons = new Set(others.map(({ why = '' }) => why));
  // A file of an application that is not compared follows from the application.
  reasons.delete('application-not-compared');
  return [...reasons];
}

/** Checks and compares a random package without anything that nobody can look at, and returns what is said of it. */
export async function complaintsOfClean(random: Random, folder: string): Promise<string[]> {
  const { files, folder: pack } = drawPackage(random);
  const clean = write(join(folder, 'new'), files);
  const complaints: string[] = [];
  const validated = await invoke(['validate', clean, '--strict', '--disable', 'lint-unread-field']);
  if (validated.code !== 0 || !/^\d+ objects? in \d+ files?: nothing wrong\n$/.test(validated.stdout)) {
    complaints.push(`validate: ${validated.stdout}`);
  }
  const compared = await invoke(['diff', clean, clean, '--strict']);
  if (compared.code !== 0 || !/^\d+ unchanged\n$/.test(compared.stdout)) complaints.push(`diff: ${compared.stdout}`);
  const question = { planted: { older: files, newer: files, named: [] }, folder, older: clean, newer: clean, pack };
  for (const surface of ['compat', 'plan', 'test', 'library', 'plugin', 'function'] as const) {
    const { text, isGreen, entries = [] } = await SURFACES[surface](question);
    const unseen = entries.filter(({ outcome }) => outcome === 'unseen');
    if (!isGreen || unseen.length > 0) complaints.push(`${surface}: ${JSON.stringify(unseen)} ${text}`);
  }
  return complaints;
}

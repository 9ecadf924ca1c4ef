import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { note, noteRgd } from '../cli/resourcelist/packages.ts';
import { partOf } from '../properties/runs.ts';
import { command, execute, type Result } from './sandbox.ts';

// A command that reads a pipe or a device waits for ever, or until memory ends. Each run has a timeout of its own.

const NEVER = 60_000;
let top: string;
const servers: Server[] = [];
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'render-rgd-irregular-'));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(top, { recursive: true });
});

const KINDS: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a socket': (path) =>
    new Promise((done) => {
      servers.push(createServer().listen(path, done));
    }),
};

let count = 0;

/** Writes a package with one irregular file, in a new folder. */
async function packageWith(kind: string, path: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  count += 1;
  const folder = join(top, String(count));
  const all = { 'p/rgd.yaml': noteRgd, 'p/note.yaml': note('a'), 'p/t/expected.yaml': note('b'), ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  await KINDS[kind]?.(join(folder, path));
  return folder;
}

function runIn(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Result {
  const how = { cwd: folder, input: '', env: { ...process.env, ...env }, timeout: NEVER };
  return execute(command, args, how);
}

const IN_A_FOLDER: readonly [string, string[]][] = [
  ...['render', 'validate', 'graph', 'crd', 'docs', 'pending', 'doctor'].map((name): [string, string[]] => [
    name,
    [name, 'p'],
  ]),
  ['explain', ['explain', 'Note/a', 'p']],
  ['schema', ['schema', 'Note', 'p']],
  ['instance', ['instance', 'Note', 'p']],
  ['observe', ['observe', 'p', '--from', 'p']],
  ['diff', ['diff', 'p/rgd.yaml', 'p']],
  ['compat', ['compat', 'p/rgd.yaml', 'p']],
];

const NAMED: readonly [option: string, args: string[]][] = [
  ['the path', ['render', 'x/odd.yaml']],
  ['--definitions', ['render', 'p', '--definitions', 'x/odd.yaml']],
  ['--observed', ['render', 'p', '--observed', 'x/odd.yaml']],
  ['--openapi', ['render', 'p', '--openapi', 'x/odd.yaml']],
  ['--inputs-from', ['render', 'p', '--inputs-from', 'x/odd.yaml']],
  ['--defaults', ['render', 'p', '--defaults', 'x/odd.yaml']],
  ['--config', ['validate', 'p', '--config', 'x/odd.yaml']],
  ['--from', ['observe', 'p', '--from', 'x/odd.yaml']],
  ['--inject', ['docs', 'p', '--inject', 'x/odd.yaml']],
  ['--instances', ['compat', 'p', 'p', '--instances', 'x/odd.yaml']],
];

const WORD = /(a pipe, a socket or a device|it is a pipe|no regular file)/;

describe.each(Object.keys(KINDS))('%s', (kind) => {
  const ways = Object.keys(KINDS);
  /** One in two items is tested with one of the kinds, and nightly all with all. */
  const some = <Item>(items: readonly Item[]): readonly Item[] => partOf(items, 2 * ways.length, ways.indexOf(kind));

  it('among the files of a package is an error that names it', async () => {
    for (const [name, args] of some(IN_A_FOLDER)) {
      const { code, stdout, stderr: errors } = runIn(await packageWith(kind, 'p/odd.yaml'), args);
      const stderr = stdout + errors;
      expect({ name, code }).toEqual({ name, code: expect.toSatisfy((one: number) => one === 1 || one === 2) });
      expect({ name, stderr }).toEqual({ name, stderr: expect.stringMatching(WORD) });
      expect({ name, stderr }).toEqual({ name, stderr: expect.stringContaining('p/odd.yaml') });
    }
  });

  it('that an option names is an error that names it', async () => {
    for (const [option, args] of some(NAMED)) {
      const { code, stdout, stderr: errors } = runIn(await packageWith(kind, 'x/odd.yaml'), args);
      const stderr = stdout + errors;
      expect({ option, code, stderr }).toEqual({ option, code: 1, stderr: expect.stringMatching(WORD) });
      expect({ option, stderr }).toEqual({ option, stderr: expect.stringContaining('x/odd.yaml') });
    }
  });

  const OF_A_TEST = ['test.yaml', 'expected.yaml', 'expected-diagnostics.yaml', 'input.yaml', 'observed.yaml'];
  it.each(some(OF_A_TEST))('in the place of %s of a golden test is an error that names it', async (file) => {
    const folder = await packageWith(kind, `p/q/${file}`, { 'p/t/test.yaml': '' });
    if (file !== 'test.yaml') writeFileSync(join(folder, 'p/q/test.yaml'), '');
    if (!file.startsWith('expected')) writeFileSync(join(folder, 'p/q/expected.yaml'), '');
    const { code, stdout, stderr } = runIn(folder, ['test', 'p']);
    expect({ code, text: stdout + stderr }).toEqual({ code: 1, text: expect.stringMatching(WORD) });
    expect(stdout + stderr).toContain('p/q');
  });

  it('in the place of a test.yaml below a package is an error that names it', async () => {
    const { code, stderr } = runIn(await packageWith(kind, 'p/t/test.yaml'), ['render', 'p']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(WORD) });
    expect(stderr).toContain('p/t/test.yaml');
  });

  it('in the place of render-rgd.yaml is an error that names it', async () => {
    const { code, stdout } = runIn(await packageWith(kind, 'render-rgd.yaml'), ['validate', 'p']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(WORD) });
    expect(stdout).toContain('render-rgd.yaml');
  });

  const OF_THE_PLUGIN: readonly [name: string, path: string, build: string][] = [
    ['test.yaml', 't/test.yaml', 'none'],
    ['a file', 'odd.yaml', 'none'],
    ['kustomization.yaml', 'kustomization.yaml', 'auto'],
    ['Kustomization', 'Kustomization', 'kustomize'],
    ['Chart.yaml', 'Chart.yaml', 'auto'],
    ['requirements.yaml', 'requirements.yaml', 'helm'],
    ['.helmignore', '.helmignore', 'helm'],
    ['values.schema.json', 'values.schema.json', 'helm'],
    ['an archive', 'charts/a.tgz', 'helm'],
    ['a resource of kustomize', 'a.txt', 'kustomize'],
  ];
  it.each(some(OF_THE_PLUGIN))('in the place of %s is an error of the plugin', async (_, path, build) => {
    const files: Record<string, string> = {};
    if (build === 'helm') files['p/Chart.yaml'] = 'apiVersion: v2\nname: c\nversion: 0.1.0\n';
    if (path === 'a.txt') files['p/kustomization.yaml'] = 'configMapGenerator: [{name: a, files: [a.txt]}]\n';
    const folder = await packageWith(kind, `p/${path}`, files);
    mkdirSync(join(folder, '.git'));
    const parameters = JSON.stringify([{ name: 'build', string: build }]);
    const env = { ARGOCD_APP_PARAMETERS: parameters, ARGOCD_APP_NAME: 'a' };
    for (const verb of ['discover', 'parameters']) expect(runIn(join(folder, 'p'), ['plugin', verb], env).code).toBe(0);
    const { code, stdout, stderr } = runIn(join(folder, 'p'), ['plugin', 'generate'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(kind === 'a link to a device' ? /is outside the repository/ : WORD);
    expect(stderr).toContain(path);
  });
});

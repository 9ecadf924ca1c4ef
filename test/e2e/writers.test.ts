import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isLong, partOf } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { command, execute, filesOf, isNative } from './sandbox.ts';

const ROUNDS = isLong ? 40 : 2;
const WRITERS = 4;
/** How many processes write at once. */
const PROCESSES = isLong ? 8 : WRITERS;
const FILES = 60;
/** Every change of a file in the nightly run, else one in ten, fewer of the later ones, others each day. */
const STRIDE = isLong ? 1 : 10;
const stepAfter = (step: number): number => (isLong ? step + 1 : step + STRIDE + Math.floor(step / STRIDE));
const FIRST = 1 + (seed % STRIDE);
const killer = fileURLToPath(new URL('kill-at.mjs', import.meta.url));
const canUnshare = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-writers-'));
  for (let writer = 0; writer < WRITERS; writer++) writeFileSync(join(folder, `${writer}.yaml`), packageOf(writer));
});
afterAll(() => rmSync(folder, { recursive: true }));

let out: string;
beforeEach(() => {
  mkdirSync(join(folder, 'place'));
  out = join(folder, 'place/out');
});
afterEach(() => rmSync(join(folder, 'place'), { recursive: true }));

/** Each writer has other texts, and some files of its own. */
const packageOf = (writer: number): string =>
  Array.from(
    { length: FILES },
    (_, index) => `apiVersion: v1
kind: ConfigMap
metadata: {name: map-${index + writer * 10}, namespace: space-${index % 7}}
data: {writer: "${writer}"}
`,
  ).join('---\n');

const argumentsOf = (writer: number): string[] => [
  'render',
  join(folder, `${writer}.yaml`),
  '--all',
  '--output-dir',
  out,
];

/** The files that a writer alone writes. */
function expectedOf(writer: number): Record<string, string> {
  const alone = join(folder, `expected-${writer}`);
  const args = argumentsOf(writer).map((one) => (one === out ? alone : one));
  expect(execute(command, args)).toMatchObject({ code: 0 });
  const files = filesOf(alone);
  rmSync(alone, { recursive: true });
  return files;
}

const endOf = (child: ChildProcess): Promise<{ code: number | null; stderr: string }> => {
  let stderr = '';
  child.stderr?.on('data', (piece) => {
    stderr += String(piece);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
};

describe('several processes that write one output directory', () => {
  it('leave the tree of one of them, and the others report an error', async () => {
    const expected = Array.from({ length: WRITERS }, (_, writer) => expectedOf(writer));
    for (let round = 0; round < ROUNDS; round++) {
      // The folder is new, exists, or has the files of an earlier run.
      if (round % 3 === 1) mkdirSync(out);
      if (round % 3 === 2) expect(execute(command, argumentsOf(round % WRITERS))).toMatchObject({ code: 0 });
      const ends = await Promise.all(
        Array.from({ length: PROCESSES }, async (_, index) => {
          const writer = index % WRITERS;
          const child = spawn(command, argumentsOf(writer), { stdio: ['ignore', 'ignore', 'pipe'] });
          return { writer, ...(await endOf(child)) };
        }),
      );
      for (const { code, stderr } of ends) {
        expect({ code, stderr }).toEqual({
          code: code === 0 ? 0 : 1,
          stderr: expect.stringMatching(code === 0 ? /^info\[tree-written\]/ : /^error\[tree-(locked|list)\]/),
        });
      }
      const successful = ends.filter(({ code }) => code === 0).map(({ writer }) => writer);
      expect(successful).not.toEqual([]);
      expect(successful.map((writer) => expected[writer])).toContainEqual(filesOf(out));
      expect(readdirSync(dirname(out))).toEqual(['out']);
      rmSync(out, { recursive: true });
    }
  });

  it('leave a tree that the next run repairs, with random kills', async () => {
    const expected = Array.from({ length: WRITERS }, (_, writer) => expectedOf(writer));
    for (let round = 0; round < ROUNDS; round++) {
      const children = Array.from({ length: PROCESSES }, (_, index) =>
        spawn(command, argumentsOf(index % WRITERS), { stdio: 'ignore' }),
      );
      const ends = children.map(endOf);
      for (const child of children) {
        if (Math.random() < 0.6) setTimeout(() => child.kill('SIGKILL'), 200 + 1500 * Math.random());
      }
      await Promise.all(ends);
      const writer = round % WRITERS;
      expect(execute(command, argumentsOf(writer))).toMatchObject({ code: 0 });
      expect(filesOf(out)).toEqual(expected[writer]);
      expect(readdirSync(dirname(out))).toEqual(['out']);
    }
  });
});

/** Runs the command, and kills it before its n-th change of a file. Returns whether it was killed. */
function killedAt(step: number, args: readonly string[], variables: NodeJS.ProcessEnv = process.env): boolean {
  const env = {
    ...variables,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${killer}`,
    KILL_AT: String(step),
  };
  const { signal, status, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (signal === null) expect({ status, stderr }).toMatchObject({ status: 0 });
  return signal === 'SIGKILL';
}

describe.skipIf(isNative)('a process that is killed before a change', () => {
  const small = (name: string, text: string): string => {
    const path = join(folder, 'place', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const map = (name: string, namespace: string, data: string): string =>
    `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: ${namespace}}, data: {a: "${data}"}}\n`;

  it.each([
    ['a folder that does not exist', false],
    ['a folder with other files', true],
  ])('of %s is repaired by the next run', (_, exists) => {
    const [one, other] = [
      `${map('a', 'x', '1')}---\n${map('b', 'x', '1')}`,
      `${map('a', 'x', '2')}---\n${map('c', 'w', '2')}`,
    ];
    const [first, second] = [small('one/in.yaml', one), small('other/in.yaml', other)];
    const render = (input: string): string[] => ['render', input, '--all', '--output-dir', out];
    const expected = [first, second].map((input) => {
      expect(execute(command, render(input))).toMatchObject({ code: 0 });
      if (input === first) cpSync(out, join(folder, 'before'), { recursive: true });
      return filesOf(out);
    });
    let steps = 0;
    for (let step = FIRST; step < 200; step = stepAfter(step)) {
      rmSync(out, { recursive: true, force: true });
      if (exists) cpSync(join(folder, 'before'), out, { recursive: true });
      if (exists) writeFileSync(join(out, 'mine.txt'), 'mine');
      const mine = exists ? { 'mine.txt': 'mine' } : {};
      if (!killedAt(step, render(second))) break;
      steps += 1;
      // The next run may render something else.
      const next = step % 2;
      expect(execute(command, render(next === 0 ? first : second))).toMatchObject({
        code: 0,
        stderr: expect.anything(),
      });
      expect(filesOf(out)).toEqual({ ...expected[next], ...mine });
      expect(readdirSync(dirname(out)).sort()).toEqual(['one', 'other', 'out']);
      expect(readdirSync(out).filter((name) => name.startsWith('.'))).toEqual(['.render-rgd.sha256']);
    }
    rmSync(join(folder, 'before'), { recursive: true });
    expect(steps * STRIDE).toBeGreaterThan(10);
  });

  let repository: string;
  beforeAll(() => {
    repository = join(folder, 'repository');
    const bin = join(folder, 'bin');
    const write = (path: string, text: string, mode = 0o644): void => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode });
    };
    write(join(bin, 'kustomize'), '#!/bin/sh\ncat cm.yaml\n', 0o755);
    write(join(repository, 'overlay/cm.yaml'), map('a', 'x', '1'));
    write(join(repository, 'overlay/kustomization.yaml'), 'resources: [cm.yaml]\n');
    write(
      join(repository, 'app.yaml'),
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec: {project: default, destination: {server: "https://kubernetes.default.svc", namespace: x}, source: {repoURL: "https://h/x", path: overlay, kustomize: {namePrefix: p-}}}\n',
    );
    write(join(repository, 'a.yaml'), map('b', 'x', '1'));
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    for (const args of [
      ['init', '-q'],
      ['remote', 'add', 'origin', 'https://h/x'],
      ['add', '-A'],
      ['commit', '-qm', 'first'],
    ])
      expect(spawnSync('git', [...identity, ...args], { cwd: repository }).status).toBe(0);
    write(join(repository, 'a.yaml'), map('b', 'x', '2'));
    write(join(repository, 'overlay/cm.yaml'), map('a', 'x', '2'));
  });

  it.each<[string, (at: (name: string) => string) => { args: string[]; prepare?: () => void }]>([
    [
      'observe --write',
      (at) => ({ args: ['observe', at('in.yaml'), '--from', at('in.yaml'), '--write', at('live.yaml')] }),
    ],
    ['init', (at) => ({ args: ['init', at('project')] })],
    ['schema --output-dir', (at) => ({ args: ['schema', at('rgd.yaml'), '--output-dir', at('schemas')] })],
    ['--report', (at) => ({ args: ['validate', at('in.yaml'), '--report', `json=${at('report.json')}`] })],
    ['test --update', (at) => ({ args: ['test', at('tests'), '--update'] })],
    ['fmt of a file', (at) => ({ args: ['fmt', at('rgd.yaml')] })],
    ['fmt of a folder', (at) => ({ args: ['fmt', at('.')] })],
    ['validate --fix', (at) => ({ args: ['validate', at('typos'), '--fix'] })],
    ['docs --inject', (at) => ({ args: ['docs', at('rgd.yaml'), '--inject', at('README.md')] })],
    [
      'plan --output-dir',
      (at) => ({ args: ['plan', at('repository'), '--output-dir', at('planned'), '--allow-exec'] }),
    ],
    [
      'diff --against',
      (at) => ({
        args: ['diff', at('repository/a.yaml'), '--against', 'HEAD', '--report', `json=${at('report.json')}`],
      }),
    ],
    [
      'plan --allow-exec',
      (at) => ({
        args: ['plan', at('repository'), '--against', 'HEAD', '--allow-exec', '--report', `json=${at('plan.json')}`],
      }),
    ],
  ])('leaves no part of a file: %s', (_, make) => {
    const at = (name: string): string => join(folder, 'place', name);
    const prepare = (): void => {
      rmSync(join(folder, 'place'), { recursive: true });
      small('in.yaml', map('a', 'x', '1'));
      small('rgd.yaml', RGD);
      small('typos/rgd.yaml', RGD.replace('spec: {}', "spec: {a: 'string | default = x'}"));
      small('tests/a/test.yaml', 'input: [../../rgd.yaml, ../../instance.yaml]\n');
      small('tests/a/expected.yaml', map('old', 'x', '1'));
      small('instance.yaml', '{apiVersion: kro.run/v1alpha1, kind: App, metadata: {name: a, namespace: x}}\n');
      small('README.md', '<!-- render-rgd docs begin -->\n<!-- render-rgd docs end -->\n');
      small('tmp/none', '');
      cpSync(repository, at('repository'), { recursive: true });
    };
    prepare();
    const before = filesOf(join(folder, 'place'));
    const { args } = make(at);
    // Temporary folders count too.
    const env = { ...process.env, TMPDIR: at('tmp'), PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
    expect(execute(command, args, { env })).toMatchObject({ code: 0 });
    const after = filesOf(join(folder, 'place'));
    expect(after).not.toEqual(before);
    let steps = 0;
    for (let step = FIRST; step < 200; step = stepAfter(step)) {
      prepare();
      if (!killedAt(step, args, env)) break;
      steps += 1;
      const left = filesOf(join(folder, 'place'));
      for (const [name, text] of Object.entries(left)) {
        if (!name.includes('.render-rgd.tmp/') && !name.startsWith('tmp/'))
          expect([before[name], after[name]]).toContain(text);
      }
      expect(execute(command, args, { env })).toMatchObject({ code: 0 });
      expect(filesOf(join(folder, 'place'))).toEqual(after);
    }
    expect(steps * STRIDE).toBeGreaterThan(4);
  });
});

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema: {apiVersion: v1alpha1, kind: App, spec: {}}
  resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: app}, data: {a: b}}
`;

describe('what is not of this program', () => {
  const plant = (path: string): string => {
    const file = join(dirname(out), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'precious');
    return file;
  };

  const FOREIGN = [
    'out/.render-rgd.tmp/precious.txt',
    'out/.render-rgd.tmp/files/precious.txt',
    `out/.render-rgd.tmp/${'0'.repeat(32)}/precious.txt`,
    '.out.render-rgd.tmp/precious.txt',
    '.out.render-rgd.tmp/web/precious.txt',
  ];
  it.each(partOf(FOREIGN, 2))('stays: %s', (path) => {
    const file = plant(path);
    expect(execute(command, argumentsOf(0))).toMatchObject({ code: 0 });
    expect(execute(command, argumentsOf(1))).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    const { [relative(out, file)]: _, ...files } = filesOf(out);
    expect(files).toEqual(expectedOf(1));
  });

  it.each(['out/.render-rgd.tmp', 'out/.render-rgd.tmp/lock'])(
    'is not used as a folder: %s as a link or a file',
    (path) => {
      const file = plant('elsewhere/precious.txt');
      mkdirSync(dirname(join(dirname(out), path)), { recursive: true });
      symlinkSync(dirname(file), join(dirname(out), path));
      expect(execute(command, argumentsOf(0))).toMatchObject({ code: 1, stderr: expect.stringContaining('move it') });
      rmSync(join(dirname(out), path));
      writeFileSync(join(dirname(out), path), 'precious');
      expect(execute(command, argumentsOf(0))).toMatchObject({ code: 1, stderr: expect.stringContaining('move it') });
      expect(filesOf(dirname(file))).toEqual({ 'precious.txt': 'precious' });
    },
  );
});

describe('the lock of a process that cannot be seen', () => {
  const lock = (owner: object): string => {
    const path = join(out, '.render-rgd.tmp/lock', 'c'.repeat(32));
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'owner'), JSON.stringify(owner));
    return join(path, 'owner');
  };
  const elsewhere = { boot: 'other', namespace: 'pid:[1]', pid: 1, start: '1', host: 'elsewhere', since: 'now' };

  it('is taken if the process is silent', () => {
    lock(elsewhere);
    expect(execute(command, argumentsOf(0))).toMatchObject({ code: 0 });
    expect(filesOf(out)).toEqual(expectedOf(0));
  });

  it('is respected while the process writes', async () => {
    const owner = lock(elsewhere);
    const beating = setInterval(() => utimesSync(owner, new Date(), new Date()), 100);
    const end = await endOf(spawn(command, argumentsOf(0), { stdio: ['ignore', 'ignore', 'pipe'] }));
    clearInterval(beating);
    expect(end).toEqual({ code: 1, stderr: expect.stringMatching(/tree-locked.*process 1 on elsewhere/) });
    expect(existsSync(owner)).toBe(true);
  });

  it.skipIf(!canUnshare)('is taken after a container was killed in which it had the id 1', async () => {
    const script = `"${command}" ${argumentsOf(1).join(' ')}`;
    const contained = (rest: string): string[] => ['--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', rest];
    for (let round = 0; round < 2; round++) {
      const child = spawn('unshare', contained(`exec ${script}`), { stdio: 'ignore' });
      const end = endOf(child);
      setTimeout(() => child.kill('SIGKILL'), 300 + 600 * Math.random());
      await end;
      expect(execute('unshare', contained(`exec ${script}`))).toMatchObject({ code: 0 });
      expect(filesOf(out)).toEqual(expectedOf(1));
    }
  });
});

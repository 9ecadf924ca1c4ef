import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { onceFor } from '../../../src/core/model/lazily.ts';
import { partOf } from '../../properties/runs.ts';
import { invoke } from '../invoke.ts';

// A repository decides nothing about files elsewhere: every command that writes is run with links in every position.

let top: string;
let clean: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'render-rgd-links-')));
  clean = join(top, 'clean');
  for (const [path, text] of Object.entries(FILES)) write(join(clean, path), text);
  const bin = join(top, 'bin');
  write(join(bin, 'kustomize'), '#!/bin/sh\ncat cm.yaml 2>/dev/null || echo "{}"\n');
  write(join(bin, 'helm'), '#!/bin/sh\ncat templates/cm.yaml\n');
  for (const tool of ['kustomize', 'helm']) chmodSync(join(bin, tool), 0o755);
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`);
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]): void => void execFileSync('git', [...own, ...args], { cwd: clean });
  git('init', '-q');
  git('remote', 'add', 'origin', 'https://h/x');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(top, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const RGD = `kind:   ResourceGraphDefinition
apiVersion: kro.run/v1alpha1
metadata: {name: site}
spec:
  schema: {apiVersion: v1alpha1, kind: Site, spec: {title: string}}
  resources:
    - id: c
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "\${schema.metadata.name}"}
        data: {title: "\${schema.spec.title}"}
`;
const INSTANCE =
  '{apiVersion: kro.run/v1alpha1, kind: Site, metadata: {name: a, namespace: x}, spec: {title: Hello}}\n';
const MAP = '{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n';
const argo = (name: string, source: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec: {project: default, destination: {server: "https://kubernetes.default.svc", namespace: x}, source: {repoURL: "https://h/x", ${source}}}
`;
const FILES: Readonly<Record<string, string>> = {
  'pkg/rgd.yaml': RGD,
  'pkg/deep/instance.yaml': INSTANCE,
  'typos/rgd.yaml': RGD.replace('title: string', "title: 'string | default = x'"),
  'tests/a/test.yaml': 'all: true\ninput: [in.yaml]\n',
  'tests/a/in.yaml': `${RGD}---\n${INSTANCE}`,
  'tests/a/expected.yaml': MAP,
  'docs/README.md': '# A\n\n<!-- render-rgd docs begin -->\n<!-- render-rgd docs end -->\n',
  'reads/rgd.yaml': `${RGD.replace(/kind: Site.*/, 'kind: Site}')}    - id: other
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: x}}
    - id: d
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: d}, data: {a: "\${other.data.a}"}}
`.replace('title: "${schema.spec.title}"', ''),
  'reads/instance.yaml': INSTANCE.replace(', spec: {title: Hello}', ''),
  'base/kustomization.yaml': 'resources: [cm.yaml]\n',
  'base/cm.yaml': MAP,
  'overlays/deep/x/kustomization.yaml': 'resources: [cm.yaml]\n',
  'overlays/deep/x/cm.yaml': MAP,
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
  'charts/web/values.yaml': 'a: b\n',
  'charts/web/more.yaml': 'c: d\n',
  'charts/web/templates/cm.yaml': MAP,
  'apps.yaml': [
    argo('one', 'path: overlays/deep/x, kustomize: {namePrefix: p-}'),
    argo('two', 'path: charts/web, helm: {valuesObject: {a: c}, valueFiles: [more.yaml]}'),
    `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: own, namespace: flux-system}
spec: {url: "https://h/x", interval: 1m}
`,
    `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: three, namespace: flux-system}
spec: {path: ./overlays/deep/x, sourceRef: {kind: GitRepository, name: own}, namePrefix: f-, interval: 1m, prune: true}
`,
    `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: four, namespace: flux-system}
spec:
  interval: 1m
  chart: {spec: {chart: ./charts/web, valuesFiles: [charts/web/more.yaml], sourceRef: {kind: GitRepository, name: own}}}
`,
  ].join('---\n'),
};

/** The commands that write, with paths of the repository after `@`, and what they read from standard input. */
const COMMANDS: readonly { args: string[]; stdin?: string; changes?: Readonly<Record<string, string>> }[] = [
  { args: ['fmt', '@pkg'] },
  { args: ['fmt', '@pkg/rgd.yaml'] },
  { args: ['fmt', '@.'] },
  { args: ['validate', '@typos', '--fix'] },
  { args: ['validate', '@typos/rgd.yaml', '--fix'] },
  { args: ['render', '@pkg', '--output-dir', '@out'] },
  { args: ['render', '@pkg', '--output-dir', '@new/out', '--force', '--allow-empty'] },
  { args: ['plan', '@.', '--output-dir', '@out'] },
  { args: ['init', '@project'] },
  { args: ['test', '@tests', '--update', '--coverage-report', 'json=@cover/coverage.json'] },
  { args: ['schema', '@pkg', '--output-dir', '@schemas/all'] },
  { args: ['docs', '@pkg', '--inject', '@docs/README.md'] },
  {
    args: ['observe', '@reads', '--from', '-', '--write', '@observed.yaml'],
    stdin: MAP.replace('c}', 'c, namespace: x}, data: {a: b}'),
  },
  { args: ['validate', '@pkg', '--report', 'junit=@reports/report.xml', '--report', 'sarif=@report.sarif'] },
  {
    args: ['plan', '@.', '--against', 'HEAD', '--allow-exec', '--report', 'json=@plan.json'],
    changes: {
      'base/cm.yaml': MAP.replace('c}', 'c}, data: {a: b}'),
      'overlays/deep/x/cm.yaml': MAP.replace('c}', 'd}'),
    },
  },
];

/** Returns every entry below a folder: a link with its target, a file with its content and mode. */
function entriesOf(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const stat = lstatSync(path);
    const name = relative(folder, path);
    if (stat.isSymbolicLink()) found.set(name, `link ${readlinkSync(path)}`);
    else if (stat.isFile()) found.set(name, `file ${stat.mode} ${stat.mtimeMs} ${readFileSync(path, 'latin1')}`);
    else {
      found.set(name, 'folder');
      for (const entry of readdirSync(path)) visit(join(path, entry));
    }
  };
  visit(folder);
  return found;
}

interface Trial {
  repository: string;
  outside: string;
}

let trials = 0;
function createTrial(isGit: boolean, changes: Readonly<Record<string, string>> = {}): Trial {
  trials += 1;
  const folder = join(top, `trial-${trials}`);
  const trial = { repository: join(folder, 'repository'), outside: join(folder, 'outside') };
  cpSync(clean, trial.repository, { recursive: true, preserveTimestamps: true });
  mkdirSync(trial.outside);
  for (const [path, text] of Object.entries(changes)) write(join(trial.repository, path), text);
  if (!isGit) rmSync(join(trial.repository, '.git'), { recursive: true });
  return trial;
}

async function runIn({ repository }: Trial, { args, stdin }: (typeof COMMANDS)[number]): Promise<number> {
  const placed = args.map((arg) => arg.replace(/@(.*)$/, (_, path: string) => join(repository, path)));
  return (await invoke(placed, stdin)).code;
}

/** Returns the paths that a command creates, changes or removes, and the temporary names beside them. */
async function foundPositions(command: (typeof COMMANDS)[number]): Promise<string[]> {
  const trial = createTrial(true, command.changes);
  const before = entriesOf(trial.repository);
  await runIn(trial, command);
  const after = entriesOf(trial.repository);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  rmSync(dirname(trial.repository), { recursive: true, force: true });
  const read = [
    'base',
    'base/cm.yaml',
    'base/kustomization.yaml',
    'overlays/deep/x/kustomization.yaml',
    'charts/web/values.yaml',
  ];
  const named = [...changed, ...(command.args.includes('--allow-exec') ? [...read, 'charts/web/more.yaml'] : [])];
  const all = named.flatMap((path) => {
    const temporary = [`.${basename(path)}.render-rgd.tmp`, '.render-rgd.tmp', '.render-rgd.sha256'];
    const folders: string[] = [];
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.push(at);
    return [path, ...folders, ...temporary.map((name) => join(dirname(path), name))];
  });
  return [...new Set(all)].sort();
}

type Plant = (path: string, outside: string) => void;

/** Moves what is at a path out of the repository, or creates something there, so that writes through the link succeed. */
function movedOut(path: string, outside: string): string {
  const target = join(outside, basename(path));
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) renameSync(path, target);
  else if (/\.(yaml|md|xml|json|sarif|sha256)$/.test(path)) writeFileSync(target, 'precious');
  else mkdirSync(join(target, 'lock'), { recursive: true });
  return target;
}

const placed = (path: string, target: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
};

const PLANTS: Readonly<Record<string, Plant>> = {
  'an absolute link': (path, outside) => placed(path, movedOut(path, outside)),
  'a relative link': (path, outside) => placed(path, relative(dirname(path), movedOut(path, outside))),
  'an absolute link to nothing': (path, outside) => placed(path, join(outside, 'none')),
  'a relative link to nothing': (path, outside) => placed(path, relative(dirname(path), join(outside, 'none/x'))),
  'a link to itself': (path) => placed(path, basename(path)),
};

const positionsOf = onceFor(foundPositions);

/** Runs a command with a link in a position, and checks that nothing outside changes. */
async function check(
  command: (typeof COMMANDS)[number],
  { position, plant, isGit }: { position: string; plant: Plant; isGit: boolean },
): Promise<void> {
  const trial = createTrial(isGit, command.changes);
  plant(join(trial.repository, position), trial.outside);
  const before = entriesOf(trial.outside);
  const code = await runIn(trial, command);
  expect(entriesOf(trial.outside), position).toEqual(before);
  expect(code, position).toBeLessThan(3);
  rmSync(dirname(trial.repository), { recursive: true, force: true });
}

describe.each(COMMANDS.map((command) => [command.args.join(' '), command] as const))('%s', (_, command) => {
  it('has positions', async () => {
    expect((await positionsOf(command)).length).toBeGreaterThan(2);
  });

  it.each(Object.entries(PLANTS).map(([name, plant], index) => [name, plant, index] as const))(
    'changes nothing outside through %s in any position',
    async (_, plant, index) => {
      const positions = await positionsOf(command);
      for (const position of partOf(positions, 5, index)) await check(command, { position, plant, isGit: true });
    },
  );

  it('changes nothing outside through what it names itself, or what is below it, without a repository', async () => {
    if (command.args[0] === 'plan') return;
    const named = command.args.flatMap((arg) => (arg.includes('@') ? [join(arg.slice(arg.indexOf('@') + 1))] : []));
    const positions = (await positionsOf(command)).filter((path) =>
      named.some((one) => one === '.' || path === one || path.startsWith(`${one}/`)),
    );
    const plant = PLANTS['a relative link'] as Plant;
    for (const position of partOf(positions, 2)) await check(command, { position, plant, isGit: false });
  });
});

describe('plan --allow-exec', () => {
  const LINKS: readonly [position: string, target: string][] = [
    ['overlays/deep/x', '../../base'],
    ['overlays/deep', '../other'],
    ['overlays', 'moved'],
    ['overlays/deep/x/kustomization.yaml', '../../../base/kustomization.yaml'],
    ['overlays/deep/x/cm.yaml', '../../../base/cm.yaml'],
    ['charts/web', '../base-chart'],
    ['charts', 'moved'],
    ['charts/web/values.yaml', '../values.yaml'],
    ['charts/web/more.yaml', 'values.yaml'],
    ['charts/web/templates', '../../base'],
  ];

  it.each(LINKS)('leaves the working tree as it is, with a link in the place of %s', async (position, target) => {
    for (const isAbsolute of [false, true]) {
      const trial = createTrial(true);
      const path = join(trial.repository, position);
      const real = join(dirname(path), target);
      if (existsSync(real)) rmSync(path, { recursive: true });
      else {
        mkdirSync(dirname(real), { recursive: true });
        renameSync(path, real);
      }
      symlinkSync(isAbsolute ? real : target, path);
      write(join(trial.repository, 'base/cm.yaml'), MAP.replace('c}', 'e}'));
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
      for (const args of [
        ['add', '-A'],
        ['commit', '-q', '--allow-empty', '-m', 'link'],
      ])
        execFileSync('git', [...own, ...args], { cwd: trial.repository });
      write(join(trial.repository, 'base/cm.yaml'), MAP.replace('c}', 'f}'));
      const before = entriesOf(trial.repository);
      const code = await runIn(trial, { args: ['plan', '@.', '--against', 'HEAD', '--allow-exec'] });
      expect(entriesOf(trial.repository)).toEqual(before);
      expect(code).toBeLessThan(3);
      rmSync(dirname(trial.repository), { recursive: true, force: true });
    }
  });
});

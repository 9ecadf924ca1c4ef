import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { GROUPS, stepsOf } from '../../tools/ci/plan.mjs';
import { type Actions, type Step, schedule } from '../../tools/ci/schedule.mjs';
import { copySources } from '../../tools/ci/sources.mjs';
import { temporaryFolder } from '../temporary.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const all = stepsOf([]);

/** Returns the script of package.json that a step runs, or undefined. */
const scriptOf = ({ command }: Step): string | undefined => /npm run --silent ([\w:-]+)/.exec(command)?.[1];

/** Returns the files of this repository that a script of package.json consists of. */
async function filesOf(script: string): Promise<readonly string[]> {
  const entry = /tools\/[\w-]+\.mjs/.exec(manifest.scripts[script] ?? '')?.[0];
  if (entry === undefined) return [];
  const program = /runProgram\('([^']+)'\)/.exec(readFileSync(entry, 'utf8'))?.[1];
  const { metafile } = await build({
    entryPoints: program === undefined ? [entry] : [entry, program],
    outdir: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  return Object.keys(metafile.inputs);
}

const writtenByBuild = /\bdist(?:-native)?\/|'dist(?:-native)?'/;

describe('the plan of CI', () => {
  it('runs every step of every group, and every file of each suite', () => {
    expect(all).toEqual(Object.values(GROUPS).flat());
    expect(all.map(({ command }) => command).filter((command) => /--exclude|--shard/.test(command))).toEqual([]);
    expect(all.map(({ command }) => command)).toContain('npx vitest run --config test/e2e/vitest.config.ts');
    expect(all.map(scriptOf)).toEqual(expect.arrayContaining(['test:heavy', 'soak', 'reproducible', 'package-check']));
  });

  it('rejects a group that does not exist', () => {
    expect(() => stepsOf(['unit', 'nightly'])).toThrow('unknown groups: nightly; known: e2e, unit, checks');
  });

  it('names scripts of package.json', () => {
    const scripts = all.map(scriptOf).filter((script) => script !== undefined);
    expect(scripts.filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
    expect(scripts.length).toBeGreaterThan(10);
  });

  it('names files of test/e2e for the executable', () => {
    const files = readdirSync('test/e2e').filter((file) => file.endsWith('.test.ts'));
    const [step] = GROUPS.e2e?.filter(({ onExecutable }) => onExecutable) ?? [];
    const filters = step?.command.split('test/e2e/vitest.config.ts ')[1]?.split(' ') ?? [];
    expect(filters.length).toBeGreaterThan(5);
    for (const filter of filters) expect(files.some((file) => file.includes(filter))).toBe(true);
  });

  it('waits for the build before each step whose script reads what the build writes', async () => {
    const readers: string[] = [];
    for (const step of all) {
      const script = scriptOf(step);
      const files = script === undefined ? [] : await filesOf(script);
      const reads = files.some((file) => writtenByBuild.test(readFileSync(file, 'utf8')));
      if (script === undefined || !reads) continue;
      readers.push(script);
      expect(step.reads, script).toBe('build');
    }
    expect(new Set(readers)).toEqual(
      new Set(['package-check', 'determinism', 'plans', 'conformance', 'reproducible', 'dependencies', 'site']),
    );
  });
});

describe('the schedule of CI', () => {
  const step = (command: string, reads: Step['reads']): Step => ({ command, kind: 'check', reads });

  async function started(steps: readonly Step[], isBuilt: boolean): Promise<readonly string[]> {
    const log: string[] = [];
    const actions: Actions = {
      build: async () => {
        log.push('build');
        await new Promise((resolve) => setImmediate(resolve));
        log.push(isBuilt ? 'built' : 'not built');
        return isBuilt;
      },
      run: async ({ command }) => {
        log.push(command);
      },
      omit: ({ command }) => {
        log.push(`without ${command}`);
      },
    };
    await schedule(steps, actions);
    return log;
  }

  it('starts what reads only the sources while the build runs, and the rest after it', async () => {
    const steps = [
      step('first', 'build'),
      step('second', 'sources'),
      step('third', 'build'),
      step('fourth', 'archive'),
    ];
    expect(await started(steps, true)).toEqual(['build', 'second', 'fourth', 'built', 'first', 'third']);
  });

  it('builds nothing for steps that read only the sources', async () => {
    expect(await started([step('first', 'sources'), step('second', 'archive')], true)).toEqual(['first', 'second']);
  });

  it('omits what reads a failed build', async () => {
    const steps = [step('first', 'build'), step('second', 'sources')];
    expect(await started(steps, false)).toEqual(['build', 'second', 'not built', 'without first']);
  });
});

/** What a stub prints about the places that it sees: the folder names, and whether the tools are installed. */
const STUB = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
const [script, ...args] = process.argv.slice(2);
const seen = ['dist/sbom.cdx.json', 'dist-native/render-rgd-stub'].filter((path) => existsSync(path));
if (process.env.ARGOCD_HARNESS !== undefined) seen.push('tools');
appendFileSync(process.env.STUB_LOG, JSON.stringify({ script, seen }) + '\\n');
if (script === 'build') {
  mkdirSync('dist', { recursive: true });
  writeFileSync('dist/sbom.cdx.json', '{}');
}
if (script === 'native') {
  mkdirSync('dist-native', { recursive: true });
  writeFileSync('dist-native/render-rgd-stub', '');
}
if (process.env.STUB_FAILS === script) process.exit(1);
const report = args.find((word) => word.startsWith('--outputFile.json='))?.split('=')[1];
if (report !== undefined) writeFileSync(report, '{"numPassedTests":3,"numFailedTests":0}');
console.log('2 passed, 0 failed');
`;

interface Outcome {
  code: number | null;
  lines: readonly string[];
  seen: ReadonlyMap<string, readonly string[]>;
}

/** Runs groups in a repository whose scripts and tools are stubs. */
function runStubs(
  groups: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  tools: readonly string[] = ['hadolint', 'zizmor', 'kustomize', 'helm'],
): Outcome {
  const folder = temporaryFolder('ci');
  const at = (path: string): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  cpSync('tools/ci', at('tools/ci'), { recursive: true });
  for (const file of ['tools/ci.mjs', 'tools/memory.mjs']) copyFileSync(file, at(file));
  const program = (path: string, text: string): void => {
    writeFileSync(at(path), text);
    chmodSync(at(path), 0o755);
  };
  writeFileSync(at('stub.mjs'), STUB);
  writeFileSync(at('tools/archive.mjs'), `process.argv.splice(2, 0, 'archive');\nawait import('../stub.mjs');\n`);
  // npm takes longer to start than all that it would run here.
  program('node_modules/sources/npm', '#!/bin/sh\nshift 2\nexec node stub.mjs "$@"\n');
  program('node_modules/sources/npx', '#!/bin/sh\nexec node stub.mjs "$@"\n');
  writeFileSync(at('.gitignore'), readFileSync('.gitignore'));
  program('node_modules/sources/go', '#!/bin/sh\n');
  for (const name of tools) program(`node_modules/installed/${name}`, '#!/bin/sh\n');
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  const path = [join(folder, 'node_modules/sources'), dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const installed = { PATH: `${path}:${join(folder, 'node_modules/installed')}`, ARGOCD_HARNESS: '/bin/sh' };
  const lines = Object.entries(installed).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(at('node_modules/installed.env'), lines.join(''));
  const { ARGOCD_HARNESS: _, ...rest } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/ci.mjs', ...groups], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...rest,
      NODE_OPTIONS: '',
      CI: '',
      PATH: path,
      INSTALLED: at('node_modules/installed.env'),
      STUB_LOG: at('node_modules/log'),
      ...environment,
    },
  });
  if (stderr !== '') throw new Error(stderr);
  const entries = readFileSync(at('node_modules/log'), 'utf8').trim().split('\n');
  const seen = entries.map((entry) => JSON.parse(entry) as { script: string; seen: string[] });
  return {
    code: status,
    lines: stdout.trimEnd().split('\n'),
    seen: new Map(seen.map((entry) => [entry.script, entry.seen])),
  };
}

const BUILT = ['dist/sbom.cdx.json', 'dist-native/render-rgd-stub', 'tools'];

describe('node tools/ci.mjs', () => {
  it.each([
    { group: 'e2e', last: '8 passed, 0 failed', sources: [], built: ['vitest'] },
    {
      group: 'unit',
      last: '12 passed, 0 failed',
      sources: ['archive', 'test:heavy'],
      built: ['soak', 'package-check'],
    },
    {
      group: 'checks',
      last: '26 passed, 0 failed',
      sources: ['lint', 'types', 'differential', 'unknowns', 'explorations', 'updates', 'templates'],
      built: ['determinism', 'plans', 'conformance', 'reproducible', 'dependencies', 'site'],
    },
  ])('runs $group by itself where nothing is built: what waits sees all, the rest sees nothing', (expected) => {
    const { code, lines, seen } = runStubs([expected.group]);
    expect(lines.at(-1)).toBe(expected.last);
    expect(code).toBe(0);
    const names = ['build', 'native', ...expected.sources, ...expected.built];
    expect([...seen.keys()].sort()).toEqual(names.sort());
    for (const script of expected.built) expect(seen.get(script), script).toEqual(BUILT);
    // The archive is made of the repository; its script makes a copy of its own.
    for (const script of expected.sources.filter((name) => name !== 'archive'))
      expect(seen.get(script), script).toEqual([]);
  });

  it('fails each step that reads a build that failed', () => {
    const { code, lines, seen } = runStubs(['unit'], { STUB_FAILS: 'build' });
    expect(lines.filter((line) => line.startsWith('--- NOT RUN'))).toEqual([
      '--- NOT RUN: npm run --silent soak: it reads what was not built',
      '--- NOT RUN: npm run --silent package-check: it reads what was not built',
    ]);
    expect([...seen.keys()].sort()).toEqual(['archive', 'build', 'test:heavy']);
    expect(lines.at(-1)).toBe('6 passed, 3 failed');
    expect(code).toBe(1);
  });

  it.each([
    { where: 'on a desk', CI: '', last: '25 passed, 0 failed', code: 0 },
    { where: 'where CI=true', CI: 'true', last: '25 passed, 1 failed', code: 1 },
  ])('says which tool is missing, $where: $last', ({ CI, last, code }) => {
    const outcome = runStubs(['checks'], { CI }, ['zizmor', 'kustomize', 'helm']);
    expect(outcome.lines).toContain('--- SKIPPED: hadolint Dockerfile: hadolint is not installed');
    expect(outcome.lines.at(-1)).toBe(last);
    expect(outcome.code).toBe(code);
  });
});

describe('the copy of the sources', () => {
  it('has changes and new files, and nothing that is ignored', () => {
    const root = temporaryFolder('ci-root');
    const git = (...args: string[]): void => {
      execFileSync('git', args, { cwd: root });
    };
    git('init', '--quiet');
    writeFileSync(join(root, '.gitignore'), 'dist/\nnode_modules/\n');
    writeFileSync(join(root, 'kept.txt'), 'before');
    writeFileSync(join(root, 'removed.txt'), 'before');
    git('add', '--all');
    writeFileSync(join(root, 'kept.txt'), 'after');
    execFileSync('rm', ['removed.txt'], { cwd: root });
    for (const folder of ['dist', 'node_modules', 'new folder']) {
      mkdirSync(join(root, folder));
      writeFileSync(join(root, folder, 'file.txt'), folder);
    }
    const copy = temporaryFolder('ci-copy');
    copySources(root, copy);
    expect(readdirSync(copy).sort()).toEqual(['.gitignore', 'kept.txt', 'new folder', 'node_modules']);
    expect(readFileSync(join(copy, 'kept.txt'), 'utf8')).toBe('after');
    expect(readFileSync(join(copy, 'node_modules/file.txt'), 'utf8')).toBe('node_modules');
  });
});

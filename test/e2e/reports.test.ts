import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, command, execute } from './sandbox.ts';

const { cachedPackages } = await import('../../tools/cached-package.mjs' as string);
const examples = join(bundle, '../../examples');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-reports-'));
  copyFileSync(join(examples, 'collections/input/books.yaml'), join(folder, 'books.yaml'));
  writeFileSync(
    join(folder, 'broken.yaml'),
    'apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: { name: x }\nspec: {}\n---\na: [\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('validate', () => {
  it('reports no errors in the examples', () => {
    const { code, stdout } = execute(command, ['validate', join(examples, 'collections/input')]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '3 objects in 3 files: nothing wrong\n' });
  });

  it('prints no colours into a pipe, unless requested', () => {
    const { FORCE_COLOR: _, ...env } = process.env;
    const coloured = (args: readonly string[], more: NodeJS.ProcessEnv = {}): boolean => {
      const { code, stdout } = execute(command, ['validate', folder, ...args], { env: { ...env, ...more } });
      expect(code).toBe(1);
      return stdout.includes('\u001b');
    };
    expect(coloured([])).toBe(false);
    expect(coloured([], { FORCE_COLOR: '1' })).toBe(true);
    expect(coloured(['--color', 'always'])).toBe(true);
    expect(coloured(['--color', 'never'], { FORCE_COLOR: '1' })).toBe(false);
  });

  it('runs again when a file changes', async () => {
    const watched = mkdtempSync(join(folder, 'watched-'));
    const file = join(watched, 'a.yaml');
    copyFileSync(join(folder, 'broken.yaml'), file);
    await whileWatching(['validate', watched], async ({ stdout, until }) => {
      expect(stdout()).toContain('2 errors');
      writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n');
      await until(() => stdout().includes('nothing wrong'));
    });
  });
});

describe('test --watch', () => {
  it('runs the tests again when an expected file, or an input in another folder, changes', async () => {
    const watched = mkdtempSync(join(folder, 'tests-'));
    const object = (value: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: ${value} }\n`;
    mkdirSync(join(watched, 'tests/one'), { recursive: true });
    mkdirSync(join(watched, 'apps'));
    writeFileSync(join(watched, 'apps/a.yaml'), object('x'));
    writeFileSync(join(watched, 'tests/one/test.yaml'), 'all: true\ninput: [../../apps/a.yaml]\n');
    writeFileSync(join(watched, 'tests/one/expected.yaml'), object('y'));
    await whileWatching(['test', join(watched, 'tests')], async ({ stdout, until }) => {
      expect(stdout()).toContain('1 failed');
      writeFileSync(join(watched, 'tests/one/expected.yaml'), object('x'));
      await until(() => /1 passed|nothing failed|1 test: 1 passed/.test(stdout()));
      writeFileSync(join(watched, 'apps/a.yaml'), object('z'));
      await until(() => (stdout().match(/1 failed/g) ?? []).length > 1);
    });
  });
});

interface Watched {
  stdout: () => string;
  /** Resolves when a condition holds, checked whenever the command prints something. */
  until: (ready: () => boolean) => Promise<void>;
}

/** Starts a command with --watch, runs an action, and ends the command. */
async function whileWatching(args: readonly string[], act: (watched: Watched) => Promise<void>): Promise<void> {
  const child = spawn(command, [...args, '--watch']);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const until = (ready: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (ready()) resolve();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.on('exit', () => reject(new Error(`it ended: ${stderr}`)));
      look();
    });
  try {
    await until(() => stderr.includes('watching'));
    await act({ stdout: () => stdout, until });
  } finally {
    child.kill();
  }
}

const SARIF = '@microsoft/sarif-multitool-linux@5.7.0';
const packages = cachedPackages(SARIF, 'ajv@8.17.1', 'ajv-formats@3.0.1');

describe.skipIf(packages === undefined)('SARIF', () => {
  it.each([['broken.yaml'], ['books.yaml'], ['.']])('of %s matches the schema', (path) => {
    const { stdout } = execute(command, ['validate', path, '--report', 'sarif'], { cwd: folder });
    const require = createRequire(join(packages, 'x.cjs'));
    const schema = JSON.parse(
      readFileSync(join(packages, '@microsoft/sarif-multitool-linux/sarif-2.1.0.json'), 'utf8'),
    );
    const { default: Ajv } = require('ajv/dist/2020');
    const ajv = new Ajv({ strict: false });
    require('ajv-formats').default(ajv);
    expect({ valid: ajv.validate(schema, JSON.parse(stdout)), errors: ajv.errors }).toEqual({
      valid: true,
      errors: null,
    });
  });
});

const hasLcov = spawnSync('lcov', ['--version']).status === 0;
const hasJunitparser = spawnSync('python3', ['-c', 'import junitparser']).status === 0;

describe('test', () => {
  const run = (...options: string[]) => execute(command, ['test', 'tests', ...options], { cwd: examples });

  it('passes with the examples, and prints coverage', () => {
    const { code, stdout } = run('--coverage');
    expect(code).toBe(0);
    expect(stdout).toContain('12 passed');
    expect(stdout).toMatch(/^all .* 92%$/m);
  });

  it('reports that no output is expected', () => {
    const empty = mkdtempSync(join(folder, 'test-'));
    writeFileSync(join(empty, 'test.yaml'), '');
    const { code, stdout } = execute(command, ['test', empty]);
    expect(code).toBe(1);
    expect(stdout).toContain('nothing is expected');
  });

  it.skipIf(!hasLcov)('writes what lcov reads', () => {
    const file = join(folder, 'coverage.lcov');
    run('--coverage-report', `lcov=${file}`);
    const { code, stdout, stderr } = execute('lcov', ['--summary', file, '--rc', 'lcov_branch_coverage=1'], {
      cwd: examples,
    });
    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}`).toContain('functions..: 94.1% (16 of 17 functions)');
  });

  it.skipIf(!hasJunitparser)('writes what junitparser reads', () => {
    const file = join(folder, 'junit.xml');
    run('--report', `junit=${file}`);
    const script = `import junitparser, sys; x = junitparser.JUnitXml.fromfile(sys.argv[1]); print(x.tests, x.failures, len([c for s in x for c in s]))`;
    expect(execute('python3', ['-c', script, file]).stdout).toBe('11 0 11\n');
  });
});

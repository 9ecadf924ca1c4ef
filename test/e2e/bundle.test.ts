import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, command, describeWith, execute, isNative, plainEnvironment } from './sandbox.ts';

const examples = join(bundle, '../../examples');
const { version } = JSON.parse(readFileSync(join(bundle, '../../package.json'), 'utf8')).config;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-bundle-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundle', () => {
  it('is executable and knows its version', () => {
    expect(statSync(command).mode & 0o777).toBe(0o755);
    expect(execute(command, ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('has a source map', () => {
    const link = /\/\/# sourceMappingURL=(.*)\n$/.exec(readFileSync(bundle, 'utf8'))?.[1] ?? '';
    const { sources } = JSON.parse(readFileSync(join(bundle, '..', link), 'utf8'));
    expect(sources).toContain('../src/cli/main.ts');
  });

  it('is ASCII, so that Node stores it with one byte per character', () => {
    expect(/[^\0-\x7f]/.exec(readFileSync(bundle, 'utf8'))?.[0]).toBeUndefined();
  });

  it.skipIf(isNative)('names the sources in traces with --enable-source-maps', () => {
    const fail = `const { max } = Math; Math.max = (...all) => {
      const error = new Error('made to fail');
      if (error.stack.includes('layout.ts')) throw error;
      return max(...all);
    };`;
    writeFileSync(join(folder, 'fail.cjs'), fail);
    const options = ['--enable-source-maps', '--stack-trace-limit=50', '--require', join(folder, 'fail.cjs')];
    const args = [...options, bundle, 'graph', join(examples, 'collections/input'), '-o', 'svg'];
    const { stderr } = execute(process.execPath, args, { env: plainEnvironment() });
    expect(stderr).toMatch(
      /made to fail(?:.|\n)*src\/describe\/graph\/layout\.ts:\d+:\d+(?:.|\n)*src\/cli\/cli\.ts:\d+/,
    );
  });

  it('renders the collections example as documented', () => {
    const { code, stdout } = execute(command, ['render', join(examples, 'collections/input')]);
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(join(examples, 'collections/expected.yaml'), 'utf8'));
  });

  it.each([
    ['render-rgd', undefined],
    ['render-rgd.js', undefined],
    ['render-rgd.js', {}],
    ['render-rgd.js', { type: 'commonjs' }],
    ['render-rgd.js', { type: 'module' }],
  ])('runs without other files as %s beside the package.json %j', (name, manifest) => {
    const alone = join(folder, `${name}-${JSON.stringify(manifest)?.replace(/\W/g, '')}`);
    mkdirSync(alone);
    copyFileSync(bundle, join(alone, name));
    if (manifest !== undefined) writeFileSync(join(alone, 'package.json'), JSON.stringify(manifest));
    const run = (argument: string) => execute(process.execPath, [join(alone, name), argument]);
    expect(run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    // All commands but render are a part of the file that is loaded on demand.
    expect(run('help')).toMatchObject({ code: 0, stdout: expect.stringContaining('validate PATH'), stderr: '' });
  });

  describe('with more output than a pipe holds', () => {
    const definitions = join(examples, 'collections/input');
    const shell = (script: string) => spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: folder });
    const render = `"${command}" render many.yaml --definitions "${definitions}"`;
    beforeAll(() => {
      const instance = readFileSync(join(examples, 'collections/input/books.yaml'), 'utf8');
      const many = Array.from({ length: 200 }, (_, i) => instance.replace('name: books', `name: books-${i}`));
      writeFileSync(join(folder, 'many.yaml'), many.join('---\n'));
    });

    it('fails without a message if the reader closes the pipe', () => {
      const { stdout, stderr } = shell(`${render} | head -n 1; echo "\${PIPESTATUS[0]}"`);
      expect(stderr.trim()).toBe('');
      expect(stdout).toBe('apiVersion: apps/v1\n1\n');
    });

    it('waits for a slow reader', () => {
      const { stdout, stderr } = shell(
        `${render} > at-once; ${render} | (sleep 0.3; cat) | cmp - at-once && echo same`,
      );
      expect(stderr.trim()).toBe('');
      expect(stdout).toBe('same\n');
    });

    describeWith('python3', (python) => {
      it('waits if the pipe is non-blocking', () => {
        const start = 'import os, sys; os.set_blocking(1, False); os.execvp(sys.argv[1], sys.argv[1:])';
        const slowly = `${python} -c '${start}' ${render} | (sleep 0.3; cat)`;
        expect(shell(`${render} > at-once; ${slowly} | cmp - at-once && echo same`).stdout).toBe('same\n');
      });
    });
  });

  it('reads standard input that arrives late', () => {
    const late = `(sleep 0.3; cat ${examples}/collections/input/cache.rgd.yaml) | "${command}" crd - -o json`;
    const { status, stdout } = spawnSync('bash', ['-c', late], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  it('is the KRM function without arguments', () => {
    expect(execute(command, [], { input: 'kind: Nothing\n' })).toMatchObject({ code: 1, stdout: '' });
    expect(execute(command, ['unknown'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('has a library that does not need Node', async () => {
    const library = join(bundle, '../index.mjs');
    const ofNode = /["']node:|\bprocess\.|\bBuffer\.|\brequire\(/g;
    expect(readFileSync(library, 'utf8').match(ofNode)).toBeNull();
    const { render } = await import(pathToFileURL(library).href);
    const text = execFileSync('bash', ['-c', `for f in ${examples}/collections/input/*; do cat $f; echo ---; done`], {
      encoding: 'utf8',
    });
    const { objects, diagnostics } = render({ objects: [{ file: 'all.yaml', text }] });
    expect(diagnostics).toEqual([]);
    expect(objects).toHaveLength(7);
  });
});

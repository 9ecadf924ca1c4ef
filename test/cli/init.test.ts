import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectFiles } from '../../src/author/project/index.ts';
import { ownProgram, wantsCopy } from '../../src/cli/init.ts';
import { invoke } from './invoke.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (path: string): string => join(folder, path);
const write = (path: string, text: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};

describe('init', () => {
  beforeEach(() => invoke(['init', folder]));

  it.each(['validate', 'render', 'test', 'doctor'])('writes a project that passes %s', async (command) => {
    const { code, stdout, stderr } = await invoke([command, folder]);
    expect({ code, stderr: stderr.replace(/^info.*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toMatch(/error|warning/);
  });

  it('renders what its test expects', async () => {
    const { stdout } = await invoke(['render', folder]);
    expect(stdout).toBe(readFileSync(at('tests/blog/expected.yaml'), 'utf8'));
  });

  it('writes editor settings that name its schemas, and instances that match them', () => {
    const settings = JSON.parse(readFileSync(at('.vscode/settings.json'), 'utf8')) as Record<string, object>;
    for (const [schema, file] of Object.entries(settings['yaml.schemas'] ?? {})) {
      expect(JSON.parse(readFileSync(at(schema), 'utf8'))).toMatchObject({ type: 'object' });
      expect(readFileSync(at(String(file).replace('*', 'website')), 'utf8')).toContain('kind:');
    }
  });

  it('writes a workflow that downloads this version and checks it, and no copy of the command', () => {
    const workflow = readFileSync(at('.github/workflows/render.yaml'), 'utf8');
    const { config } = JSON.parse(readFileSync('package.json', 'utf8')) as { config: { version: string } };
    expect(workflow).toContain(`VERSION: ${config.version}\n`);
    expect(workflow).toContain('sha256sum --check');
    expect(`${workflow}${readFileSync(at('README.md'), 'utf8')}`).not.toContain('tools/');
    expect(existsSync(at('tools'))).toBe(false);
  });

  it('says in its output, the workflow and the README what to do without a release', async () => {
    const { stdout } = await invoke(['init', at('other')]);
    const workflow = readFileSync(at('other/.github/workflows/render.yaml'), 'utf8');
    for (const text of [
      stdout,
      workflow.slice(0, workflow.indexOf('\nname:')),
      readFileSync(at('other/README.md'), 'utf8'),
    ]) {
      expect(text.replace(/\s+(# )?/g, ' ')).toMatch(/fails until .* is released/);
      expect(text).toContain('--vendor');
      expect(text).toContain('a file of your own');
    }
  });

  it.each([
    ['y\n', true],
    ['YES\n', true],
    ['\n', false],
    ['', false],
    ['n\n', false],
  ])('asks on a terminal for a copy, and takes %j', (line, expected) => {
    let asked = '';
    const terminal = {
      stdinIsTerminal: () => true,
      columns: (): number | undefined => 80,
      stderr: (text: string): void => {
        asked += text;
      },
      line: () => line,
    };
    expect(wantsCopy(terminal)).toBe(expected);
    expect(asked).toContain('[y/N]');
    asked = '';
    expect(wantsCopy({ ...terminal, columns: () => undefined })).toBe(false);
    expect(wantsCopy({ ...terminal, stdinIsTerminal: () => false })).toBe(false);
    expect(asked).toBe('');
  });

  it('writes files in their canonical form', async () => {
    expect(await invoke(['fmt', folder, '--check'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('--vendor copies the command only if it is one file', async () => {
    const { code, stderr } = await invoke(['init', '--vendor', at('other')]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('another build') });
    const files = projectFiles('program');
    expect(files.get('tools/render-rgd.js')).toBe('program');
    expect(files.get('.github/workflows/render.yaml')).toContain('run: |\n          install -D tools/render-rgd.js');
    expect(files.get('.github/workflows/render.yaml')).not.toContain('curl');
    expect(files.get('README.md')).toContain('runs the copy `tools/render-rgd.js`.\n\nFrom this folder');
    expect(`${files.get('README.md')}${files.get('.github/workflows/render.yaml')}`).not.toContain('release');
  });
});

describe('the copy of the command', () => {
  it.each([
    ['a bundle', `#!/usr/bin/env node\nrender-rgd${' '.repeat(100_000)}`, true],
    ['an executable', `\u007fELF render-rgd${' '.repeat(100_000)}`, false],
    ['a script that starts it', '#!/usr/bin/env node\nrender-rgd', false],
  ])('is copied from %s: %s', (_, text, taken) => {
    write('program', text);
    expect(ownProgram(at('program'))).toBe(taken ? text : undefined);
  });

  it('is omitted without a file', () => {
    expect(ownProgram(undefined)).toBeUndefined();
    expect(ownProgram(at('missing'))).toBeUndefined();
  });
});

const map = (name: string): string => `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`;

describe('folders of golden tests', () => {
  const names = async (...paths: string[]): Promise<string[]> => {
    const { stdout } = await invoke(['render', '--all', '--allow-empty', ...paths.map(at)]);
    return [...stdout.matchAll(/name: (\w+)/g)].map(([, name = '']) => name);
  };
  beforeEach(() => write('a.yaml', map('plain')));

  it.each<[string, Record<string, string>, string[]]>([
    ['a test with objects', { 'test.yaml': 'input: []\n', 'expected.yaml': map('b') }, []],
    ['a test with its own input', { 'test.yaml': '', 'expected.yaml': map('b'), 'input.yaml': map('c') }, []],
    ['folders below a test', { 'test.yaml': '', 'expected.yaml': map('b'), 'input/c.yaml': map('c') }, []],
    ['a test of diagnostics', { 'test.yaml': '', 'expected-diagnostics.yaml': '[]', 'c.yaml': map('c') }, []],
    ['a test.yaml that is an object', { 'test.yaml': map('t'), 'expected.yaml': map('b') }, ['b', 't']],
    ['a test.yaml alone', { 'test.yaml': 'a: 1\n', 'c.yaml': map('c') }, ['c']],
    ['an expected.yaml alone', { 'expected.yaml': map('b') }, ['b']],
  ])('%s', async (_, files, found) => {
    for (const [file, text] of Object.entries(files)) write(`tests/one/${file}`, text);
    expect(await names('.')).toEqual(['plain', ...found]);
    expect(await names('tests/one/')).toEqual(expect.arrayContaining(found));
  });

  it('are named in the error if nothing else can be read', async () => {
    write('tests/one/test.yaml', '');
    write('tests/one/expected.yaml', map('b'));
    const { code, stdout } = await invoke(['validate', at('tests')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('holds nothing but golden tests') });
  });
});

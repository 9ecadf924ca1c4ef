import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/cli.ts';
import * as commands from '../../src/cli/commands.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { invoke } from './invoke.ts';
import { recordingIo } from './recording.ts';
import { note, noteRgd } from './resourcelist/packages.ts';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-cli-'));
  const other = '{apiVersion: v1, kind: Namespace, metadata: {name: desk}}';
  const local =
    '{apiVersion: v1, kind: Secret, metadata: {name: l, annotations: {config.kubernetes.io/local-config: "true"}}}';
  const kustomization = '{apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization}';
  writeFileSync(at('rgd.yaml'), noteRgd);
  writeFileSync(at('note.yaml'), note('a', '{text: "007"}'));
  writeFileSync(at('broken.yaml'), note('b', '{text: 7, other: 1}'));
  writeFileSync(at('others.yaml'), [other, local, kustomization].join('\n---\n'));
  writeFileSync(at('syntax.yaml'), 'a: [');
});
afterAll(() => rmSync(folder, { recursive: true }));

const kinds = (stdout: string): unknown[] =>
  readStream(stdout).documents.map(({ value }) => (value as { kind?: unknown }).kind);

describe('render', () => {
  it('prints YAML documents', async () => {
    const { code, stdout, stderr } = await invoke(['render', at('rgd.yaml'), at('note.yaml')]);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^apiVersion: v1\nkind: ConfigMap\nmetadata:\n {2}name: a\n/);
    expect(stdout).toContain('text: "007"');
  });

  it('prints notes with --verbose, and only errors with --quiet', async () => {
    const told = async (...args: string[]) =>
      (await invoke(['render', at('rgd.yaml'), at('note.yaml'), ...args])).stderr;
    expect(await told('--verbose')).toMatch(/^info\[node-skipped\] Note\/a node copy: [^\n]*\n/);
    expect(await told(at('others.yaml'))).toContain('info[left-out]');
    expect(await told(at('others.yaml'), '--quiet')).toBe('');
    expect(await told(at('others.yaml'), '-q', '--diagnostics', 'json')).toBe('[]\n');
    expect(await told(at('broken.yaml'), at('others.yaml'), '--quiet')).toMatch(/^[^\n]*error\[/);
  });

  it('prints one JSON array and one array of diagnostics', async () => {
    const { stdout, stderr } = await invoke([
      'render',
      at('rgd.yaml'),
      at('note.yaml'),
      '-o',
      'json',
      '--diagnostics',
      'json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject([{ kind: 'ConfigMap', data: { text: '007' } }]);
    expect(JSON.parse(stderr)).toMatchObject([
      { severity: 'info', code: 'node-skipped', object: 'Note/a', node: 'copy' },
    ]);
  });

  it('prints an empty array of diagnostics if there are none', async () => {
    const given = ['render', at('rgd.yaml'), '-', '-o', 'json', '--diagnostics=json'];
    const { code, stdout, stderr } = await invoke(given, note('a', '{copy: true}'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '[]\n' });
    expect(JSON.parse(stdout)).toHaveLength(2);
  });

  it('prints the number of omitted objects, and all objects with --all', async () => {
    const paths = ['rgd.yaml', 'note.yaml', 'others.yaml'].map(at);
    const { stdout, stderr } = await invoke(['render', ...paths]);
    expect(kinds(stdout)).toEqual(['ConfigMap']);
    expect(stderr).toContain('info[left-out]: 1 object was omitted; --all prints them\n');
    const all = await invoke(['render', ...paths, '--all', '--diagnostics', 'json']);
    expect(kinds(all.stdout)).toEqual(['ConfigMap', 'Namespace']);
    expect(all.stderr).not.toContain('left-out');
  });

  it('reads standard input', async () => {
    const { code, stdout } = await invoke(['render', '-'], `${noteRgd}---${note('a')}`);
    expect({ code, kinds: kinds(stdout) }).toEqual({ code: 0, kinds: ['ConfigMap'] });
  });

  it('reads definitions from other paths', async () => {
    const { code, stdout } = await invoke(['render', at('note.yaml'), '--definitions', at('rgd.yaml')]);
    expect({ code, kinds: kinds(stdout) }).toEqual({ code: 0, kinds: ['ConfigMap'] });
  });

  it('prints only diagnostics if an instance is invalid', async () => {
    const { code, stdout, stderr } = await invoke(['render', ...['rgd.yaml', 'note.yaml', 'broken.yaml'].map(at)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error\[[a-z-]+\] Note\/b: .*\n {2}--> .*broken\.yaml:5:14 spec\.text\n/);
  });

  it.each([
    [['render', 'missing.yaml'], /^error\[unreadable-file\]: cannot read missing.yaml: no such file or directory\n$/],
    [['render', '@/syntax.yaml'], /error\[yaml-syntax\]: .*\n {2}--> .*syntax\.yaml:\d+:\d+/],
    [['render', '@/note.yaml', '--definitions', 'missing'], /unreadable-file/],
    [['render', '@/note.yaml', '--openapi', '@/missing'], /unreadable-file/],
    [
      ['render', '@/note.yaml', '--openapi', '@/note.yaml'],
      /^error\[unreadable-file\]: .*note\.yaml holds no OpenAPI document\n$/,
    ],
    [['crd', 'missing.yaml'], /unreadable-file/],
  ])('%j: exit code 1', async (args, expected) => {
    const { code, stdout, stderr } = await invoke(args.map((argument) => argument.replace('@', folder)));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(expected);
  });
});

describe('crd', () => {
  it('prints the generated CRDs by name', async () => {
    const second = noteRgd.replace('name: note}', 'name: atlas}').replace('kind: Note', 'kind: Atlas');
    const { code, stdout } = await invoke(['crd', '-', '-o', 'json'], `${noteRgd}---${second}`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { metadata: { name: 'atlas.kro.run' } },
      { metadata: { name: 'notes.kro.run' } },
    ]);
  });
});

describe('the command line', () => {
  it.each([
    [['rendr'], 'error[command-line]: unknown command rendr; did you mean render?\n'],
    [['frobnicate'], 'error[command-line]: unknown command frobnicate; see render-rgd --help\n'],
    [['--strict'], 'error[command-line]: unknown option --strict; see render-rgd --help\n'],
    [['lint'], 'error[command-line]: unknown command lint; validate checks RGDs and instances, with lints\n'],
    [
      ['build', 'apps'],
      'error[command-line]: unknown command build; render prints the objects; a GitOps tool or kubectl applies them\n',
    ],
    [['render', 'a', '-A'], 'error[command-line]: unknown option -A; instances of all namespaces are rendered\n'],
    [
      ['render', 'a', '--set', 'x=1'],
      'error[command-line]: unknown option --set; write the value into the instance, or into the file of --defaults\n',
    ],
    [
      ['render', 'a', '--output', 'out/'],
      "error[command-line]: --output: 'out/' is not one of yaml, json; --output-dir DIR writes files\n",
    ],
    [['constructor'], 'error[command-line]: unknown command constructor; see render-rgd --help\n'],
    [['render'], 'error[command-line]: render needs a PATH; - reads standard input\n'],
    [['render', 'a', '--strct'], 'error[command-line]: unknown option --strct; did you mean --strict?\n'],
    [['crd'], 'error[command-line]: crd needs a PATH; - reads standard input\n'],
    [['mcp', 'x'], 'error[command-line]: unexpected argument x; see render-rgd mcp --help\n'],
    [['lsp', '--stdio', 'x'], 'error[command-line]: unexpected argument x; see render-rgd lsp --help\n'],
    [['init', 'a', 'b'], 'error[command-line]: unexpected argument b; see render-rgd init --help\n'],
  ])('%j: exit code 2', async (args, stderr) => {
    expect(await invoke(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('has help for itself and for each command', async () => {
    const general = await invoke(['--help']);
    expect(general).toMatchObject({ code: 0, stderr: '' });
    expect(await invoke([])).toEqual(general);
    for (const name of Object.keys(commands)) {
      expect(general.stdout).toContain(`  ${name} `);
      const help = await invoke([name, 'x', '--help']);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain(`\nUsage:\n  render-rgd ${name} `);
      // These commands read no package.
      if (!['test', 'init', 'completion', 'lsp', 'mcp', 'playground', 'fmt'].includes(name))
        expect(help.stdout).toContain('--definitions');
      expect(await invoke(['help', name])).toEqual(help);
    }
    expect(await invoke(['help'])).toEqual(general);
    expect(await invoke(['help', 'rendr'])).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([
    ['render', ['--on-pending', '--all', '--quiet'], ['--kubectl', '--from', '--build']],
    ['crd', ['--strict', '--openapi', '--output'], ['--on-pending', '--namespace', '--observed', '--order', '--all']],
    ['pending', ['--kubectl', '--observed', '--namespace'], ['--on-pending', '--order', '--from']],
    ['observe', ['--from', '--write'], ['--on-pending', '--kubectl', '--order']],
    ['doctor', ['--definitions', '--exclude', '--output'], ['--strict']],
    ['plugin', ['--build', '--allow-dir'], ['--output', '--quiet', '--all']],
  ])('shows the options that apply in the help of %s', async (name, there, missing) => {
    const flags = (await invoke(['help', name])).stdout.match(/--[a-z-]+/g) ?? [];
    for (const flag of there) expect(flags).toContain(flag);
    for (const flag of missing) expect(flags).not.toContain(flag);
  });

  it('prints its version', async () => {
    expect(await invoke(['--version'])).toEqual({ code: 0, stdout: '0.0.0-test\n', stderr: '' });
  });

  it('reports an unexpected exception as a bug', async () => {
    const printed = { stdout: '', stderr: '' };
    const io = recordingIo(printed, () => Promise.reject(new Error('lost')));
    expect(await run(['render', '-'], io, '1.2.3')).toBe(3);
    expect(printed.stderr).toMatch(/^render-rgd 1\.2\.3: this is a bug in render-rgd, please report .*\nError: lost/);
    expect(await run([], io, '1.2.3')).toBe(1);
    const stdout = (): never => {
      throw new Error('lost');
    };
    const broken = { ...io, stdout };
    // Argo CD knows no other exit code either.
    expect(await run(['plugin', 'parameters'], broken, '1.2.3')).toBe(1);
  });
});

describe('an empty input', () => {
  const inFolder = async (files: Record<string, string>, ...args: string[]) => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-nothing-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { code, stdout, stderr } = await invoke(
      args.map((argument) => argument.replace('@', folder)),
      '',
    );
    rmSync(folder, { recursive: true });
    return { code, stdout, stderr: stderr.replaceAll(folder, '@') };
  };

  it.each([
    [{ 'README.md': 'text' }, ['@'], '@ holds no .yaml, .yml or .json file'],
    [{ 'a.yaml': 'a: 1' }, ['@', '--exclude', '*'], '@ holds no .yaml, .yml or .json file'],
    [{ 'a.yaml': '# nothing' }, ['@'], '@: no documents found'],
    [{}, ['-'], 'standard input is empty'],
  ])('%j with %j is an error', async (files, args, message) => {
    const { code, stdout, stderr } = await inFolder(files, 'render', ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`error[nothing-to-read]: ${message}`);
    const allowed = await inFolder(files, 'render', '--allow-empty', ...args);
    expect(allowed).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('is a warning for definitions', async () => {
    const { code, stderr } = await inFolder({}, 'render', 'examples/kustomize/base', '--definitions', '@');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('warning[nothing-to-read]: @ holds') });
  });

  const skipped = `${noteRgd.replace('- id:', '- includeWhen: ["${false}"]\n      id:')}\n---\n${note('a')}`;
  it.each([
    ['other objects only', '{apiVersion: v1, kind: ConfigMap}', '--all prints the other objects; --allow-empty'],
    ['an RGD without instances', noteRgd, 'add an instance and its RGD'],
    ['an instance whose nodes are all skipped', skipped, '--allow-empty'],
  ])('an empty rendering is an error: %s', async (_, text, hint) => {
    const files = { 'a.yaml': text };
    const { code, stdout, stderr } = await inFolder(files, 'render', '@');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[empty-output]: nothing is rendered\n  hint: ');
    expect(stderr).toContain(hint);
    expect(await inFolder(files, 'render', '@', '--allow-empty')).toMatchObject({ code: 0, stdout: '' });
    // An empty list is valid output, unless objects are missing from it.
    const isLeftOut = stderr.includes('[left-out]');
    const json = await inFolder(files, 'render', '@', '-o', 'json');
    expect(json).toMatchObject({ code: isLeftOut ? 1 : 0, stdout: isLeftOut ? '' : '[]\n' });
    const tree = await inFolder(files, 'render', '@', '--output-dir', '@/out');
    expect(tree).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-empty removes the files') });
  });

  it.each([[['render', '-']], [[]]])('a folder as standard input is an error: %j', async (args) => {
    const result = { code: -1, stdout: '', stderr: '' };
    const folder = Object.assign(new Error('EISDIR: illegal operation on a directory, read'), { code: 'EISDIR' });
    result.code = await run(
      args,
      recordingIo(result, async () => folder),
      '0.0.0',
    );
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 1, stdout: '' });
    expect(result.stderr).toContain('error[unreadable-file]: cannot read standard input: it is a folder');
  });
});

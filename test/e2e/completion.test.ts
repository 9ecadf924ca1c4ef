import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, execute, findTool } from './sandbox.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec: { schema: { apiVersion: v1, kind: Site }, resources: [] }
---
{ apiVersion: kro.run/v1, kind: Site, metadata: { name: blog } }
`;

const scripts: Record<string, string> = {};
function script(shell: string): string {
  scripts[shell] ??= execute(command, ['completion', shell]).stdout;
  return scripts[shell];
}
const inShell = `render-rgd() { '${command}' "$@"; }`;

describe('completion bash', () => {
  function completed(...words: string[]): string[] {
    const line = words.map((word) => `'${word}'`).join(' ');
    const asked = `COMP_WORDS=(render-rgd ${line}); COMP_CWORD=${words.length}; _render_rgd; echo "\${COMPREPLY[@]}"`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', `${inShell}\n${script('bash')}\n${asked}`], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trim().split(' ').filter(Boolean);
  }

  it.each([
    [['di'], ['diff']],
    [['diff', '--ag'], ['--against']],
    [
      ['diff', 'apps', '-o', ''],
      ['text', 'json', 'markdown'],
    ],
    [['graph', 'apps', '--output', 's'], ['svg']],
    [
      ['schema', 'c'],
      ['config', 'compat'],
    ],
    [['render', 'apps', '--against'], []],
    [['render', 'ap'], []],
    [['diff', '-'], expect.arrayContaining(['-o', '--output', '--kro', '--help'])],
    [
      ['render', 'apps', '--on-pending', 'p'],
      ['passthrough', 'placeholder'],
    ],
    [['render', 'apps', '--namespace', ''], []],
    [['help', 'exp'], ['explain']],
    [['validate', '--report', 's'], ['sarif']],
    [['validate', '--disable', 'lint-unread-f'], ['lint-unread-field']],
  ])('%j: %j', (words, expected) => expect(completed(...words)).toEqual(expected));
});

describe('completion bash in a folder', () => {
  it('offers kinds and instances of its files, and branches of git', () => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-completed-'));
    writeFileSync(join(folder, 'a.yaml'), RGD);
    const git = (...args: string[]): unknown =>
      execute('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], { cwd: folder });
    git('init', '-q', '-b', 'trunk');
    git('add', '.');
    git('commit', '-q', '-m', 'a');
    const ask = (...words: string[]): string => {
      const line = words.map((word) => `'${word}'`).join(' ');
      const asked = `${inShell}; COMP_WORDS=(render-rgd ${line}); COMP_CWORD=${words.length}`;
      const run = `${asked}; _render_rgd; echo "\${COMPREPLY[@]}"`;
      return execute('bash', ['-c', `${script('bash')}\n${run}`], { cwd: folder }).stdout.trim();
    };
    expect(ask('instance', '')).toContain('Site');
    expect(ask('explain', 'Si')).toBe('Site/blog');
    expect(ask('graph', 'a.yaml', '--rgd', '')).toBe('site');
    expect(ask('diff', 'a.yaml', '--against', 'tr')).toBe('trunk');
    rmSync(folder, { recursive: true });
  });
});

describe.runIf(findTool('zsh') !== undefined)('completion zsh', () => {
  it('is a script that zsh reads', () => {
    expect(execute('zsh', ['-n'], { input: script('zsh') })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('offers commands and choices', () => {
    // Replacements for functions of zsh's completion system, which print their arguments.
    const stubs = `${inShell}; _describe() { print -rl -- "\${(@P)2}"; }; _files() { print files; }`;
    const ask = (words: string, current: number): string =>
      execute('zsh', ['-f'], {
        input: `${stubs}\n${script('zsh')}\nwords=(render-rgd ${words}); CURRENT=${current}; _render_rgd\n`,
      }).stdout;
    expect(ask('di', 2)).toContain('diff:Compare rendered objects\\: added, removed');
    expect(ask("diff ''", 3)).toBe('files\n');
    expect(ask('diff -', 3)).toContain('--against:Compare with the files of a git commit');
    expect(ask("diff --output ''", 4)).toBe('text\njson\nmarkdown\n');
  });
});

describe.runIf(findTool('fish') !== undefined)('completion fish', () => {
  it.each([
    ['render-rgd di', /^diff\t/],
    ['render-rgd diff -o ', /^json\nmarkdown\ntext\n/],
    ['render-rgd help di', /^diff\tCompare/],
    ['render-rgd diff --ag', /^--against\t/],
  ])('%s', (line, expected) => {
    const stub = `function render-rgd; '${command}' $argv; end`;
    const asked = `${stub}\n${script('fish')}\ncomplete -C '${line}'`;
    const { code, stdout, stderr } = execute('fish', ['--no-config', '-c', asked]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(expected);
  });
});

it('completion requires a known shell', () => {
  expect(execute(command, ['completion'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('bash, zsh, fish'),
  });
  expect(execute(command, ['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
});

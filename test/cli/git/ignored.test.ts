import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ignoredAmong, ignoredBelow, ignoredReports } from '../../../src/cli/git/ignored.ts';
import { drawFrom, seed } from '../../seed.ts';
import { invoke } from '../invoke.ts';
import { git, pack, temporaryFolder, write } from './repository.ts';

const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n';

const NAMES = ['a', 'b', 'out', 'tmp', 'Cache', 'x y', 'é', 'a.yaml', 'b.yaml', 'out.yaml', 'c.gen.yaml'];
const PATTERNS = [
  ...[
    'a.yaml',
    '/a.yaml',
    'out/',
    '/out',
    '*.gen.yaml',
    '!b.yaml',
    '*',
    '!*.yaml',
    '**/tmp',
    'a/**',
    'a/*.yaml',
    'x y',
  ],
  ...[
    'x\\ y',
    '[ao]ut',
    '[!a]*.yaml',
    'é',
    '# comment',
    '\\#a',
    'out.yaml  ',
    'Ca?he',
    'a/b/',
    '**',
    '!out/',
    'tmp/*',
    '',
  ],
  ...['?.yaml', 'b[/]a.yaml', 'a\\*', '*.yaml/', 'out/**/b.yaml', '/**/a.yaml'],
];

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv('HOME', join(folder, 'home'));
  vi.stubEnv('XDG_CONFIG_HOME', '');
});
afterEach(() => vi.unstubAllEnvs());

/** Returns the files that git itself ignores. */
function oracle(root: string, paths: readonly string[]): string[] {
  // It exits with 1 if it ignores none.
  const { stdout } = spawnSync('git', ['check-ignore', '-z', '--stdin', '--verbose', '--non-matching'], {
    cwd: root,
    input: `${paths.join('\0')}\0`,
    encoding: 'utf8',
  });
  const fields = stdout.split('\0');
  const ignored: string[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const pattern = fields[at + 2] ?? '';
    if (pattern !== '' && !pattern.startsWith('!')) ignored.push(fields[at + 3] ?? '');
  }
  return ignored.sort();
}

describe('the files that git ignores', () => {
  it('are those of git, for random patterns, folders and tracked files', () => {
    const draw = drawFrom(seed);
    for (let round = 0; round < 12; round += 1) {
      const root = join(folder, `r${round}`);
      mkdirSync(root);
      git(root, ['init', '-q']);
      const paths = new Set<string>();
      for (let file = 0; file < 25; file += 1) {
        const levels = Array.from({ length: draw(3) }, () => NAMES[draw(7)]);
        paths.add([...levels, NAMES[7 + draw(4)]].join('/'));
      }
      const folders = ['', ...[...paths].map((path) => path.slice(0, path.lastIndexOf('/') + 1))];
      for (const path of paths) write(join(root, path), OBJECT);
      for (let ignore = 0; ignore < 1 + draw(3); ignore += 1) {
        const lines = Array.from({ length: 1 + draw(4) }, () => PATTERNS[draw(PATTERNS.length)]);
        write(
          join(root, folders[ignore === 0 ? 0 : draw(folders.length)] ?? '', '.gitignore'),
          `${lines.join('\n')}\n`,
        );
      }
      const tracked = [...paths].filter(() => draw(6) === 0);
      git(root, ['add', '-f', '--', ...tracked]);
      const all = [...paths];
      const expected = oracle(root, all);
      const own = all.map((path) => join(root, path));
      const inRoot = (found: readonly string[]): string[] => found.map((path) => path.slice(root.length + 1)).sort();
      expect(inRoot(ignoredAmong(own)), `round ${round}`).toEqual(expected);
      const [report] = ignoredReports(own);
      expect(report === undefined, `round ${round}`).toBe(expected.length === 0);
      const roots = ignoredBelow(root);
      const below = own.filter((path) => roots.some((one) => path === one || path.startsWith(`${one}/`)));
      expect(inRoot(below), `round ${round}`).toEqual(expected);
    }
  });

  it('are none without a repository, and those of the nearest one', () => {
    write(join(folder, 'a.yaml'), OBJECT);
    write(join(folder, '.gitignore'), 'a.yaml\n');
    expect(ignoredAmong([join(folder, 'a.yaml')])).toEqual([]);
    git(folder, ['init', '-q']);
    expect(ignoredAmong([join(folder, 'a.yaml')])).toEqual([join(folder, 'a.yaml')]);
    mkdirSync(join(folder, 'inner'));
    git(join(folder, 'inner'), ['init', '-q']);
    write(join(folder, 'inner/a.yaml'), OBJECT);
    expect(ignoredAmong([join(folder, 'inner/a.yaml')])).toEqual([]);
  });

  it.each([
    ['.git/info/exclude', 'a.yaml\n', ''],
    ['home/.config/git/ignore', 'a.yaml\n', ''],
    ['home/patterns', 'a.yaml\n', '[core]\n\texcludesFile = ~/patterns\n'],
  ])('are also those of %s', (file, patterns, config) => {
    git(folder, ['init', '-q']);
    write(join(folder, file), patterns);
    if (config !== '') write(join(folder, 'home/.gitconfig'), config);
    write(join(folder, 'a.yaml'), OBJECT);
    expect(ignoredReports([join(folder, 'a.yaml')])).toHaveLength(1);
    expect(ignoredReports([join(folder, 'b.yaml')])).toEqual([]);
  });
});

describe('render and validate', () => {
  it.each(['render', 'validate'])('%s reads them, and says so once', async (command) => {
    git(folder, ['init', '-q']);
    write(join(folder, 'app/site.yaml'), pack('one'));
    write(join(folder, '.gitignore'), 'out/\n');
    write(join(folder, 'app/out/a.yaml'), OBJECT);
    write(join(folder, 'app/out/b.yaml'), OBJECT.replace('name: a', 'name: b'));
    const found = await invoke([command, join(folder, 'app'), '--diagnostics', 'json']);
    expect(found.code).toBe(0);
    const printed = command === 'render' ? found.stderr : found.stdout;
    const reports = (JSON.parse(printed) as { code: string; severity: string; message: string; hint: string }[]).filter(
      ({ code }) => code === 'ignored-file',
    );
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ severity: 'info', hint: expect.stringContaining('--exclude') });
    for (const name of ['out/a.yaml', 'out/b.yaml']) expect(reports[0]?.message).toContain(name);
    const without = await invoke([command, join(folder, 'app'), '--exclude', 'out/**', '--diagnostics', 'json']);
    expect(`${without.stdout}${without.stderr}`).not.toContain('ignored-file');
  });
});

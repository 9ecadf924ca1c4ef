import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { faultInName } from '../../../src/cli/git/tree.ts';
import { partOf, runs } from '../../properties/runs.ts';
import { invoke } from '../invoke.ts';
import { commitAll, git, pack, temporaryFolder, write } from './repository.ts';

let work: string;
let root: string;

beforeEach(() => {
  work = temporaryFolder();
  root = join(work, 'checkout');
  write(join(root, 'p.yaml'), pack('old'));
  git(work, ['init', '-q', '-b', 'main', root]);
  commitAll(root);
});

type Entry = readonly [mode: string, name: string, hash: string];

/** Stores an object, which git itself might refuse, and returns its hash. */
function store(type: string, content: Buffer | string): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${Buffer.byteLength(content)}\0`), Buffer.from(content)]);
  const hash = createHash('sha1').update(bytes).digest('hex');
  const file = join(root, '.git/objects', hash.slice(0, 2), hash.slice(2));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, deflateSync(bytes));
  return hash;
}
const blob = (content: string): string => store('blob', content);
const tree = (...entries: readonly Entry[]): string =>
  store(
    'tree',
    Buffer.concat(
      entries.flatMap(([mode, name, hash]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]),
    ),
  );
const commitOf = (top: string): string => git(root, ['commit-tree', top, '-m', 'x']).trim();

const COMMANDS = ['diff', 'compat', 'plan'];

describe('a tree that git does not check out', () => {
  const p = (): Entry => ['100644', 'p.yaml', blob(pack('old'))];
  const file = (name: string): Entry => ['100644', name, blob('a: b')];
  const link = (name: string, target = '.'): Entry => ['120000', name, blob(target)];
  const folder = (name: string): Entry => ['40000', name, tree(file('a.yaml'))];

  const REFUSED: readonly [string, () => Entry[]][] = [
    ['has a link and a folder of one name', () => [link('d'), p(), folder('d')]],
    ['has a file and a folder of one name', () => [file('d'), p(), folder('d')]],
    ['has a folder twice', () => [folder('d'), folder('d'), p()]],
    ['has a file twice', () => [file('d'), file('d'), p()]],
    ['has a submodule and a link of one name', () => [['160000', 'd', p()[2]], link('d'), p()]],
    ['has a folder .git', () => [folder('.git'), p()]],
    ['has a file .git', () => [file('.git'), p()]],
    ['has a folder .GIT', () => [folder('.GIT'), p()]],
    ['has a short name of .git', () => [folder('git~1'), p()]],
    ['has .git with a dot at the end', () => [folder('.git.'), p()]],
    ['has .git with a stream', () => [folder('.git::$INDEX_ALLOCATION'), p()]],
    ['has .git with a character that HFS ignores', () => [folder('.g\u200cit'), p()]],
    ['has a folder ..', () => [folder('..'), p()]],
    ['has a folder .', () => [folder('.'), p()]],
    ['has a name with a slash', () => [file('../x.yaml'), p()]],
    ['has a name that starts with a slash', () => [file('/tmp/x.yaml'), p()]],
    ['has an empty name', () => [file(''), p()]],
    ['has a name that is too long', () => [file('x'.repeat(5000)), p()]],
    ['has a link .gitmodules', () => [link('.gitmodules'), p()]],
    ['has one of these below another folder', () => [['40000', 'a', tree(link('d'), folder('d'))], p()]],
  ];
  it.each(partOf(REFUSED, 2))('is refused: it %s', async (_, entries) => {
    const commit = commitOf(tree(...entries()));
    const fsck = spawnSync('git', ['-c', 'core.protectHFS=true', 'fsck', '--strict', commit], { cwd: root });
    const checkout = spawnSync('git', ['worktree', 'add', '--detach', join(work, 'control'), commit], { cwd: root });
    expect(fsck.status !== 0 || checkout.status !== 0).toBe(true);
    const temporary = join(work, 'tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    for (const name of COMMANDS) {
      const { code, stdout, stderr } = await invoke([name, root, '--against', commit]);
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(stdout + stderr).toMatch(/error\[unreadable-file\].* git does not check out its tree [0-9a-f]{40}: /);
    }
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('writes nothing through a link', async () => {
    const victim = join(work, 'victim/config.json');
    write(victim, '{"mine":1}');
    const temporary = join(work, 'tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const evil: Entry = ['40000', 'l', tree(['100644', 'config.json', blob('{"evil":1}')])];
    const deep: Entry = ['40000', 'q', tree(link('l', '../../../victim'), evil)];
    const commit = commitOf(tree(link('p'), p(), ['40000', 'p', tree(['40000', 'p', tree(deep)])]));
    for (const name of COMMANDS) await invoke([name, root, '--against', commit]);
    expect(readFileSync(victim, 'utf8')).toBe('{"mine":1}');
  });

  it('stands for so many files that they are not listed', async () => {
    let hash = tree(file('a'));
    for (let level = 0; level < 10; level += 1) {
      const below = hash;
      hash = tree(...Array.from({ length: 10 }, (_, index): Entry => ['40000', `${index}`, below]));
    }
    const { code, stderr } = await invoke(['plan', root, '--against', commitOf(hash)]);
    expect(code).toBe(1);
    expect(stderr).toContain('more than 500000 files');
  });

  it('is nested too deep', async () => {
    let hash = tree(file('a'));
    for (let level = 0; level < 110; level += 1) hash = tree(['40000', 'd', hash]);
    const { stdout, stderr } = await invoke(['diff', root, '--against', commitOf(hash)]);
    expect(stdout + stderr).toContain('nested more than 100 levels deep');
  });

  it('has an entry of another type', async () => {
    const { stderr } = await invoke(['diff', root, '--against', commitOf(tree(['40000', 'd', blob('x')], p()))]);
    expect(stderr).toContain('it is a blob');
    const other = commitOf(tree(['100644', 'd.yaml', tree(file('a'))], p()));
    expect((await invoke(['diff', root, '--against', other])).stderr).toContain('is a tree, not a file');
  });

  it('has the names that git refuses, for random names', () => {
    const parts = [
      '.',
      '.g',
      'git',
      'GIT',
      'Git',
      '~1',
      '~12',
      'gi7e',
      '.gitmodules',
      'gitmod',
      '~2',
      ' ',
      ':',
      'x',
      '\u200c',
      '\ufeff',
      'modules',
      'gi7eba',
      'mod',
      '\\',
      'attributes',
      '..',
    ];
    const name = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
    const own = ['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true'];
    const content = blob('x');
    fc.assert(
      fc.property(name, fc.constantFrom('100644', '120000'), (one, mode) => {
        const args = [...own, 'update-index', '--add', '--cacheinfo', `${mode},${content},${one}`];
        const isRefused = spawnSync('git', args, { cwd: root }).status !== 0;
        expect({ one, mode, isRefused: faultInName(one, mode === '120000') !== undefined }).toEqual({
          one,
          mode,
          isRefused,
        });
      }),
      runs(40),
    );
  });
});

describe('files of a commit', () => {
  it('are those that git checks out, with links that stay inside', async () => {
    mkdirSync(join(root, 'charts'), { recursive: true });
    write(join(root, 'charts/kustomization.yaml'), 'resources: [../p.yaml]\n');
    write(join(root, 'deep/a/b/c/x.yaml'), 'a: b\n');
    symlinkSync('../p.yaml', join(root, 'charts/link.yaml'));
    symlinkSync('deep/a/b', join(root, 'to-folder'));
    symlinkSync('to-folder/c/x.yaml', join(root, 'two-links.yaml'));
    symlinkSync('../../..', join(root, 'deep/a/b/up'));
    // As text it stays inside; in a file system it leads two folders above.
    symlinkSync('up/../../etc', join(root, 'deep/a/b/out'));
    symlinkSync('/etc', join(root, 'absolute'));
    symlinkSync('loop', join(root, 'loop'));
    const commit = commitAll(root);
    const { readVersionsOf } = await import('../../../src/cli/git/versions.ts');
    const { Collector } = await import('../../../src/core/diagnostics/index.ts');
    const versions = readVersionsOf(root, commit, new Collector());
    const written = versions?.writeBefore();
    if (written === undefined || 'fault' in written) throw new Error('nothing written');
    const control = join(work, 'control');
    git(root, ['worktree', 'add', '-q', control, commit]);
    const outside = ['deep/a/b/out', 'absolute', 'loop'];
    const paths = git(root, ['ls-files', '-z'])
      .split('\0')
      .filter((path) => path !== '' && !outside.includes(path));
    expect([...readdirSync(written.folder)].sort()).toEqual(
      [...new Set(paths.map((path) => path.split('/')[0]))].sort(),
    );
    for (const path of paths) {
      const [own, other] = [join(written.folder, path), join(control, path)];
      expect(lstatSync(own).isSymbolicLink()).toBe(lstatSync(other).isSymbolicLink());
      const isFolder = ['to-folder', 'deep/a/b/up'].includes(path);
      if (isFolder) expect(readdirSync(own).length).toBeGreaterThan(0);
      else expect(readFileSync(own)).toEqual(readFileSync(other));
      if (lstatSync(own).isSymbolicLink()) expect(readlinkSync(own)).not.toMatch(/^\//);
    }
    for (const path of outside) {
      expect(lstatSync(join(written.folder, path), { throwIfNoEntry: false })).toBeUndefined();
      expect(versions?.before.text(path)).toBeUndefined();
    }
    written.remove();
  });
});

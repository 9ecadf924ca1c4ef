import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { programOn } from '../../../src/cli/file-system.ts';
import { invoke } from '../invoke.ts';
import { commitAll, git, pack, temporaryFolder, write } from './repository.ts';

let work: string;
let root: string;

beforeEach(() => {
  work = temporaryFolder();
  root = join(work, 'checkout');
  write(join(root, 'deploy/apps/p.yaml'), pack('old'));
  git(work, ['init', '-q', '-b', 'main', root]);
  commitAll(root);
  git(root, ['update-ref', 'refs/remotes/origin/main', 'HEAD']);
  git(root, ['checkout', '-q', '-b', 'pr']);
  write(join(root, 'deploy/apps/p.yaml'), pack('new'));
  commitAll(root);
});

async function diff(...paths: string[]): Promise<string> {
  const { stdout, stderr } = await invoke(['diff', ...paths, '--against', 'origin/main']);
  return stdout + stderr;
}

async function inFolder<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const here = process.cwd();
  process.chdir(folder);
  return run().finally(() => process.chdir(here));
}

/** Makes a repository with the files of the checkout, whose origin/main is its HEAD: it shows no change. */
function unchangedRepository(folder: string): void {
  git(work, ['init', '-q', '-b', 'main', folder]);
  commitAll(folder);
  git(folder, ['update-ref', 'refs/remotes/origin/main', 'HEAD']);
}

const CHANGED = /-k: old\n {2}\+k: new\n/;

describe('the repository of a path', () => {
  it('is not a folder that looks like a bare repository', async () => {
    const evil = join(work, 'evil');
    cpSync(join(root, 'deploy'), evil, { recursive: true });
    unchangedRepository(evil);
    for (const name of readdirSync(join(evil, '.git')))
      cpSync(join(evil, '.git', name), join(root, 'deploy', name), { recursive: true });
    git(work, ['config', '--file', join(root, 'deploy/config'), 'core.worktree', '.']);
    commitAll(root);
    const control = spawnSync('git', ['diff', '--stat', 'origin/main', '--', 'apps'], { cwd: join(root, 'deploy') });
    expect(control.stdout.toString()).toBe('');
    expect(await diff(join(root, 'deploy/apps'))).toMatch(CHANGED);
    expect(await inFolder(join(root, 'deploy'), () => diff('apps'))).toMatch(CHANGED);
    expect(await inFolder(join(root, 'deploy/apps'), () => diff('.'))).toMatch(CHANGED);
  });

  it('is the one around a submodule that replaces a folder', async () => {
    const other = join(work, 'other');
    cpSync(join(root, 'deploy/apps'), other, { recursive: true });
    unchangedRepository(other);
    rmSync(join(root, 'deploy/apps'), { recursive: true });
    commitAll(root);
    git(root, ['submodule', '--quiet', 'add', other, 'deploy/apps']);
    commitAll(root);
    const inner = join(root, 'deploy/apps');
    expect(git(inner, ['diff', '--stat', 'origin/main'])).toBe('');
    expect(await diff(inner)).toMatch(CHANGED);
    expect(await inFolder(inner, () => diff('.'))).toMatch(CHANGED);
    expect((await invoke(['diff', inner, '--against', 'HEAD'])).stdout).toBe('1 unchanged\n');
  });

  it.each([
    ['HEAD has the folder', () => undefined],
    ['the commit has the folder', () => git(root, ['rm', '-rfq', '--cached', 'deploy'])],
  ])('is the one around a folder with its own .git if %s', async (_, change) => {
    change();
    git(root, ['commit', '-q', '--allow-empty', '-m', 'change']);
    unchangedRepository(join(root, 'deploy'));
    expect(await diff(join(root, 'deploy/apps'))).toMatch(CHANGED);
  });

  it('is a checkout that the one around it does not track', async () => {
    const outer = join(work, 'home');
    write(join(outer, 'notes.txt'), 'a');
    unchangedRepository(outer);
    renameSync(root, join(outer, 'project'));
    expect(await diff(join(outer, 'project/deploy/apps'))).toMatch(CHANGED);
    expect(await inFolder(join(outer, 'project/deploy'), () => diff('apps'))).toMatch(CHANGED);
  });

  it.each([
    ['inside of the first one', () => join(root, 'trees/deploy')],
    ['elsewhere', () => join(work, 'tree')],
  ])('is a further working tree %s', async (_, place) => {
    git(root, ['worktree', 'add', '-q', place(), '-b', 'feature']);
    write(join(place(), 'deploy/apps/p.yaml'), pack('newer'));
    expect(await diff(join(place(), 'deploy/apps'))).toContain('+k: newer');
  });

  it('is a working tree beside a bare repository', async () => {
    const project = join(work, 'project');
    git(work, ['clone', '-q', '--bare', root, join(project, '.bare')]);
    write(join(project, '.git'), 'gitdir: ./.bare\n');
    // The folder has the name of a folder in the repository.
    git(project, ['worktree', 'add', '-q', 'deploy', 'pr']);
    const { stdout } = await invoke(['diff', join(project, 'deploy/deploy/apps'), '--against', 'main']);
    expect(stdout).toMatch(CHANGED);
  });

  it('may have its .git elsewhere', async () => {
    git(root, ['init', '-q', `--separate-git-dir=${join(work, 'separate')}`]);
    expect(await diff(join(root, 'deploy/apps'))).toMatch(CHANGED);
  });

  it('is found through a link to it, and through one into it', async () => {
    symlinkSync(root, join(work, 'link'));
    symlinkSync(join(root, 'deploy'), join(work, 'into'));
    expect(await diff(join(work, 'link/deploy/apps'))).toMatch(CHANGED);
    expect(await diff(join(work, 'into/apps'))).toMatch(CHANGED);
  });

  it('does not depend on links of a pull request: a path is that of the commit', async () => {
    git(root, ['checkout', '-q', '-B', 'main', 'origin/main']);
    write(join(root, 'elsewhere/p.yaml'), pack('new'));
    commitAll(root);
    git(root, ['update-ref', 'refs/remotes/origin/main', 'HEAD']);
    rmSync(join(root, 'deploy/apps'), { recursive: true });
    symlinkSync('../elsewhere', join(root, 'deploy/apps'));
    commitAll(root);
    expect(await diff(join(root, 'deploy/apps'))).toMatch(CHANGED);
    const outside = join(work, 'outside');
    cpSync(join(root, 'elsewhere'), join(outside, 'apps'), { recursive: true });
    unchangedRepository(outside);
    rmSync(join(root, 'deploy/apps'));
    symlinkSync('../../outside/apps', join(root, 'deploy/apps'));
    expect(await diff(join(root, 'deploy/apps'))).toMatch(CHANGED);
  });

  it.skipIf(process.getuid?.() !== 0)('is not one of another user further up', async () => {
    const above = join(work, 'above');
    mkdirSync(above);
    renameSync(root, join(above, 'checkout'));
    const hidden = join(above, 'checkout/.git');
    renameSync(hidden, join(work, 'hidden'));
    unchangedRepository(above);
    renameSync(join(work, 'hidden'), hidden);
    const path = join(above, 'checkout/deploy/apps');
    expect(await diff(path)).toBe('1 unchanged\n');
    chownSync(join(above, '.git'), 12345, 12345);
    expect(await diff(path)).toMatch(CHANGED);
  });

  it('has the objects of its commits, whatever replaces them', async () => {
    const named = (ref: string): string => git(root, ['rev-parse', `${ref}:deploy/apps/p.yaml`]).trim();
    const [old, newer] = [named('origin/main'), named('HEAD')];
    git(root, ['replace', old, newer]);
    expect(git(root, ['show', 'origin/main:deploy/apps/p.yaml'])).toBe(pack('new'));
    expect(await diff(join(root, 'deploy/apps'))).toMatch(CHANGED);
    git(root, ['replace', '-d', old]);
    const stored = join(root, '.git/objects', old.slice(0, 2), old.slice(2));
    const content = pack('new');
    rmSync(stored);
    writeFileSync(stored, deflateSync(`blob ${content.length}\0${content}`));
    expect(git(root, ['show', 'origin/main:deploy/apps/p.yaml'])).toBe(content);
    expect(await diff(join(root, 'deploy/apps'))).toMatch(/the object [0-9a-f]{40} of .* is damaged/);
    rmSync(stored);
    expect(await diff(join(root, 'deploy/apps'))).toContain('clone without --filter');
  });
});

describe('git', () => {
  it('is not looked up in empty or relative folders of the PATH, or in a folder that is not trusted', () => {
    const bin = join(work, 'bin');
    write(join(bin, 'git'), '#!/bin/sh\n', 0o755);
    write(join(work, 'plain/git'), 'not executable');
    mkdirSync(join(work, 'folder/git'), { recursive: true });
    const here = process.cwd();
    process.chdir(bin);
    try {
      for (const path of ['', '.', ':', 'bin', './', '../bin', join(work, 'plain'), join(work, 'folder')]) {
        expect({ path, found: programOn(path, 'git') }).toEqual({ path, found: undefined });
      }
    } finally {
      process.chdir(here);
    }
    const path = ['', '.', join(work, 'plain'), bin].join(':');
    expect(programOn(path, 'git')).toBe(join(bin, 'git'));
    expect(programOn(path, 'git', (file) => file.startsWith(bin))).toBeUndefined();
  });

  it('of Windows is git.exe, never a script', () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
    for (const name of ['git', 'git.bat', 'git.cmd']) write(join(work, 'bin', name), 'x', 0o755);
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      expect(programOn(join(work, 'bin'), 'git')).toBeUndefined();
      write(join(work, 'bin/git.exe'), 'x', 0o755);
      expect(programOn(join(work, 'bin'), 'git')).toBe(join(work, 'bin/git.exe'));
    } finally {
      Object.defineProperty(process, 'platform', platform);
    }
  });

  it('gets no reference as an option, and no variable of the environment', async () => {
    for (const ref of ['--output=x', '-x', '--git-dir=/', '--help', '--exec-path', '--end-of-options', '--']) {
      const { code, stderr } = await inFolder(root, () => invoke(['diff', 'deploy/apps', `--against=${ref}`]));
      expect({ ref, code }).toEqual({ ref, code: 1 });
      expect(stderr).toContain(`'${ref}' names no commit of`);
    }
    expect(existsSync(join(root, 'x'))).toBe(false);
    const other = join(work, 'other');
    cpSync(join(root, 'deploy'), join(other, 'deploy'), { recursive: true });
    unchangedRepository(other);
    const { vi } = await import('vitest');
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    vi.stubEnv('GIT_WORK_TREE', other);
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(other, '.git/objects'));
    vi.stubEnv('GIT_INDEX_FILE', join(other, '.git/index'));
    vi.stubEnv('GIT_NAMESPACE', 'other');
    expect(await diff(join(root, 'deploy/apps'))).toMatch(CHANGED);
    expect(readFileSync(join(other, '.git/index')).length).toBeGreaterThan(0);
  });
});

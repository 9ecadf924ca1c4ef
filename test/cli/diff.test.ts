import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { invoke } from './invoke.ts';

const example = fileURLToPath(new URL('../../examples/collections/input', import.meta.url));
let folder: string;
let apps: string;
const books = (): string => join(apps, 'books.yaml');
const git = (...args: string[]): string => {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};
const commit = (): void => {
  git('add', '-A');
  git('commit', '-q', '-m', 'change');
};
const change = (from: string, to: string): void =>
  writeFileSync(books(), readFileSync(books(), 'utf8').replace(from, to));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-diff-'));
  apps = join(folder, 'apps');
  cpSync(example, apps, { recursive: true });
  git('init', '-q');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('diff OLD NEW', () => {
  it('compares two folders', async () => {
    cpSync(apps, join(folder, 'old'), { recursive: true });
    change(':1.8.2', ':1.9.0');
    const { code, stdout, stderr } = await invoke(['diff', join(folder, 'old'), apps]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      '  @@ spec.template.spec.containers[web].image @@\n  -image: registry.example.com/storefront:1.8.2\n',
    );
    expect(stdout).toMatch(/\n4 changed, 3 unchanged\n$/);
    expect((await invoke(['diff', join(folder, 'old'), apps, '--exit-code'])).code).toBe(1);
    expect((await invoke(['diff', apps, apps, '--exit-code'])).code).toBe(0);
  });

  it('reads one of the two versions from standard input', async () => {
    const text = readdirSync(apps)
      .map((name) => readFileSync(join(apps, name), 'utf8'))
      .join('\n---\n');
    expect(await invoke(['diff', '-', apps], text)).toEqual({ code: 0, stdout: '7 unchanged\n', stderr: '' });
  });

  it('prints JSON and Markdown', async () => {
    const old = join(folder, 'old');
    cpSync(apps, old, { recursive: true });
    change(':1.8.2', ':1.9.0');
    const { counts } = JSON.parse((await invoke(['diff', old, apps, '-o', 'json'])).stdout);
    expect(counts).toEqual({ added: 0, removed: 0, changed: 4, replaced: 0, unchanged: 3 });
    expect((await invoke(['diff', old, apps, '-o', 'markdown'])).stdout).toMatch(/^\*\*4 changed, 3 unchanged\*\*\n/);
  });

  it('reports the errors of both versions, and compares nothing with an error', async () => {
    const old = join(folder, 'old');
    cpSync(apps, old, { recursive: true });
    for (const file of [join(old, 'books.yaml'), books()]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace('kind: Storefront', 'kind: Storefront\nextra: 1'));
    }
    const { code, stdout, stderr } = await invoke(['diff', old, apps]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'not compared: Storefront shop/books (it has an error)\n\n1 with an error not compared\n',
    });
    expect((await invoke(['diff', old, apps, '--exit-code'])).code).toBe(2);
    expect(stderr).toContain(`${join(old, 'books.yaml')}:`);
    expect(stderr).toContain(`${books()}:`);
  });

  it('fails for an empty folder', async () => {
    mkdirSync(join(folder, 'empty'));
    const { code, stderr } = await invoke(['diff', join(folder, 'empty'), apps]);
    expect(code).toBe(1);
    expect(stderr).toContain('error[nothing-to-read]');
    const allowed = await invoke(['diff', join(folder, 'empty'), apps, '--allow-empty']);
    expect(allowed.stdout).toMatch(/\n7 added\n$/);
  });

  it.each([
    [['diff'], 'diff needs OLD and NEW, or PATH... and --against REF'],
    [['diff', 'a', 'b', 'c'], 'diff needs OLD and NEW, or PATH... and --against REF'],
    [['diff', '-', '-'], 'diff: OLD and NEW are both -'],
    [['diff', '--against', 'main'], 'diff --against needs a PATH'],
    [['diff', '-', '--against', 'main'], 'diff --against reads files of git, and standard input is none'],
    [['diff', 'a', 'b', '-o', 'yaml'], "-o: 'yaml' is not one of text, json, markdown"],
    [['render', 'a', '--against', 'main'], 'unknown option --against'],
  ])('%j: exit code 2', async (args, fault) => {
    expect(await invoke(args)).toEqual({ code: 2, stdout: '', stderr: `error[command-line]: ${fault}\n` });
  });
});

describe('diff PATH --against REF', () => {
  it('compares with a commit and does not change the working tree, the index or the temporary folder', async () => {
    commit();
    change(':1.8.2', ':1.9.0');
    writeFileSync(join(apps, 'untracked.txt'), 'x');
    git('add', 'apps/untracked.txt');
    const before = [git('status', '--porcelain'), readFileSync(books(), 'utf8')];
    const temporary = join(folder, '.git/tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const { code, stdout, stderr } = await invoke(['diff', apps, '--against', 'HEAD']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/\n4 changed, 3 unchanged\n$/);
    expect([git('status', '--porcelain'), readFileSync(books(), 'utf8')]).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('reads definitions of the commit too, and treats paths that it lacks as empty', async () => {
    mkdirSync(join(folder, 'platform'));
    for (const name of ['cache.rgd.yaml', 'storefront.rgd.yaml']) {
      cpSync(join(apps, name), join(folder, 'platform', name));
      rmSync(join(apps, name));
    }
    commit();
    const rgd = join(folder, 'platform/cache.rgd.yaml');
    writeFileSync(rgd, readFileSync(rgd, 'utf8').replace('redis:7.4', 'redis:8.0'));
    cpSync(books(), join(folder, 'more/more.yaml'));
    writeFileSync(join(folder, 'more/more.yaml'), readFileSync(books(), 'utf8').replace('name: books', 'name: more'));
    const args = ['diff', apps, join(folder, 'more'), '--definitions', join(folder, 'platform'), '--against', 'HEAD'];
    const { stdout } = await invoke(args);
    expect(stdout).toMatch(/\n7 added, 1 changed, 6 unchanged\n$/);
  });

  it.each([
    ['does not render', 'kind: Storefront', 'kind: Storefront\nextra: 1'],
    ['cannot be read', 'kind: Storefront', 'kind: [Storefront'],
  ])('shows all objects as added if the commit %s, and names it in diagnostics', async (_, from, to) => {
    change(from, to);
    commit();
    change(to, from);
    const { code, stdout, stderr } = await invoke(['diff', apps, '--against', 'HEAD']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n7 added\n$/);
    expect(stderr).toMatch(/^warning\[.*\n {2}--> HEAD:apps\/books\.yaml:\d+:\d+/);
    expect(stderr).toContain('warning[older-version-broken]');
    const strict = await invoke(['diff', apps, '--against', 'HEAD', '--strict']);
    expect(strict).toMatchObject({ code: 1, stdout, stderr: expect.stringMatching(/^error\[.*\n {2}--> HEAD:/) });
  });

  it('says which changed objects are not compared, because nothing renders them', async () => {
    const plain = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\ndata: {a: b}\n';
    writeFileSync(join(apps, 'plain.yaml'), plain);
    commit();
    const unchanged = await invoke(['diff', apps, '--against', 'HEAD']);
    expect(unchanged.stdout).toBe('7 unchanged\n');
    writeFileSync(join(apps, 'plain.yaml'), plain.replace('a: b', 'a: c'));
    const { stdout } = await invoke(['diff', apps, '--against', 'HEAD']);
    expect(stdout).toBe(
      'not compared: ConfigMap plain (nothing renders it; --all compares it)\n\n7 unchanged, 1 changed object not compared\n',
    );
    const markdown = await invoke(['diff', apps, '--against', 'HEAD', '-o', 'markdown']);
    expect(markdown.stdout).not.toContain('No rendered object changes');
    expect((await invoke(['diff', apps, '--against', 'HEAD', '--exit-code'])).code).toBe(1);
    expect((await invoke(['diff', apps, '--against', 'HEAD', '--strict'])).code).toBe(1);
    const all = await invoke(['diff', apps, '--against', 'HEAD', '--all']);
    expect(all.stdout).toMatch(/\n1 changed, \d+ unchanged\n$/);
    rmSync(join(apps, 'plain.yaml'));
    expect((await invoke(['diff', apps, '--against', 'HEAD'])).stdout).toContain('1 changed object not compared');
  });

  it('rejects instances whose RGD is elsewhere in the repository', async () => {
    split();
    commit();
    change('1.8.2', '1.9.0');
    const { code, stdout, stderr } = await invoke(['diff', apps, '--against', 'HEAD']);
    const left = 'not compared: Storefront shop/books (it has an error)\n\n1 with an error not compared\n';
    expect({ code, stdout }).toEqual({ code: 1, stdout: left });
    expect(stderr).toContain('error[undefined-kind]');
  });

  const split = (): string => {
    const platform = join(folder, 'platform');
    mkdirSync(platform);
    for (const name of ['cache.rgd.yaml', 'storefront.rgd.yaml']) {
      cpSync(join(apps, name), join(platform, name));
      rmSync(join(apps, name));
    }
    return platform;
  };

  it('follows renamed definitions, and rejects those that the commit does not have', async () => {
    split();
    commit();
    git('mv', 'platform', 'plat');
    const renamed = await invoke(['diff', apps, '--definitions', join(folder, 'plat'), '--against', 'HEAD']);
    expect(renamed).toMatchObject({ code: 0, stdout: '7 unchanged\n' });
    cpSync(join(folder, 'plat'), join(folder, 'copy'), { recursive: true });
    git('reset', '-q', '--hard');
    cpSync(join(folder, 'platform'), join(folder, 'copy'), { recursive: true });
    const missing = await invoke(['diff', apps, '--definitions', join(folder, 'copy'), '--against', 'HEAD']);
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('HEAD has no such file') });
  });

  it('reads definitions in a submodule at the recorded commit', async () => {
    const own = split();
    const other = mkdtempSync(join(tmpdir(), 'render-rgd-module-'));
    cpSync(own, other, { recursive: true });
    rmSync(own, { recursive: true });
    git('-C', other, 'init', '-q');
    git('-C', other, 'add', '-A');
    git('-C', other, 'commit', '-q', '-m', 'first');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'platform');
    commit();
    const rgd = join(folder, 'platform/cache.rgd.yaml');
    writeFileSync(rgd, readFileSync(rgd, 'utf8').replace('redis:7.4', 'redis:8.0'));
    const args = ['diff', apps, '--definitions', join(folder, 'platform'), '--against', 'HEAD'];
    expect(await invoke(args)).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n1 changed, 6 unchanged\n$/) });
    rmSync(join(folder, 'platform'), { recursive: true });
    mkdirSync(join(folder, 'platform'));
    const gone = await invoke(args);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('the submodule platform: ') });
    expect(gone.stderr).toContain("hint: 'git submodule update --init --recursive' fetches");
    rmSync(other, { recursive: true });
  });

  it('prints the error of git', async () => {
    commit();
    vi.stubEnv('PATH', join(folder, 'nowhere'));
    const none = await invoke(['diff', apps, '--against', 'HEAD']);
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('git is not installed, or not on the PATH'),
    });
  });

  it('follows links inside the repository, and none that leave it', async () => {
    mkdirSync(join(folder, 'common'));
    cpSync(books(), join(folder, 'common/books.yaml'));
    rmSync(books());
    symlinkSync('../common/books.yaml', books());
    commit();
    expect((await invoke(['diff', apps, '--against', 'HEAD'])).stdout).toBe('7 unchanged\n');
    rmSync(books());
    const outside = join(mkdtempSync(join(tmpdir(), 'render-rgd-outside-')), 'books.yaml');
    cpSync(join(folder, 'common/books.yaml'), outside);
    symlinkSync(outside, books());
    commit();
    expect((await invoke(['diff', apps, '--against', 'HEAD'])).stdout).toMatch(/\n7 added\n$/);
    rmSync(join(outside, '..'), { recursive: true });
  });

  it('never passes an argument to git as an option, or a path as a pattern', async () => {
    commit();
    const trace = join(folder, 'trace');
    const { code, stderr } = await invoke(['diff', apps, `--against=--output=${trace}`]);
    expect(code).toBe(1);
    expect(stderr).toContain(`--against: '--output=${trace}' names no commit`);
    expect(existsSync(trace)).toBe(false);
    const odd = join(folder, ':(top)a*');
    cpSync(apps, odd, { recursive: true });
    commit();
    expect((await invoke(['diff', odd, '--against', 'HEAD'])).stdout).toBe('7 unchanged\n');
  });

  it('reports an error of the commit or of the folder', async () => {
    commit();
    const unknown = await invoke(['diff', apps, '--against', 'nothing']);
    expect(unknown).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining("'nothing' names no commit of "),
    });
    expect(unknown.stderr).toContain('fetch-depth: 0');
    const outside = mkdtempSync(join(tmpdir(), 'render-rgd-outside-'));
    const elsewhere = await invoke(['diff', apps, outside, '--against', 'HEAD']);
    rmSync(outside, { recursive: true });
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('is not in the repository') });
    rmSync(join(folder, '.git'), { recursive: true });
    const none = await invoke(['diff', apps, '--against', 'HEAD']);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a git repository') });
  });
});

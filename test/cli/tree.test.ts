import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeTree } from '../../src/cli/tree/index.ts';
import { thisProcess } from '../../src/cli/write/workspace.ts';
import { type Invocation, invoke } from './invoke.ts';

const example = fileURLToPath(new URL('../../examples/collections/input', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-tree-'));
  cpSync(example, join(folder, 'in'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (path: string): string => join(folder, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');
const render = (...options: string[]): Promise<Invocation> =>
  invoke(['render', at('in'), '--output-dir', at('out'), ...options]);
const files = (below = 'out'): string[] =>
  readdirSync(at(below), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(at(below), join(entry.parentPath, entry.name)))
    .sort();
const LIST = '.render-rgd.sha256';

/** Leaves what a killed process leaves: its lock, and the files that it prepared. */
function leaveWorkspace(place: string): void {
  const [locked, moved] = [`${place}/lock/${'a'.repeat(32)}`, `${place}/${'b'.repeat(32)}`];
  for (const path of [locked, moved]) {
    mkdirSync(at(`${path}/files/web`), { recursive: true });
    writeFileSync(at(`${path}/files/web/configmap-left.yaml`), 'half');
    writeFileSync(at(`${path}/owner`), JSON.stringify({ ...thisProcess(), pid: spawnSync('true').pid }));
  }
}

describe('an output directory', () => {
  it('has a file for each object, with the content that is otherwise printed', async () => {
    const printed = await invoke(['render', at('in')]);
    const { code, stdout, stderr } = await render();
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('7 files written, 0 removed, 0 unchanged');
    expect(files()).toHaveLength(8);
    const texts = files()
      .filter((file) => file !== LIST)
      .map((file) => read(`out/${file}`));
    expect(texts.sort()).toEqual(printed.stdout.split(/^---\n/m).sort());
  });

  it('is not changed if nothing changed, including the times of files', async () => {
    await render();
    for (const file of files()) utimesSync(at(`out/${file}`), 1, 1);
    expect((await render()).stderr).toContain('0 files written, 0 removed, 7 unchanged');
    for (const file of files()) expect(statSync(at(`out/${file}`)).mtimeMs).toBe(1000);
  });

  it('loses files that are no longer rendered, and no other files', async () => {
    await render();
    const [own = ''] = files().filter((file) => file.includes('/'));
    const beside = `out/${own.split('/')[0]}/mine.yaml`;
    writeFileSync(at(beside), 'a: 1\n');
    writeFileSync(at('out/README.md'), 'mine');
    rmSync(at('in/books.yaml'));
    const refused = await render();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('error[empty-output]') });
    expect(existsSync(at(`out/${own}`))).toBe(true);
    expect(await render('--allow-empty')).toMatchObject({ code: 0 });
    expect(files()).toEqual([LIST, 'README.md', relative(at('out'), at(beside))].sort());
    rmSync(at(beside));
  });

  it('loses folders that become empty', async () => {
    await render('--layout', 'a/{namespace}/{kind}/{name}.yaml');
    await render();
    expect(existsSync(at('out/a'))).toBe(false);
    expect(files()).toHaveLength(8);
  });

  it('keeps an edited file unless --force is set', async () => {
    await render();
    const [own = ''] = files().filter((file) => file !== LIST);
    const before = read(`out/${own}`);
    writeFileSync(at(`out/${own}`), `${before}# mine\n`);
    expect(await render()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`error[tree-edited]: ${own} was`),
    });
    expect(read(`out/${own}`)).toBe(`${before}# mine\n`);
    expect(await render('--force')).toMatchObject({ code: 0 });
    expect(read(`out/${own}`)).toBe(before);
  });

  it('is compared with --check, which reports differences and writes nothing', async () => {
    expect(await render('--check')).toMatchObject({ code: 1, stdout: '' });
    expect(existsSync(at('out'))).toBe(false);
    await render();
    expect(await render('--check')).toEqual({ code: 0, stdout: '', stderr: '' });
    const [gone = '', changed = ''] = files().filter((file) => file !== LIST);
    rmSync(at(`out/${gone}`));
    writeFileSync(at(`out/${changed}`), 'a: 1\n');
    const { code, stderr } = await render('--check');
    expect(code).toBe(1);
    expect(stderr).toContain(`error[tree-stale]: ${gone} is missing`);
    expect(stderr).toContain(`error[tree-edited]: ${changed} was`);
    expect(existsSync(at(`out/${gone}`))).toBe(false);
  });

  it('contains JSON on request', async () => {
    await render('-o', 'json', '--layout', '{kind}-{name}.json');
    for (const file of files().filter((name) => name !== LIST))
      expect(() => JSON.parse(read(`out/${file}`))).not.toThrow();
    expect(files().every((file) => file === LIST || file.endsWith('.json'))).toBe(true);
  });

  it('contains CRDs on request', async () => {
    await render('--crds');
    const crds = files().filter((file) => file.startsWith('customresourcedefinition-'));
    expect(crds).toHaveLength(2);
    const { stdout } = await invoke(['render', at('in'), '--crds']);
    expect(stdout.match(/^kind: CustomResourceDefinition$/gm)).toHaveLength(2);
  });

  it('follows the folders of the input', async () => {
    mkdirSync(at('in/teams/a'), { recursive: true });
    const books = read('in/books.yaml');
    writeFileSync(at('in/teams/a/games.yaml'), books.replace('name: books', 'name: games'));
    await render('--layout', '{folder}/{instance}/{kind}-{name}.yaml');
    const folders = new Set(
      files()
        .filter((file) => file !== LIST)
        .map((file) => file.replace(/\/[^/]*$/, '')),
    );
    expect([...folders].sort()).toEqual(['books', 'teams/a/games']);
  });

  it('may be inside the input, and is not read', async () => {
    const inside = () => invoke(['render', at('in'), '--output-dir', at('in/rendered')]);
    await inside();
    const before = files('in/rendered');
    expect(await inside()).toMatchObject({ code: 0, stderr: expect.stringContaining('0 files written, 0 removed, 7') });
    expect(files('in/rendered')).toEqual(before);
    const { code, stderr } = await invoke(['render', at('in'), '--output-dir', at('in')]);
    expect(code).toBe(2);
    expect(stderr).toContain('give it a folder of its own');
  });

  it('is not changed if rendering fails', async () => {
    await render();
    const before = files().map((file) => read(`out/${file}`));
    writeFileSync(at('in/books.yaml'), read('in/books.yaml').replace('spec:', 'spec: {}\nunknown:'));
    expect((await render()).code).toBe(1);
    expect(files().map((file) => read(`out/${file}`))).toEqual(before);
  });

  it('is repaired after a run that was interrupted while it moved files', async () => {
    await render();
    const [own = '', other = ''] = files().filter((file) => file !== LIST);
    const [list, was, right] = [read(`out/${LIST}`), read(`out/${own}`), read(`out/${other}`)];
    // The previous run wrote another text; this run was interrupted after the first file.
    leaveWorkspace('out/.render-rgd.tmp');
    writeFileSync(at('out/.render-rgd.tmp/list'), list);
    writeFileSync(at(`out/${LIST}`), list.replace(/^[0-9a-f]{64}/gm, '0'.repeat(64)));
    rmSync(at(`out/${other}`));
    expect(await render()).toMatchObject({ code: 0, stderr: expect.stringContaining('1 file written') });
    expect([read(`out/${LIST}`), read(`out/${own}`), read(`out/${other}`)]).toEqual([list, was, right]);
    expect(existsSync(at('out/.render-rgd.tmp'))).toBe(false);
  });
});

describe('an output directory that does not exist', () => {
  const beside = (): string[] => readdirSync(folder).sort();

  it.each(['out', 'out/', 'a/b/out', `${'x'.repeat(255)}`])(
    'is complete, and nothing else is left: %s',
    async (path) => {
      await render();
      const expected = files().map((file) => read(`out/${file}`));
      rmSync(at('out'), { recursive: true });
      expect(await invoke(['render', at('in'), '--output-dir', at(path)])).toMatchObject({ code: 0 });
      expect(files(path).map((file) => read(join(path, file)))).toEqual(expected);
      expect(beside()).toEqual([path.split('/')[0], 'in'].sort());
      expect(readdirSync(join(at(path), '..')).filter((name) => name.startsWith('.'))).toEqual([]);
    },
  );

  it.each([
    ['the directory does not exist', () => undefined],
    ['the directory exists now', () => mkdirSync(at('out'))],
  ])('is written after a run that was killed: %s', async (_, make) => {
    leaveWorkspace('.out.render-rgd.tmp');
    make();
    expect((await render()).stderr).toContain('7 files written, 0 removed, 0 unchanged');
    expect(files()).toHaveLength(8);
    expect(beside()).toEqual(['in', 'out']);
    expect((await render()).stderr).toContain('0 files written, 0 removed, 7 unchanged');
  });

  it('is not made when writing fails', async () => {
    writeFileSync(at('file'), '');
    const { code, stderr } = await invoke(['render', at('in'), '--output-dir', at('file/out')]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('cannot write below') });
    expect(beside()).toEqual(['file', 'in']);
  });

  it('is not made by --check, which removes nothing either', async () => {
    mkdirSync(at('.out.render-rgd.tmp'));
    expect(await render('--check')).toMatchObject({ code: 1 });
    expect(beside()).toEqual(['.out.render-rgd.tmp', 'in']);
  });
});

describe('an output directory that exists', () => {
  it('keeps its folders with their mode, and files of others in them', async () => {
    await render();
    const [own = ''] = files().filter((file) => file.includes('/'));
    const top = own.split('/')[0] as string;
    rmSync(at('out'), { recursive: true });
    mkdirSync(at(`out/${top}`), { recursive: true, mode: 0o700 });
    const before = statSync(at(`out/${top}`));
    await render();
    const after = statSync(at(`out/${top}`));
    expect([after.ino, after.mode]).toEqual([before.ino, before.mode]);
    writeFileSync(at(`out/${top}/mine.txt`), 'mine');
    await render('--layout', `${top}/new/{kind}/{name}.yaml`);
    expect(read(`out/${top}/mine.txt`)).toBe('mine');
    const others = files().filter((file) => !file.startsWith(`${top}/new/`));
    expect(others).toEqual([LIST, `${top}/mine.txt`]);
    expect(files()).toHaveLength(9);
  });

  it('keeps an empty folder that it needs', async () => {
    mkdirSync(at('out/a'), { recursive: true, mode: 0o700 });
    const before = statSync(at('out/a'));
    await render('--layout', 'a/{kind}/{name}.yaml');
    expect(statSync(at('out/a'))).toMatchObject({ ino: before.ino, mode: before.mode });
    expect(files()).toHaveLength(8);
  });

  it('gets whole folders, and knows those of an interrupted run', async () => {
    await render('--layout', 'a/{kind}/{name}.yaml');
    const [list, all] = [read(`out/${LIST}`), files('out/a').map((file) => read(`out/a/${file}`))];
    // A run that was killed after it renamed the folder, before it wrote the list.
    leaveWorkspace('out/.render-rgd.tmp');
    writeFileSync(at('out/.render-rgd.tmp/list'), list);
    rmSync(at(`out/${LIST}`));
    expect((await render('--layout', 'b/{kind}/{name}.yaml')).stderr).toContain('7 files written, 7 removed');
    expect(existsSync(at('out/a'))).toBe(false);
    expect(files('out/b').map((file) => read(`out/b/${file}`))).toEqual(all);
    expect(files()).toHaveLength(8);
  });
});

describe('a write to an output directory stays inside it', () => {
  it.each(['../in/books.yaml', '/etc/hostname', '.git/config'])('with a list that names %s', async (path) => {
    mkdirSync(at('out'));
    writeFileSync(at(`out/${LIST}`), `${'0'.repeat(64)}  ${path}\n`);
    expect(await render()).toMatchObject({ code: 1, stderr: expect.stringContaining('error[tree-list]') });
    expect(await render('--force')).toMatchObject({ code: 0 });
    expect(existsSync(at('in/books.yaml'))).toBe(true);
  });

  it('with a link', async () => {
    await render();
    const [own = ''] = files().filter((file) => file.includes('/'));
    const top = own.split('/')[0] as string;
    cpSync(at(`out/${top}`), at('elsewhere'), { recursive: true });
    rmSync(at(`out/${top}`), { recursive: true });
    symlinkSync(at('elsewhere'), at(`out/${top}`));
    const before = files('elsewhere');
    expect(await render('--force', '--allow-empty')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${top}, which is a link, exists instead of a file`),
    });
    expect(files('elsewhere')).toEqual(before);
  });

  it.each([
    ['a link', (path: string) => symlinkSync('/etc/hostname', path)],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe or a device', (path: string) => void execFileSync('mkfifo', [path])],
  ])('and never replaces %s', async (kind, make) => {
    await render();
    const [own = ''] = files().filter((file) => file !== LIST);
    rmSync(at(`out/${own}`));
    make(at(`out/${own}`));
    expect(await render('--force')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${kind} exists instead of a file`),
    });
  });
});

describe('the options of an output directory', () => {
  it.each([
    [['--check'], '--check needs --output-dir DIR'],
    [['--force'], '--force needs --output-dir DIR'],
    [['--layout', 'x'], '--layout needs --output-dir DIR'],
    [['--output-dir', 'x', '--layout', '{kind}.yaml'], '--layout: a layout must contain {kind} and {name}'],
  ])('%j', async (options, fault) => {
    expect(await invoke(['render', at('in'), ...options])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(fault),
    });
  });

  it('are rejected if the directory is a file', async () => {
    writeFileSync(at('out'), '');
    expect(await render()).toMatchObject({ code: 1, stderr: expect.stringContaining('out is not a directory') });
  });
});

it('a bug is not reported as a folder that cannot be written', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const settings = { layout: '', output: 'yaml', outputDir: 1 } as unknown as Parameters<typeof writeTree>[1];
  expect(() =>
    writeTree([{ object } as unknown as Parameters<typeof writeTree>[0][number]], settings, () => false),
  ).toThrow(TypeError);
});

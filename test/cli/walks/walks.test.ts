import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '../../../src/cli/file-system.ts';
import { readFiles } from '../../../src/cli/files.ts';
import { checkChart, checkLinks } from '../../../src/cli/plugin/tree/chart.ts';
import { checkKustomization } from '../../../src/cli/plugin/tree/kustomization.ts';
import { findTests } from '../../../src/cli/test/case.ts';
import { Walk } from '../../../src/cli/walk.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { applicationsOf } from '../../../src/gitops/plan/discover/application-set.ts';
import { createRepositories } from '../../../src/gitops/plan/repository.ts';
import { application, filesOf, summaryOf } from '../../gitops/plan/repository.ts';
import { commitAll, git, pack, temporaryFolder, write } from '../git/repository.ts';
import { invoke } from '../invoke.ts';
import { walksIn } from './found.ts';
import { walks } from './walks.ts';

describe('the table of walks', () => {
  const found = ['src/cli', 'src/gitops'].flatMap(walksIn);

  it('has a row for each function that reads folders or objects of git, or calls itself', () => {
    const places = new Set(walks.map(({ place }) => place));
    expect(found.filter(({ place }) => !places.has(place))).toEqual([]);
  });

  it('has no row for another function, and no place twice', () => {
    const places = new Set(found.map(({ place }) => place));
    expect(walks.filter(({ place }) => !places.has(place))).toEqual([]);
    expect(walks.length).toBe(new Set(walks.map(({ place }) => place)).size);
  });

  it('finds a function that reads a folder, and those that call one another', () => {
    const folder = mkdtempSync(join(tmpdir(), 'render-rgd-found-'));
    try {
      const text =
        'function a() { return b(); }\nconst b = () => [1].map(a);\nfunction c() { return a(); }\nfunction d() { const e = () => e(); }\n';
      writeFileSync(join(folder, 'x.ts'), text);
      expect(walksIn(folder).map(({ place }) => place.slice(folder.length + 1))).toEqual([
        'x.ts a',
        'x.ts b',
        'x.ts d',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Depth of folders that exist in a repository of nobody. */
const DEEP = 110;
const deep = (levels: number, name = 'd'): string => Array.from({ length: levels }, () => name).join('/');

describe('a search of folders', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('reads so many entries, all folders together', () => {
    for (const name of ['a', 'b']) for (const file of ['1', '2', '3']) write(join(folder, name, file), '');
    const walk = new Walk(5);
    expect(walk.read(join(folder, 'a'), 0)).toHaveLength(3);
    expect(() => walk.read(join(folder, 'b'), 0)).toThrow(FileError);
  });

  it('enters so many levels', () => {
    expect(new Walk().read(folder, 100)).toEqual([]);
    expect(() => new Walk().read(folder, 101)).toThrow('nested more than 100 levels deep');
  });

  it('of golden tests ends in a deep tree, and follows no cycle of links', async () => {
    write(join(folder, deep(DEEP), 'test.yaml'), '');
    expect(() => findTests(folder)).toThrow(FileError);
    expect(await invoke(['test', folder])).toMatchObject({ code: 1, stderr: expect.stringContaining('levels deep') });
    const other = temporaryFolder();
    write(join(other, 'a/test.yaml'), '');
    symlinkSync('..', join(other, 'a/up'));
    expect(findTests(other)).toEqual({ folders: [join(other, 'a')], hidden: [] });
  });

  it('of packages ends in a deep tree, and reads each folder of doubling links once', () => {
    write(join(folder, deep(DEEP), 'p.yaml'), 'a: b\n');
    const reports = new Collector();
    expect(readFiles([folder], {}, reports)).toEqual([]);
    expect(reports.all.map(({ code }) => code)).toEqual(['budget-exceeded']);
    const other = temporaryFolder();
    const levels = 25;
    write(join(other, `l${levels}/p.yaml`), 'a: b\n');
    for (let level = 0; level < levels; level += 1) {
      mkdirSync(join(other, `l${level}`), { recursive: true });
      for (const name of ['a', 'b']) symlinkSync(`../l${level + 1}`, join(other, `l${level}`, name));
    }
    expect(readFiles([join(other, 'l0')], {}, new Collector())).toHaveLength(1);
  });
});

describe('the folder of a chart', () => {
  const all = (): boolean => true;
  let chart = '';
  beforeEach(() => {
    chart = realpathSync(temporaryFolder());
    write(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: c\nversion: 1.0.0\n');
  });
  const messages = (): string[] => {
    const reports = new Collector();
    expect(checkChart(chart, all, reports)).toBe(false);
    return reports.all.map(({ message }) => message);
  };

  it('has links that double at each level', () => {
    const levels = 25;
    write(join(chart, `l${levels}/x.yaml`), '');
    for (let level = 0; level < levels; level += 1) {
      mkdirSync(join(chart, `l${level}`), { recursive: true });
      for (const name of ['a', 'b']) symlinkSync(`../l${level + 1}`, join(chart, `l${level}`, name));
    }
    expect(messages()).toEqual([expect.stringContaining('counted through every link')]);
  });

  it('has a cycle of links', () => {
    mkdirSync(join(chart, 'a'));
    symlinkSync('..', join(chart, 'a/up'));
    expect(messages()).toEqual([expect.stringContaining('points to a folder that contains it')]);
  });

  it('has folders in one another', () => {
    mkdirSync(join(chart, deep(DEEP)), { recursive: true });
    const reports = new Collector();
    expect(checkLinks(chart, all, reports)).toBe(false);
  });

  it('has charts that depend on one another in a cycle', () => {
    const dependsOn = (path: string): string =>
      `apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies: [{name: c, version: 1.0.0, repository: "file://${path}"}]\n`;
    write(join(chart, 'Chart.yaml'), dependsOn('inner'));
    write(join(chart, 'inner/Chart.yaml'), dependsOn('..'));
    expect(checkChart(chart, all, new Collector())).toBe(true);
  });

  it.each([
    ['in one another', 12, 'more than 10 archives are in one another'],
    ['that unpack to very much', 0, 'Cannot create a Buffer larger'],
  ])('has archives %s', (_, levels, fault) => {
    let archive = tar('c/templates/x', Buffer.alloc(levels === 0 ? 200 * 1024 * 1024 : 10));
    for (let level = 0; level < levels; level += 1) archive = tar(`c/charts/${level}.tgz`, archive);
    mkdirSync(join(chart, 'charts'));
    writeFileSync(join(chart, 'charts/c.tgz'), archive);
    expect(messages()).toEqual([expect.stringContaining(fault)]);
  });

  it('has many archives that unpack to very much together', () => {
    const archive = tar('c/templates/x', Buffer.alloc(50 * 1024 * 1024));
    mkdirSync(join(chart, 'charts'));
    for (const name of ['a', 'b', 'c']) writeFileSync(join(chart, `charts/${name}.tgz`), archive);
    expect(messages()).toHaveLength(1);
  });
});

/** Returns a packed archive with one file. */
function tar(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write('0', 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const rest = Buffer.alloc((512 - (content.length % 512)) % 512);
  return gzipSync(Buffer.concat([header, content, rest, Buffer.alloc(1024)]), { level: 1 });
}

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';
const base = { 'base/kustomization.yaml': 'resources: [c.yaml]\n', 'base/c.yaml': CONFIG };
/** The file that all kustomizations read in the end. */
const CHANGED = 'base/c.yaml';

/** Kustomizations by their folders, each of which lists the next two. */
function doubling(levels: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let level = 0; level < levels; level += 1)
    for (const name of ['a', 'b']) {
      const last = name === 'a' ? '[../base]' : '[]';
      const next = level === levels - 1 ? last : `[../a${level + 1}, ../b${level + 1}]`;
      files[`${name}${level}/kustomization.yaml`] = `resources: ${next}\n`;
    }
  return { ...files, ...base };
}

function chained(length: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let index = 0; index <= length; index += 1) {
    const next = index === length ? '[../base]' : `[../k${index + 1}]`;
    files[`k${index}/kustomization.yaml`] = `resources: ${next}\n`;
  }
  return { ...files, ...base };
}

describe('kustomizations', () => {
  const planned = (files: Record<string, string>, path: string): string[] => {
    const before = { ...files, 'app.yaml': application('one', `{ path: ${path} }`) };
    return summaryOf(before, { ...before, [CHANGED]: `${CONFIG}data: {a: b}\n` });
  };
  const checked = (files: Record<string, string>, path: string): string[] => {
    const folder = realpathSync(temporaryFolder());
    for (const [name, text] of Object.entries(files)) write(join(folder, name), text);
    const reports = new Collector();
    checkKustomization(join(folder, path), { within: () => true, remote: false }, reports);
    return reports.all.map(({ message }) => message);
  };

  it('that list the next two are read once each', () => {
    expect(planned(doubling(40), 'a0')).toEqual(['one: it lists ConfigMap c twice']);
    expect(checked(doubling(40), 'a0')).toEqual([]);
  });

  it('in a long chain are rejected', () => {
    expect(planned(chained(90), 'k0')).toEqual(['one: ~ConfigMap/c']);
    expect(planned(chained(120), 'k0')[0]).toContain('nested more than 100 levels deep');
    expect(checked(chained(120), 'k0')).toEqual([expect.stringContaining('nested more than 100 levels deep')]);
  });

  it('in a cycle are rejected', () => {
    const files = {
      'a/kustomization.yaml': 'resources: [../b]\n',
      'b/kustomization.yaml': 'resources: [../a, ../base]\n',
      ...base,
    };
    expect(planned(files, 'a')[0]).toContain('lists itself');
    expect(checked(files, 'a')).toEqual([]);
  });

  /** The answers of kustomize v5.8.2 to a folder with these entries. */
  const LISTED_TWICE: readonly (readonly [entries: string, isBuilt: boolean])[] = [
    ['[base, base]', false],
    ['[base, ./base/]', false],
    ['[base, linked]', false],
    ['[c.yaml, c.yaml]', false],
    ['[base, c.yaml]', false],
    ['[over, other]', false],
    ['[empty, empty, base]', true],
    ['[comment.yaml, comment.yaml, base]', true],
    ['[overEmpty, otherEmpty, base]', true],
  ];
  const layout: Record<string, string> = {
    'base/kustomization.yaml': 'resources: [c.yaml]\n',
    'base/c.yaml': CONFIG,
    'c.yaml': CONFIG,
    'comment.yaml': '# nothing\n',
    'empty/kustomization.yaml': 'resources: []\n',
    'over/kustomization.yaml': 'resources: [../base]\n',
    'other/kustomization.yaml': 'resources: [../base]\n',
    'overEmpty/kustomization.yaml': 'resources: [../empty]\n',
    'otherEmpty/kustomization.yaml': 'resources: [../empty]\n',
  };
  it.each(LISTED_TWICE)('that list something twice are rejected as by kustomize: %s', (entries, isBuilt) => {
    const texts = { ...layout, 'kustomization.yaml': `resources: ${entries}\n` };
    const placed = Object.fromEntries(Object.entries(texts).map(([path, text]) => [`k/${path}`, text]));
    const before = { ...placed, 'app.yaml': application('one', '{ path: k }') };
    const withLink = (more: Record<string, string>) => {
      const files = filesOf({ ...before, ...more });
      const paths = [...files.paths, 'k/linked'].sort();
      return { ...files, paths, links: new Map([['k/linked', 'k/base']]) };
    };
    const [summary] = summaryOf(
      withLink({}),
      withLink({ 'k/base/c.yaml': `${CONFIG}data: {a: b}\n`, 'k/c.yaml': CONFIG }),
    );
    expect(summary).toContain(isBuilt ? '~ConfigMap/c' : 'twice');
  });

  const kustomize = spawnSync('kustomize', ['version'], { encoding: 'utf8' });
  it.skipIf(kustomize.status !== 0).each(LISTED_TWICE)(
    'has the recorded answer of kustomize: %s',
    (entries, isBuilt) => {
      const folder = temporaryFolder();
      for (const [path, text] of Object.entries(layout)) write(join(folder, path), text);
      write(join(folder, 'kustomization.yaml'), `resources: ${entries}\n`);
      symlinkSync('base', join(folder, 'linked'));
      expect(spawnSync('kustomize', ['build', folder]).status === 0).toBe(isBuilt);
    },
  );
});

describe('applications', () => {
  it('that declare the next one in a file are all found', () => {
    const files: Record<string, string> = { 'app.yaml': application('a', '{ path: f0 }') };
    for (let index = 0; index < 30; index += 1)
      files[`f${index}/app.yaml`] = application(`a${index}`, `{ path: f${index + 1} }`);
    const summaries = summaryOf(files, { ...files, 'f0/app.yaml': application('other', '{ path: f1 }') });
    expect(summaries).toContain('other: +Application/a1');
  });

  it('of Flux that apply themselves, with another name each time, have an end', () => {
    const source =
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: g, namespace: flux}\nspec: {url: "https://h/x"}\n';
    const own = (name: string, next: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: "${name}", namespace: flux}\nspec: {path: ./k, interval: 10m, prune: true, sourceRef: {kind: GitRepository, name: g}, postBuild: {substitute: {name: "${next}"}}}\n`;
    const files = {
      'apps.yaml': `${source}---\n${own('first', 'a')}`,
      'k/own.yaml': own('k-${name}', '${name}a'),
    };
    const summaries = summaryOf(files, { ...files, 'k/c.yaml': CONFIG });
    expect(summaries.length).toBeLessThan(100);
    expect(summaries.join('\n')).toContain('declare one another on the way to it');
  });

  it('of an artifact of itself have an end', () => {
    const files = {
      'apps.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: flux}\nspec: {path: ./k, interval: 10m, prune: true, sourceRef: {kind: ExternalArtifact, name: a}}\n---\napiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: {name: g, namespace: flux}\nspec: {sources: [{alias: x, kind: ExternalArtifact, name: a}], artifacts: [{name: a, copy: [{from: "@x/**", to: "@artifact/"}]}]}\n`,
      'k/c.yaml': CONFIG,
    };
    expect(() => summaryOf(files, { ...files, 'k/c.yaml': `${CONFIG}data: {a: b}\n` })).not.toThrow();
  });

  it('of a matrix of large lists are not rendered', () => {
    const elements = (name: string): string[] => Array.from({ length: 3000 }, (_, index) => `${name}${index}`);
    const listOf = (name: string) => ({ list: { elements: elements(name).map((one) => ({ [name]: one })) } });
    const set = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'set', namespace: 'argocd' },
      spec: {
        generators: [{ matrix: { generators: [listOf('a'), listOf('b')] } }],
        template: { metadata: { name: '{{a}}-{{b}}' }, spec: { source: { repoURL: 'https://h/x', path: 'f' } } },
      },
    };
    const repository = createRepositories()(filesOf({}));
    expect(() => applicationsOf(set, { repository, urls: [], tags: new Set() })).toThrow('take too much');
  });

  it.each([
    ['are in one another', `${'${a:-'.repeat(5000)}x${'}'.repeat(5000)}`, 'are in one another'],
    ['write each other many times', '${a//x/${a}${a}${a}}', 'write more than'],
    ['are long and used often', '${a}'.repeat(2000), 'write more than'],
  ])('with variables that %s are not rendered', (_, text, fault) => {
    const files = {
      'apps.yaml': `apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: g, namespace: flux}\nspec: {url: "https://h/x"}\n---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: flux}\nspec: {path: ./k, interval: 10m, prune: true, sourceRef: {kind: GitRepository, name: g}, postBuild: {substitute: {a: "${'x'.repeat(50_000)}"}}}\n`,
      'k/c.yaml': `${CONFIG}data: {a: "${text}"}\n`,
    };
    const [summary] = summaryOf(files, { ...files, 'k/d.yaml': CONFIG.replace('name: c', 'name: d') });
    expect(summary).toContain(fault);
  });
});

describe('a commit', () => {
  let root = '';
  beforeEach(() => {
    root = join(temporaryFolder(), 'checkout');
    write(join(root, 'p.yaml'), pack('old'));
    git(dirname(root), ['init', '-q', '-b', 'main', root]);
    commitAll(root);
  });

  const storedBlob = (content: string): string => {
    const bytes = Buffer.from(`blob ${content.length}\0${content}`);
    const hash = createHash('sha1').update(bytes).digest('hex');
    const file = join(root, '.git/objects', hash.slice(0, 2), hash.slice(2));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, deflateSync(bytes, { level: 1 }));
    return hash;
  };
  const tree = (entries: readonly string[]): string => git(root, ['mktree'], entries.join('')).trim();
  const large = (mark: number): string => `# ${mark} ${'x'.repeat(1_000_000)}\n`;
  const tooMuch = { code: 1, text: expect.stringContaining('268435456 bytes') };

  it.each(['diff', 'compat', 'plan'])('that repeats one file in many trees is not read: %s', async (command) => {
    let hash = tree([`100644 blob ${storedBlob(large(0))}\ta.yaml\n`]);
    for (let level = 0; level < 9; level += 1) hash = tree([`040000 tree ${hash}\ta\n`, `040000 tree ${hash}\tb\n`]);
    const commit = git(root, ['commit-tree', hash, '-m', 'x']).trim();
    const { code, stdout, stderr } = await invoke([command, root, '--against', commit]);
    expect({ code, text: stdout + stderr }).toMatchObject(tooMuch);
  });

  it('that has more bytes than git may print is not read', async () => {
    const names = Array.from(
      { length: 300 },
      (_, index) => `100644 blob ${storedBlob(large(index))}\tf${index}.yaml\n`,
    );
    const commit = git(root, ['commit-tree', tree(names), '-m', 'x']).trim();
    const { code, stdout, stderr } = await invoke(['diff', root, '--against', commit]);
    expect({ code, text: stdout + stderr }).toMatchObject(tooMuch);
  });
});

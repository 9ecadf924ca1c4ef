import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTree, type Files, type FileTree, readPath } from '../../../src/gitops/plan/files.ts';
import { isPinned, isSameRepository } from '../../../src/gitops/plan/repository.ts';
import { type Draw, sample } from '../../differential/draw.ts';

/** Files by path, and links with the texts that they have on disk. */
interface Layout {
  files: readonly string[];
  links: readonly (readonly [path: string, text: string])[];
}

const NAMES = ['a', 'b', 'c.yaml', 'd.yml', 'e.json', 'f.txt'];

const pathOf = (draw: Draw): string =>
  [...draw.times(0, 2, () => draw.pick(['a', 'b', 'dir'])), draw.pick(NAMES)].join('/');

function layoutOf(draw: Draw): Layout {
  const files = draw.times(1, 6, () => pathOf(draw));
  const links = draw.times(0, 3, () => {
    const path = `${draw.chance(50) ? 'dir/' : ''}link-${draw.int(1, 3)}${draw.chance(30) ? '.yaml' : ''}`;
    const target = draw.chance(70) ? draw.pick(files) : pathOf(draw);
    return [path, relative(dirname(path), draw.chance(40) ? dirname(target) : target) || '.'] as const;
  });
  return { files, links };
}

/** Writes what is possible of a layout, and returns its folder. A path may be a file and a folder: the first one counts. */
function written({ files, links }: Layout): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'render-rgd-tree-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const ifPossible = (write: () => void): void => {
    try {
      write();
    } catch {
      // Another file is in the way.
    }
  };
  for (const path of files) {
    ifPossible(() => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `text of ${path}`, { flag: 'wx' });
    });
  }
  for (const [path, text] of links) {
    ifPossible(() => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(text, join(root, path));
    });
  }
  return root;
}

/** The entries below a folder, without following links. */
function entriesBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? entriesBelow(root, path) : [path];
  });
}

function readFiles(root: string): Files {
  const paths = entriesBelow(root).sort();
  const links = paths.filter((path) => lstatSync(join(root, path)).isSymbolicLink());
  const targets = links.map(
    (path) => [path, join(dirname(path), readlinkSync(join(root, path))).replace(/\/$/, '')] as const,
  );
  return {
    paths,
    text: (path) =>
      paths.includes(path) && !links.includes(path) ? readFileSync(join(root, path), 'utf8') : undefined,
    links: new Map(targets.map(([path, target]) => [path, target === '.' ? '' : target])),
  };
}

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

// The file system is the judge.
describe('the files of a version', () => {
  const layouts = sample(layoutOf, 60, 11);

  const compare = (check: (tree: FileTree, root: string, path: string) => void): void => {
    for (const layout of layouts) {
      const root = written(layout);
      const files = readFiles(root);
      const tree = createTree(files);
      const known = [...files.paths, 'a', 'b', 'dir', 'none', 'dir/none', 'link-1', 'link-2', 'dir/link-1'];
      const behind = [...(files.links ?? new Map()).keys()].flatMap((link) => NAMES.map((name) => `${link}/${name}`));
      for (const path of [...known, ...behind]) check(tree, root, path);
    }
  };

  it('have the texts to which a path leads', () => {
    compare((tree, root, path) => {
      const stat = attempt(() => statSync(join(root, path)));
      const isFile = stat?.isFile() === true;
      expect([path, tree.has(path)]).toEqual([path, isFile]);
      expect(tree.text(path)).toBe(isFile ? readFileSync(join(root, path), 'utf8') : undefined);
    });
  });

  it('have the real path of what a path leads to', () => {
    compare((tree, root, path) => {
      const real = attempt(() => realpathSync(join(root, path)));
      if (real?.startsWith(`${root}/`)) expect(tree.real(path)).toBe(relative(root, real));
    });
  });

  it('know which paths are links', () => {
    compare((tree, root, path) => {
      const isLink = attempt(() => lstatSync(join(root, path)))?.isSymbolicLink() === true;
      expect([path, tree.isLink(path)]).toEqual([path, isLink]);
    });
  });

  it('are in folders, with the links to folders apart', () => {
    compare((tree, root, path) => {
      const entries = attempt(() => readdirSync(join(root, path), { withFileTypes: true }));
      if (entries === undefined) {
        expect([path, tree.folder(path)]).toEqual([path, undefined]);
        return;
      }
      const names = (is: (name: string, isLink: boolean) => boolean): string[] =>
        entries
          .filter((entry) => is(entry.name, entry.isSymbolicLink()))
          .map(({ name }) => name)
          .sort();
      const isFolder = (name: string): boolean =>
        attempt(() => statSync(join(root, path, name)))?.isDirectory() === true;
      const { files = [], folders = [], linked = [] } = tree.folder(path) ?? {};
      expect([path, [...files].sort(), [...folders].sort(), [...linked].sort()]).toEqual([
        path,
        names((name) => !isFolder(name)),
        names((name, isLink) => isFolder(name) && !isLink),
        names((name, isLink) => isFolder(name) && isLink),
      ]);
    });
  });
});

describe('the manifests at a path', () => {
  const texts: Readonly<Record<string, string>> = {
    'a.yaml': '',
    'b.txt': '',
    '.hidden.yaml': '',
    'sub/c.yml': '',
    'sub/d.json': '',
    'sub/.dot/e.yaml': '',
    'sub/node_modules/f.yaml': '',
    'golden/test.yaml': '',
    'golden/input.yaml': '',
    'golden/expected.yaml': '',
    'chart/Chart.yaml': '',
    'chart/values.yaml': '',
    'chart/templates/g.yaml': '',
  };
  const tree = createTree({ paths: Object.keys(texts).sort(), text: (path) => texts[path] });
  const at = (...args: [path: string, options?: Parameters<typeof readPath>[2]]): string[] =>
    readPath(tree, ...args).map(({ file }) => file);

  it('are those that all commands read', () => {
    expect(at('')).toEqual([
      'a.yaml',
      'chart/Chart.yaml',
      'chart/templates/g.yaml',
      'chart/values.yaml',
      'sub/c.yml',
      'sub/d.json',
    ]);
    expect(at('sub')).toEqual(['sub/c.yml', 'sub/d.json']);
    expect(at('golden')).toEqual(['golden/expected.yaml', 'golden/input.yaml', 'golden/test.yaml']);
    expect(at('a.yaml')).toEqual(['a.yaml']);
    expect(at('none')).toEqual([]);
    expect(readPath(tree, '').map(({ found }) => found)).toEqual([
      'folder',
      'folder',
      'chart',
      'folder',
      'folder',
      'folder',
    ]);
  });

  it('are fewer without some, or without folders', () => {
    expect(at('', { exclude: ['sub/*', 'a.yaml'] })).not.toEqual(expect.arrayContaining(['a.yaml']));
    expect(at('', { exclude: ['sub/**'] })).not.toContain('sub/c.yml');
    expect(at('sub', { exclude: ['c.yml'] })).toEqual(['sub/d.json']);
    expect(at('a.yaml', { exclude: ['a.yaml'] })).toEqual([]);
    expect(at('', { recurse: false })).toEqual(['a.yaml']);
  });

  it('are all of them for Argo CD', () => {
    expect(at('sub', { asArgoCd: true })).toEqual([
      'sub/.dot/e.yaml',
      'sub/c.yml',
      'sub/d.json',
      'sub/node_modules/f.yaml',
    ]);
    expect(at('', { asArgoCd: true })).toContain('golden/input.yaml');
    expect(at('', { asArgoCd: true, recurse: false })).toEqual(['.hidden.yaml', 'a.yaml']);
  });
});

describe('the URL of a repository', () => {
  const URL = 'https://git.example.com/team/repo';

  it.each([
    'https://git.example.com/team/repo.git',
    'https://git.example.com/team/repo/',
    'https://git.example.com/team/repo.git//',
    'HTTPS://git.example.com/Team/Repo',
    'http://git.example.com:8080/team/repo',
    'ssh://git@git.example.com/team/repo.git',
    'ssh://git@git.example.com:22/team/repo.git',
    'git@git.example.com:team/repo.git',
    'https://user:token@git.example.com/team/repo',
    ' https://git.example.com/team/repo ',
  ])('is the same as %j', (other) => {
    expect(isSameRepository(other, [URL])).toBe(true);
    expect(isSameRepository(URL, ['https://elsewhere.org/a', other])).toBe(true);
  });

  it.each([
    'https://git.example.com/team/repo2',
    'https://example.com/team/repo',
    'git@git.example.com:repo.git',
    'https://git.example.com/team/repo/sub',
  ])('is another one than %j', (other) => {
    expect(isSameRepository(other, [URL])).toBe(false);
  });

  it('matches if none of this repository is known', () => {
    expect(isSameRepository('https://elsewhere.org/a', [])).toBe(true);
  });
});

// https://argo-cd.readthedocs.io/en/stable/user-guide/tracking_strategies/: tags, versions and ranges of versions.
describe('a revision', () => {
  it.each([
    '0123abc',
    '0123456789abcdef0123456789abcdef01234567',
    'refs/tags/any',
    'v1.2.3',
    '1.2.3',
    '1.2',
    '1',
    'v1.*',
    '1.x',
    '^1.2',
    '~1.2.3',
    '>=1.2',
    '>= 1.2 < 2',
    '1.2.3-rc.1',
    '1.2.3+build',
    '*',
    'release',
  ])('is pinned: %s', (revision) => {
    expect(isPinned(revision, new Set(['release']))).toBe(true);
  });

  it.each(['main', 'HEAD', '', 'release', 'release-1.2', 'refs/heads/main', 'v', '012abc', '0123xyz', 'feature/1.2'])(
    'is not pinned: %j',
    (revision) => {
      expect(isPinned(revision)).toBe(false);
    },
  );
});

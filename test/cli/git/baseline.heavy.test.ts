import { existsSync, lstatSync, readFileSync, realpathSync, rmSync, type Stats, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readVersionsOf } from '../../../src/cli/git/versions.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { runs } from '../../properties/runs.ts';
import { commitAll, git, temporaryFolder, write } from './repository.ts';

const NAMES = [
  'a.yaml',
  'b.yaml',
  'é.yaml',
  'x y.json',
  'apps',
  'app',
  'ignored',
  'line\nbreak.yaml',
  '-dash.yaml',
  'q"uote',
];

interface Edit {
  path: readonly string[];
  edit: 'write' | 'link' | 'remove' | 'ignore' | 'crlf';
  content: string;
}

const edits = fc.array(
  fc.record<Edit>({
    path: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    edit: fc.constantFrom('write', 'write', 'write', 'link', 'remove', 'ignore', 'crlf'),
    content: fc.constantFrom(
      'a: b\n',
      'a: c\n',
      '',
      '../a.yaml',
      '..',
      'apps/b.yaml',
      'apps',
      '/etc/hosts',
      'é: "\u0000"',
      'ignored',
    ),
  }),
  { minLength: 2, maxLength: 12 },
);

/** Changes a working tree; an edit that the file system refuses changes nothing. */
function apply(root: string, { path, edit, content }: Edit): void {
  const file = join(root, ...path);
  try {
    if (edit === 'ignore') write(join(dirname(file), '.gitignore'), `${content}\n!/apps\n*.json\n`);
    else {
      // A path through a link would change another file, or one outside.
      if (existsSync(dirname(file)) && !realpathSync(dirname(file)).startsWith(realpathSync(root))) return;
      rmSync(file, { recursive: true, force: true });
      if (edit === 'write') write(file, content);
      if (edit === 'crlf') write(file, 'a: b\r\nc: d\r\n');
      if (edit === 'link') symlinkSync(content, file);
    }
  } catch {
    // A file stands where a folder is needed.
  }
}

const list = (output: string): string[] => output.split('\0').filter(Boolean).sort();

function linkStatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the text of a file; undefined for others, and for one outside of a folder. */
function textBelow(root: string, path: string): string | undefined {
  try {
    const real = realpathSync(join(root, path));
    if (!real.startsWith(`${realpathSync(root)}/`) || !statSync(real).isFile()) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(real));
  } catch {
    return undefined;
  }
}

describe('the versions of a repository', () => {
  it('are those of git, for random changes', () => {
    vi.stubEnv('HOME', temporaryFolder());
    fc.assert(
      fc.property(edits, edits, edits, fc.boolean(), (first, second, third, isSha256) => {
        const work = temporaryFolder();
        const root = join(work, 'r');
        git(work, ['init', '-q', '-b', 'main', ...(isSha256 ? ['--object-format=sha256'] : []), root]);
        for (const edit of first) apply(root, edit);
        const commit = commitAll(root);
        for (const edit of second) apply(root, edit);
        commitAll(root);
        for (const edit of third) apply(root, edit);
        const control = join(work, 'control');
        git(root, ['worktree', 'add', '-q', '--detach', control, commit]);
        const index = readFileSync(join(root, '.git/index'), 'hex');

        const versions = readVersionsOf(root, commit, new Collector());
        if (versions === undefined) throw new Error('not read');
        const { before, after, changed } = versions;
        expect(readFileSync(join(root, '.git/index'), 'hex')).toBe(index);

        const blobs = list(git(root, ['ls-tree', '-r', '-z', '--name-only', commit]));
        expect([...before.paths].sort()).toEqual(blobs);
        for (const path of blobs) expect([path, before.text(path)]).toEqual([path, textBelow(control, path)]);

        const tracked = list(git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']));
        const isThere = (path: string): boolean => {
          const stat = linkStatOf(join(root, path));
          if (
            !stat ||
            stat.isDirectory() ||
            realpathSync(dirname(join(root, path))) !== dirname(join(realpathSync(root), path))
          )
            return false;
          return (
            stat.isFile() ||
            (existsSync(join(root, path)) && `${realpathSync(join(root, path))}/`.startsWith(`${realpathSync(root)}/`))
          );
        };
        expect([...after.paths].sort()).toEqual([...new Set(tracked)].filter(isThere));
        for (const path of after.paths) expect([path, after.text(path)]).toEqual([path, textBelow(root, path)]);

        const isLink = (path: string): boolean =>
          [root, control].some((folder) => linkStatOf(join(folder, path))?.isSymbolicLink());
        const differing = list(
          git(root, ['-c', 'core.fileMode=false', 'diff', '-z', '--name-only', '--no-renames', commit]),
        );
        const fresh = list(git(root, ['ls-files', '-z', '--others', '--exclude-standard'])).filter(isThere);
        const expected = [...new Set([...differing, ...fresh])].filter((path) => !isLink(path)).sort();
        expect([...changed].filter((path) => !isLink(path)).sort()).toEqual(expected);
        // A link changes with what it leads to.
        for (const path of [...before.paths, ...after.paths]) {
          if (before.text(path) !== after.text(path)) expect(changed).toContain(path);
        }
      }),
      runs(4),
    );
  });
});

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { attempt } from '../../core/model/attempt.ts';
import { codeOf, folderMaker, messageOf } from '../file-system.ts';
import { type Follow, readEntries } from './links.ts';
import { findRepository } from './repository.ts';
import { GitError, git, inPart, type Repository, textFrom } from './run.ts';
import type { Tree } from './tree.ts';

/** A temporary folder with files of a commit. */
export interface Written {
  folder: string;
  remove(): void;
}

/**
 * Writes files of a commit into a new temporary folder. Each folder and file is created by this function, and links
 * come last, so that nothing is written through a link. A link leads straight to its target in the folder; a link that
 * leaves the repository is not written.
 * @throws {GitError}
 */
export function writeFiles(tree: Tree, paths: readonly string[], follow: Follow): Written {
  const [links, files] = [true, false].map((isLink) => paths.filter((path) => tree.get(path)?.isLink === isLink)) as [
    string[],
    string[],
  ];
  const contents = readEntries(files.flatMap((path) => tree.get(path) ?? []));
  const folder = mkdtempSync(join(process.getBuiltinModule('node:os').tmpdir(), 'render-rgd-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const makeFolder = folderMaker(folder);
  try {
    files.forEach((path, index) => {
      makeFolder(dirname(path));
      writeFileSync(join(folder, path), contents[index] as Buffer, { flag: 'wx' });
    });
    for (const path of links) makeFolder(dirname(path));
    for (const path of links) {
      const target = follow(path);
      if (target !== undefined) symlinkSync(posix.relative(dirname(path), target) || '.', join(folder, path));
    }
  } catch (error) {
    remove();
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new GitError(`two of its names are one on this file system: ${messageOf(error)}`);
  }
  return { folder, remove };
}

/** Returns the repository of a path and the commit of a name. @throws {GitError} */
export function commitOf(ref: string, path: string): { repository: Repository; hash: string } {
  const repository = inPart(`--against needs a git repository at ${path}`, () => findRepository(path, ref));
  // A name that starts with a dash would be an option without --end-of-options.
  const args = ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`];
  const commit = inPart(`--against: '${ref}' names no commit of ${repository.root}`, () =>
    git(repository, args, { hint: MORE_COMMITS }),
  );
  return { repository, hash: commit.toString().trim() };
}

/** Returns the short names of branches and tags; none outside of a repository. */
export function namesOfRefs(path: string): string[] {
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes'];
  const names = attempt(() => textFrom(findRepository(path, 'HEAD'), args), GitError);
  return names?.split('\n').filter(Boolean) ?? [];
}

/** What a clone with too few commits needs. */
export const MORE_COMMITS =
  'a checkout in CI often has one commit only: git fetch the branch first (actions/checkout: fetch-depth: 0)';

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type Collector, trusted } from '../../core/diagnostics/index.ts';
import { folderMaker } from '../file-system.ts';
import { type Follow, readEntries } from './links.ts';
import { findRepository } from './repository.ts';
import { type Fault, git, type Repository, textFrom } from './run.ts';
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
 */
export function writeFiles(tree: Tree, paths: readonly string[], follow: Follow): Written | Fault {
  const [links, files] = [true, false].map((isLink) => paths.filter((path) => tree.get(path)?.isLink === isLink)) as [
    string[],
    string[],
  ];
  const read = readEntries(files.flatMap((path) => tree.get(path) ?? []));
  if ('fault' in read) return read;
  const folder = mkdtempSync(join(process.getBuiltinModule('node:os').tmpdir(), 'render-rgd-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const makeFolder = folderMaker(folder);
  try {
    files.forEach((path, index) => {
      makeFolder(dirname(path));
      writeFileSync(join(folder, path), read.contents[index] as Buffer, { flag: 'wx' });
    });
    for (const path of links) makeFolder(dirname(path));
    for (const path of links) {
      const target = follow(path);
      if (target !== undefined) symlinkSync(posix.relative(dirname(path), target) || '.', join(folder, path));
    }
  } catch (error) {
    remove();
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return { fault: `two of its names are one on this file system: ${error.message}` };
  }
  return { folder, remove };
}

/** Returns the repository of a path and the commit of a name; `undefined`, and reported, without them. */
export function commitOf(
  ref: string,
  path: string,
  reports: Collector,
): { repository: Repository; hash: string } | undefined {
  const repository = findRepository(path, ref);
  if ('fault' in repository) return failed(`--against needs a git repository at ${path}: ${repository.fault}`, reports);
  // A name that starts with a dash would be an option without --end-of-options.
  const commit = git(repository, ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]);
  if ('fault' in commit) {
    return failed(`--against: '${ref}' names no commit of ${repository.root}: ${commit.fault}`, reports, MORE_COMMITS);
  }
  return { repository, hash: commit.output.toString().trim() };
}

/** Returns the short names of branches and tags; none outside of a repository. */
export function namesOfRefs(path: string): string[] {
  const repository = findRepository(path, 'HEAD');
  if ('fault' in repository) return [];
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes'];
  return textFrom(repository, args)?.split('\n').filter(Boolean) ?? [];
}

/** What a clone with too few commits needs. */
export const MORE_COMMITS =
  'a checkout in CI often has one commit only: git fetch the branch first (actions/checkout: fetch-depth: 0)';

export function failed(message: string, reports: Collector, hint?: string): undefined {
  reports.add({
    code: 'unreadable-file',
    message: trusted.error(message),
    path: [],
    ...(hint === undefined ? {} : { hint: trusted.error(hint) }),
  });
}

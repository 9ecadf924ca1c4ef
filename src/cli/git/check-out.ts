import { join, relative } from 'node:path';
import type { Collector } from '../../core/diagnostics/index.ts';
import { foldersFrom, isBelow } from '../../core/text/paths.ts';
import { slashed } from '../file-system.ts';
import { type Follow, readLinks } from './links.ts';
import { renamesSince } from './renames.ts';
import { inRepository } from './repository.ts';
import { GitError, inPart, reported } from './run.ts';
import { listTree, type Tree } from './tree.ts';
import { commitOf, type Written, writeFiles } from './write.ts';

/** Files of a commit, written into a separate folder. */
export interface Checkout extends Written {
  /** Returns the path in it for a path of the working tree; it need not exist. */
  at(path: string): string;
  /** Returns the displayed name of a path: `REF:path`. */
  nameOf(path: string): string;
}

/** The files that are read from a folder: see `readFiles`. */
const READ = /(^|\/)[^/]*\.(ya?ml|json)$/;

/**
 * Writes the YAML and JSON files that a commit has at some paths into a temporary folder, including links within the
 * repository. Does not change the working tree or the index. Returns `undefined`, and reports the error, if git fails.
 */
export const checkOut = (ref: string, paths: readonly string[], reports: Collector): Checkout | undefined =>
  reported(reports, () => {
    const { repository, hash } = commitOf(ref, paths[0] ?? '.');
    const { root } = repository;
    const given = paths.map((path) => inRepository(path, root));
    const outside = paths.find((_, index) => given[index] === undefined);
    if (outside !== undefined) throw new GitError(`--against: ${outside} is not in the repository ${root}`);
    const isOnWay = (path: string): boolean => given.some((one = '') => isBelow(one, path) || isBelow(path, one));
    const { entries } = inPart(`git cannot list the files of ${ref}`, () => listTree(repository, hash, isOnWay));
    const { follow } = inPart(`git cannot read the links of ${ref}`, () => readLinks(entries));
    const renames = renamesSince(root, entries);
    const earlier = (path: string): string => {
      const followed = follow(inRepository(path, root) ?? '');
      return followed === undefined ? OUTSIDE : renames(followed);
    };
    const wanted = readAt(entries, paths.map(earlier), follow);
    const written = inPart(`git cannot read the files of ${ref}`, () => writeFiles(entries, wanted, follow));
    const { folder } = written;
    return {
      ...written,
      at: (path) => join(folder, earlier(path)),
      nameOf: (path) => `${ref}:${slashed(relative(folder, path))}`,
    };
  });

/** A path that no commit has. */
const OUTSIDE = '.git';

/** Returns the files at or below some paths, and what the links below them lead to. */
function readAt(tree: Tree, wanted: readonly string[], follow: Follow): string[] {
  const found = new Set<string>();
  let next = new Set(wanted);
  while (next.size > 0) {
    const targets = new Set<string>();
    for (const [path, { isLink }] of tree) {
      const isIn = isLink || READ.test(path) ? foldersFrom(path).some((folder) => next.has(folder)) : next.has(path);
      if (found.has(path) || !isIn) continue;
      found.add(path);
      const target = isLink ? follow(path) : undefined;
      if (target !== undefined) targets.add(target);
    }
    next = targets;
  }
  return [...found];
}

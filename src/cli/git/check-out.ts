import { join, relative } from 'node:path';
import type { Collector } from '../../core/diagnostics/index.ts';
import { slashed } from '../file-system.ts';
import { type Follow, readLinks } from './links.ts';
import { renamesSince } from './renames.ts';
import { inRepository } from './repository.ts';
import { listTree, type Tree } from './tree.ts';
import { commitOf, failed, type Written, writeFiles } from './write.ts';

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
export function checkOut(ref: string, paths: readonly string[], reports: Collector): Checkout | undefined {
  const named = commitOf(ref, paths[0] ?? '.', reports);
  if (named === undefined) return undefined;
  const { repository, hash } = named;
  const { root } = repository;
  const given = paths.map((path) => inRepository(path, root));
  const outside = paths.find((_, index) => given[index] === undefined);
  if (outside !== undefined) return failed(`--against: ${outside} is not in the repository ${root}`, reports);
  const tree = listTree(repository, hash, (path) => given.some((one = '') => isOnWay(one, path)));
  if ('fault' in tree) return failed(`git cannot list the files of ${ref}: ${tree.fault}`, reports, tree.hint);
  const links = readLinks(tree.entries);
  if ('fault' in links) return failed(`git cannot read the links of ${ref}: ${links.fault}`, reports, links.hint);
  const renames = renamesSince(root, tree.entries);
  const earlier = (path: string): string => {
    const followed = links.follow(inRepository(path, root) ?? '');
    return followed === undefined ? OUTSIDE : renames(followed);
  };
  const written = writeFiles(tree.entries, readAt(tree.entries, paths.map(earlier), links.follow), links.follow);
  if ('fault' in written) return failed(`git cannot read the files of ${ref}: ${written.fault}`, reports, written.hint);
  const { folder } = written;
  return {
    ...written,
    at: (path) => join(folder, earlier(path)),
    nameOf: (path) => `${ref}:${slashed(relative(folder, path))}`,
  };
}

/** A path that no commit has. */
const OUTSIDE = '.git';

/** Returns the files at or below some paths, and what the links below them lead to. */
function readAt(tree: Tree, wanted: readonly string[], follow: Follow): string[] {
  const found = new Set<string>();
  let next = new Set(wanted);
  while (next.size > 0) {
    const targets = new Set<string>();
    for (const [path, { isLink }] of tree) {
      if (found.has(path) || !(next.has(path) || ((isLink || READ.test(path)) && isBelow(path, next)))) continue;
      found.add(path);
      const target = isLink ? follow(path) : undefined;
      if (target !== undefined) targets.add(target);
    }
    next = targets;
  }
  return [...found];
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.has('')) return true;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (folders.has(path.slice(0, at))) return true;
  }
  return false;
}

/** Reports whether a path is a prefix of the other one, or is inside it. */
const isOnWay = (one: string, other: string): boolean =>
  one === '' || one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

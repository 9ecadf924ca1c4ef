import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Collector } from '../../core/diagnostics/index.ts';
import { readBlobs } from './blobs.ts';
import { commitOf, failed } from './commit.ts';
import { listTree, type Tree } from './list.ts';
import { inRepository, slashed, targetOf } from './place.ts';
import { git } from './run.ts';

/** Files of a commit, written into a separate folder. */
export interface Checkout {
  /** The folder for the root of the repository. */
  folder: string;
  /** Returns the path in it for a path of the working tree; it need not exist. */
  at(path: string): string;
  /** Returns the displayed name of a path: `REF:path`. */
  nameOf(path: string): string;
  remove(): void;
}

/** The files that are read from a folder: see `readFiles`. */
const READ = /(^|\/)[^/]*\.(ya?ml|json)$/;

/**
 * Writes the YAML and JSON files that a commit has at some paths into a temporary folder, including links within the
 * repository. Does not change the working tree or the index, and runs no filter and no hook. Returns `undefined`, and
 * reports the error, if git fails.
 */
export function checkOut(ref: string, paths: readonly string[], reports: Collector): Checkout | undefined {
  const named = commitOf(ref, paths[0] ?? '.', reports);
  if (named === undefined) return undefined;
  const { root, hash } = named;
  const given = paths.map((path) => inRepository(path, root));
  const outside = paths.find((_, index) => given[index] === undefined);
  if (outside !== undefined) return failed(`--against: ${outside} is not in the repository ${root}`, reports);
  const tree = listTree(root, hash, '', given as string[]);
  if ('fault' in tree) return failed(`git cannot list the files of ${ref}: ${tree.fault}`, reports, tree.hint);
  const renames = renamesSince(root, hash, tree.entries);
  const earlier = (path: string): string => renames(inRepository(path, root) ?? '');
  const wanted = paths.map(earlier);
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const fault = write(tree.entries, wanted, folder);
    if (fault !== undefined) {
      remove();
      return failed(`git cannot read the files of ${ref}: ${fault}`, reports);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    folder,
    remove,
    at: (path) => join(folder, earlier(path)),
    nameOf: (path) => `${ref}:${slashed(relative(folder, path))}`,
  };
}

/**
 * Returns the path in a commit: follows files that were moved since, and folders whose files were all moved from one
 * other folder.
 */
function renamesSince(root: string, commit: string, entries: Tree): (path: string) => string {
  let moved: (readonly [from: string, to: string])[] | undefined;
  const all = (): (readonly [from: string, to: string])[] => {
    const answer = git(root, ['diff', '-z', '--name-status', '--find-renames', '--diff-filter=R', commit, '--']);
    const parts = 'fault' in answer ? [] : answer.output.toString().split('\0');
    return parts.flatMap((part, at) =>
      /^R\d+$/.test(part) ? [[parts[at + 1] ?? '', parts[at + 2] ?? ''] as const] : [],
    );
  };
  return (path) => {
    if (path === '' || [...entries.keys()].some((file) => file === path || file.startsWith(`${path}/`))) return path;
    moved ??= all();
    const from = new Set(
      moved.flatMap(([old, newer]) => {
        if (newer === path) return [old];
        const rest = newer.startsWith(`${path}/`) ? newer.slice(path.length) : undefined;
        return rest !== undefined && old.endsWith(rest) ? [old.slice(0, -rest.length)] : [];
      }),
    );
    const [only] = from;
    return from.size === 1 && only !== undefined ? only : path;
  };
}

/** Writes the requested files, and the targets of their links. Returns an error of git. */
function write(tree: Tree, wanted: readonly string[], folder: string): string | undefined {
  const done = new Set<string>();
  let next: readonly string[] = wanted;
  while (next.length > 0) {
    const named = new Set(next);
    const found = [...tree].filter(([path, { isLink }]) => {
      if (done.has(path)) return false;
      const isNamed = named.has(path);
      return isNamed || ((isLink || READ.test(path)) && isBelow(path, named));
    });
    for (const [path] of found) done.add(path);
    const read = readBlobs(found.map(([, entry]) => entry));
    if ('fault' in read) return read.fault;
    const targets: string[] = [];
    found.forEach(([path, { isLink }], index) => {
      const content = read.contents[index] as Buffer;
      const target = isLink ? targetOf(path, content.toString()) : undefined;
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      if (!isLink) writeFileSync(file, content);
      else if (target !== undefined) {
        symlinkSync(content.toString(), file);
        targets.push(target);
      }
    });
    next = targets;
  }
  return undefined;
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.has('')) return true;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (folders.has(path.slice(0, at))) return true;
  }
  return false;
}

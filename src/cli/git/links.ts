import { MAX_LINKS } from '../../core/model/limits.ts';
import { joinPath, parentOf, resolvePath } from '../../core/text/paths.ts';
import { GitError, readObjects } from './run.ts';
import type { Entry, Tree } from './tree.ts';

/** Returns the path of a file or folder with links followed; undefined outside of the repository. */
export type Follow = (path: string) => string | undefined;

/** Reads the links of a tree. Nothing is read from the file system, where a path could lead anywhere. @throws {GitError} */
export function readLinks(tree: Tree): { follow: Follow; outward: string | undefined } {
  const links = [...tree].filter(([, { isLink }]) => isLink);
  const contents = readEntries(links.map(([, entry]) => entry));
  const targets = new Map(links.map(([path], index) => [path, String(contents[index])]));
  return { follow: (path) => follow(path, targets), outward: outwardLink(targets) };
}

/**
 * Returns the first link whose text leaves the repository on its way, for which Argo CD rejects the repository: an
 * absolute one, or one with too many `..`.
 */
export function outwardLink(targets: Iterable<readonly [path: string, target: string]>): string | undefined {
  const leaves = ([path, target]: readonly [string, string]): boolean =>
    target.startsWith('/') || resolvePath(parentOf(path), target) === undefined;
  return [...targets]
    .filter(leaves)
    .map(([path]) => path)
    .sort()[0];
}

function follow(path: string, targets: ReadonlyMap<string, string>): string | undefined {
  const rest = path.split('/').reverse();
  let links = 0;
  let at = '';
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (at === '') return undefined;
      at = parentOf(at);
      continue;
    }
    const next = joinPath(at, name);
    const target = targets.get(next);
    if (target === undefined) at = next;
    else {
      links += 1;
      if (links > MAX_LINKS || target.startsWith('/') || target.includes('\0')) return undefined;
      for (const part of target.split('/').reverse()) rest.push(part);
    }
  }
  return at;
}

/** Returns the contents of files and links, in order: one call of git for each repository. @throws {GitError} */
export function readEntries(entries: readonly Entry[]): Buffer[] {
  const contents = new Map<string, Buffer>();
  for (const repository of new Set(entries.map((entry) => entry.repository))) {
    const own = entries.filter((entry) => entry.repository === repository);
    const read = readObjects(
      repository,
      own.map(({ hash }) => hash),
    );
    for (const [hash, { type, content }] of read) {
      if (type !== 'blob') throw new GitError(`${hash} is a ${type}, not a file`);
      contents.set(hash, content);
    }
  }
  return entries.map(({ hash }) => contents.get(hash) as Buffer);
}

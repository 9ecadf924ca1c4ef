import { dirname, join, posix, relative, resolve } from 'node:path';
import { type Collector, trusted } from '../../core/diagnostics/index.ts';
import type { Entry } from '../../core/ledger/index.ts';
import { attempt } from '../../core/model/attempt.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { allowance, MAX_READ_BYTES, MAX_WRITTEN_BYTES, spend } from '../../core/model/limits.ts';
import { isOther } from '../../core/text/manifests.ts';
import { foldersFrom, isBelow } from '../../core/text/paths.ts';
import { isNotRead } from '../compared-files.ts';
import {
  codeOf,
  FileError,
  ifPossible,
  linkStatOf,
  readFault,
  readRegularFile,
  realPath,
  slashed,
} from '../file-system.ts';
import { haveObjects, TOOL_FOLDERS } from '../met-files.ts';
import { Walk } from '../walk.ts';
import { type Scratch, scratchFolder } from '../write/index.ts';
import { findRepository, GitError, git, inPart, inRepository, type Repository, reported, textFrom } from './run.ts';
import { type Follow, listTree, readEntries, readLinks, type Tree } from './tree.ts';

/**
 * Writes files of a commit into a new temporary folder. Each folder and file is created by this function, and links
 * come last, so that nothing is written through a link. A link leads straight to its target in the folder; a link that
 * leaves the repository is not written.
 * @throws {GitError}
 */
export function writeFiles(tree: Tree, paths: readonly string[], follow: Follow, limit?: number): Scratch {
  const [links, files] = [true, false].map((isLink) => paths.filter((path) => tree.get(path)?.isLink === isLink)) as [
    string[],
    string[],
  ];
  const entries = files.flatMap((path) => tree.get(path) ?? []);
  const contents = readEntries(entries, limit === undefined ? MAX_WRITTEN_BYTES : undefined);
  if (limit !== undefined) {
    const budget = allowance(limit);
    if (!contents.every((content) => spend(budget, content.length)))
      throw new GitError(`its files have more than ${limit} bytes, each as often as it is listed`);
  }
  const scratch = scratchFolder();
  try {
    files.forEach((path, index) => {
      scratch.writeFile(path, contents[index] as Buffer);
    });
    for (const path of links) scratch.makeFolder(dirname(path));
    for (const path of links) {
      const target = follow(path);
      if (target !== undefined) scratch.link(path, posix.relative(dirname(path), target) || '.');
    }
  } catch (error) {
    scratch.remove();
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new GitError(`two of its names are one on this file system: ${readFault(error)}`);
  }
  return scratch;
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

export function namesOfRefs(path: string): string[] {
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes'];
  const names = attempt(() => textFrom(findRepository(path, 'HEAD'), args), GitError);
  return names?.split('\n').filter(Boolean) ?? [];
}

/** What a clone with too few commits needs. */
export const MORE_COMMITS =
  'a checkout in CI often has one commit only: git fetch the branch first (actions/checkout: fetch-depth: 0)';

/** The files that are read from a folder: see `readFiles`. */
const MANIFEST_FILE = /(^|\/)[^/]*\.(ya?ml|json)$/;

/** A temporary folder with files of a commit. */
export interface CheckedOut extends Scratch {
  /** Returns the path in it for a path of the working tree; it need not exist. */
  at(path: string): string;
  /** Returns the name of a path in it for people. */
  nameOf(path: string): string;
  root: string;
  /**
   * Returns the outcomes of the files of the working tree, compared with the commit: one that nobody read and that is the
   * same there is unaffected, and one that only the commit has is added.
   */
  outcomes(met: readonly Entry[]): Entry[];
}

/** Writes the YAML and JSON files of a commit at some paths, and links, to a temporary folder; reports errors. */
export const checkOut = (ref: string, paths: readonly string[], reports: Collector): CheckedOut | undefined =>
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
    const written = inPart(`git cannot read the files of ${ref}`, () =>
      writeFiles(entries, wanted, follow, MAX_READ_BYTES),
    );
    const { folder } = written;
    return {
      ...written,
      at: (path: string) => join(folder, earlier(path)),
      nameOf: (path: string) => (path.startsWith(folder) ? `${ref}:${slashed(relative(folder, path))}` : path),
      root,
      outcomes: (met: readonly Entry[]) =>
        outcomesOf(met, entries, { root, ref, given: given.flatMap((one) => one ?? []) }),
    };
  });

interface CommitPaths {
  root: string;
  ref: string;
  /** The paths that are compared, from the root. */
  given: readonly string[];
}

function outcomesOf(met: readonly Entry[], tree: Tree, { root, ref, given }: CommitPaths): Entry[] {
  const known = new Set<string>();
  const own = met.map((entry): Entry => {
    const path = slashed(relative(root, realPath(entry.file ?? '') ?? resolve(entry.file ?? '')));
    known.add(path);
    if (!isNotRead(entry)) return entry;
    const content = ifPossible(() => readRegularFile(join(root, path)));
    const isSame = content !== undefined && tree.get(path)?.hash === blobHash(content, tree.get(path)?.hash ?? '');
    return isSame ? { ...entry, outcome: { is: 'unaffected' } } : entry;
  });
  const gone = [...tree].filter(
    ([path, { isLink }]) =>
      !isLink && !known.has(path) && linkStatOf(join(root, path)) === undefined && isUnread(path, given),
  );
  const contents = readEntries(gone.map(([, entry]) => entry));
  /** Equal files are looked at once. */
  const seemsToHaveObjects = onceFor(haveObjects);
  const lost = gone.flatMap(([path], index): Entry[] => {
    const content = contents[index];
    if (content === undefined || !seemsToHaveObjects(content)) return [];
    const title = trusted.file(`${ref}:${path}`);
    return [{ unit: 'file', file: title, title, kind: title, outcome: { is: 'unseen', why: 'hidden' } }];
  });
  return [...own, ...lost];
}

/** Reports whether a walk of the given paths does not read a file because of its name, although it may have objects. */
function isUnread(path: string, given: readonly string[]): boolean {
  const above = given.filter((one) => isBelow(path, one));
  return above.some((one) => {
    const steps = path.slice(one.length).split('/');
    if (steps.some((step) => TOOL_FOLDERS.has(step)) || isOther(path)) return false;
    return !MANIFEST_FILE.test(path) || steps.some((step) => step.startsWith('.'));
  });
}

/** Returns the hash of a file as git computes it, with the algorithm of another hash. */
function blobHash(content: Buffer, other: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const algorithm = other.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
}

const OUTSIDE = '.git';

/** Returns the files at or below some paths, and what the links below them lead to. */
function readAt(tree: Tree, wanted: readonly string[], follow: Follow): string[] {
  const found = new Set<string>();
  let next = new Set(wanted);
  while (next.size > 0) {
    const targets = new Set<string>();
    for (const [path, { isLink }] of tree) {
      const isIn =
        isLink || MANIFEST_FILE.test(path) ? foldersFrom(path).some((folder) => next.has(folder)) : next.has(path);
      if (found.has(path) || !isIn) continue;
      found.add(path);
      const target = isLink ? follow(path) : undefined;
      if (target !== undefined) targets.add(target);
    }
    next = targets;
  }
  return [...found];
}

/** Files are compared if there are at most so many pairs, about as in git. */
const MOST_PAIRS = 1_000_000;
/** The most lines that are compared: those of all older files, for each newer one. */
const MOST_LINES = 20_000_000;

/** The share of its bytes that a moved file has in common with the older one, as in git. */
const SIMILAR = 0.5;

/** Follows files that were moved since, and folders whose files were all moved from one other folder. */
function renamesSince(root: string, tree: Tree): (path: string) => string {
  const known = new Set([...tree.keys()].flatMap(foldersFrom));
  return (path) => {
    if (path === '' || known.has(path)) return path;
    const from = new Set(
      movedTo(root, path, tree).flatMap(([old, newer]) => {
        if (newer === path) return [old];
        const rest = newer.slice(path.length);
        return old.endsWith(rest) ? [old.slice(0, -rest.length)] : [];
      }),
    );
    const [only] = from;
    return from.size === 1 && only !== undefined ? only : path;
  };
}

/** Returns the files of the commit that are gone, each with the most similar one at or below a path. */
function movedTo(root: string, path: string, tree: Tree): (readonly [old: string, newer: string])[] {
  const isThere = (file: string): boolean => linkStatOf(join(root, file)) !== undefined;
  const gone = [...tree].filter(([file, { isLink }]) => !isLink && MANIFEST_FILE.test(file) && !isThere(file));
  const fresh = (attempt(() => filesBelow(root, path), FileError) ?? []).filter((file) => !tree.has(file));
  if (gone.length === 0 || fresh.length === 0 || gone.length * fresh.length > MOST_PAIRS) return [];
  const contents = attempt(() => readEntries(gone.map(([, entry]) => entry)), GitError);
  const texts = readAll(fresh.map((file) => join(root, file)));
  if (contents === undefined || texts === undefined) return [];
  const old = gone.map(([file], index) => ({ file, lines: linesOf(contents[index] as Buffer) }));
  const compared = old.reduce((sum, { lines }) => sum + lines.counts.size, 0) * fresh.length;
  if (compared > MOST_LINES) return [];
  return fresh.flatMap((newer, index) => {
    const lines = linesOf(texts[index] as Buffer);
    const scored = old.map(({ file, lines: other }) => [file, similarity(other, lines)] as const);
    const [best] = scored.sort((a, b) => b[1] - a[1] || commonEnd(b[0], newer) - commonEnd(a[0], newer));
    return best !== undefined && best[1] >= SIMILAR ? [[best[0], newer] as const] : [];
  });
}

/** Returns the contents of files; undefined if they have more bytes together than a command reads. */
function readAll(files: readonly string[]): Buffer[] | undefined {
  const budget = allowance(MAX_READ_BYTES);
  if (!files.every((file) => spend(budget, linkStatOf(file)?.size ?? 0))) return undefined;
  return files.map((file) => readRegularFile(file));
}

/** @throws {FileError} if there are too many entries */
function filesBelow(root: string, path: string, level = 0, walk = new Walk()): string[] {
  const stat = linkStatOf(join(root, path));
  if (stat?.isFile()) return [path];
  if (!stat?.isDirectory()) return [];
  return walk
    .read(join(root, path), level)
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .filter((entry) => entry.isDirectory() || (entry.isFile() && MANIFEST_FILE.test(entry.name)))
    .flatMap((entry) => filesBelow(root, `${path}/${entry.name}`, level + 1, walk));
}

interface Lines {
  size: number;
  counts: ReadonlyMap<string, number>;
}

function linesOf(content: Buffer): Lines {
  const counts = new Map<string, number>();
  for (const line of content.toString('latin1').split(/(?<=\n)/)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return { size: content.length, counts };
}

/** Returns the bytes of common lines, as a share of the larger file. */
function similarity(one: Lines, other: Lines): number {
  const larger = Math.max(one.size, other.size);
  if (larger === 0 || Math.min(one.size, other.size) < larger * SIMILAR) return 0;
  let common = 0;
  for (const [line, count] of one.counts) common += line.length * Math.min(count, other.counts.get(line) ?? 0);
  return common / larger;
}

function commonEnd(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

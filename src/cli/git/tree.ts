import { join } from 'node:path';
import {
  allowance,
  MAX_LINKS,
  MAX_PATH_BYTES,
  MAX_PATHS_BYTES,
  MAX_WALK_ENTRIES,
  MAX_WALK_LEVELS,
  spend,
} from '../../core/model/limits.ts';
import { clipped as clippedTo } from '../../core/text/clip.ts';
import { joinPath, parentOf, resolvePath } from '../../core/text/paths.ts';
import { GitError, type GitObject, inPart, type Repository, readObjects, submoduleAt } from './run.ts';

export interface Entry {
  isLink: boolean;
  hash: string;
  /** The repository that contains it: a submodule is a separate one. */
  repository: Repository;
}

export type Tree = ReadonlyMap<string, Entry>;

export const FETCH = "'git submodule update --init --recursive' fetches the commits of submodules";

export interface Listed {
  entries: Tree;
  /** The commits of other submodules by their paths. */
  skipped: ReadonlyMap<string, string>;
}

/** Files and links of a commit, and of submodules that `enters`. @throws {GitError} for names that git refuses */
export function listTree(
  repository: Repository,
  commit: string,
  enters: (path: string) => boolean,
  prefix = '',
): Listed {
  const found = readObjects(repository, [commit]).get(commit);
  const top = /^tree ([0-9a-f]+)\n/.exec(found?.content.toString('latin1') ?? '')?.[1];
  if (top === undefined) throw new GitError(`${commit} is not a commit`);
  const trees = readTrees(repository, top);
  const entries = new Map<string, Entry>();
  const submodules: [path: string, hash: string][] = [];
  const visits = allowance(MAX_WALK_ENTRIES);
  const lengths = allowance(MAX_PATHS_BYTES);
  const visit = (hash: string, folder: string, level: number): void => {
    if (level > MAX_WALK_LEVELS)
      throw new GitError(`${clipped(folder)} is nested more than ${MAX_WALK_LEVELS} levels deep`);
    const above = Buffer.byteLength(folder);
    for (const { type, name, hash: child } of trees.get(hash) ?? []) {
      const length = above + Buffer.byteLength(name);
      if (length > MAX_PATH_BYTES)
        throw new GitError(`the path ${clipped(folder)} is longer than ${MAX_PATH_BYTES} bytes`);
      if (!spend(visits, 1)) throw new GitError(`it has more than ${MAX_WALK_ENTRIES} files and folders`);
      if (!spend(lengths, length)) throw new GitError(`its paths have more than ${MAX_PATHS_BYTES} bytes`);
      const path = folder + name;
      if (type === 'commit') submodules.push([path, child]);
      else if (type === 'tree') visit(child, `${path}/`, level + 1);
      else entries.set(path, { isLink: type === 'link', hash: child, repository });
    }
  };
  visit(top, prefix, 0);
  const skipped = new Map(submodules.filter(([path]) => !enters(path)));
  for (const [path, hash] of submodules.filter(([path]) => enters(path))) {
    const inner = submoduleAt(join(repository.root, path.slice(prefix.length)), repository);
    const below = inPart(
      `the submodule ${path}`,
      () => {
        if (inner === undefined) throw new GitError('it is not checked out');
        return listTree(inner, hash, enters, `${path}/`);
      },
      FETCH,
    );
    for (const [file, entry] of below.entries) entries.set(file, entry);
    for (const [other, commit] of below.skipped) skipped.set(other, commit);
  }
  return { entries, skipped };
}

/** Reads all trees below one, each once, in one call of git for each level. @throws {GitError} */
function readTrees(repository: Repository, top: string): ReadonlyMap<string, readonly TreeEntry[]> {
  const trees = new Map<string, readonly TreeEntry[]>();
  let next: readonly string[] = [top];
  for (let level = 0; next.length > 0 && level <= MAX_WALK_LEVELS; level += 1) {
    const read = readObjects(repository, next);
    for (const [hash, object] of read) {
      const parsed = parseTree(object, hash.length / 2);
      if (typeof parsed === 'string') throw new GitError(`git does not check out its tree ${hash}: ${parsed}`);
      trees.set(hash, parsed);
    }
    const below = [...read.keys()].flatMap((hash) => trees.get(hash) ?? []);
    next = [...new Set(below.flatMap(({ type, hash }) => (type === 'tree' && !trees.has(hash) ? hash : [])))];
  }
  return trees;
}

const LONGEST_NAME = 100;
const clipped = (path: string): string => clippedTo(path, LONGEST_NAME);

interface TreeEntry {
  type: 'tree' | 'file' | 'link' | 'commit';
  name: string;
  hash: string;
}

const TYPES: Readonly<Record<number, TreeEntry['type']>> = { 4: 'tree', 10: 'file', 12: 'link', 16: 'commit' };

/** `MODE NAME\0HASH` for each entry, the hash as bytes. Returns why it is refused, or the entries. */
function parseTree({ type, content }: GitObject, bytes: number): readonly TreeEntry[] | string {
  if (type !== 'tree') return `it is a ${type}`;
  const entries: TreeEntry[] = [];
  const names = new Set<string>();
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(0, at);
    const [, mode = '', name = ''] = /^([0-7]+) (.*)$/s.exec(content.subarray(at, end).toString()) ?? [];
    const entryType = TYPES[Number(mode.slice(0, -4))];
    at = end + 1 + bytes;
    if (end < 0 || at > content.length || entryType === undefined) return `'${name}' is malformed`;
    const fault = names.has(name) ? 'the name occurs twice' : faultInName(name, entryType === 'link');
    if (fault !== undefined) return `'${name}': ${fault}`;
    names.add(name);
    entries.push({ type: entryType, name, hash: content.toString('hex', at - bytes, at) });
  }
  return entries;
}

/** File systems allow 255. */
const MOST_CHARACTERS = 1024;

/** Characters that HFS+ ignores in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Names of Windows: of a device, with a stream, or with an end that it drops. */
const OF_WINDOWS = /[\\:*?"<>|\p{Cc}]|[ .]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu;

/** Names of .git and .gitmodules on NTFS. */
const GIT = /^(\.git|git~1)([ .]*\\.*)?$/su;
const GITMODULES = /^(\.gitmodules|gitmod~[1-4]|(?=.{8}$)g(i(7(e(ba?)?)?)?)?~[1-9]\d*)$/;

/** Returns why git does not check out an entry of a tree with this name; undefined if it does. */
export function faultInName(name: string, isLink: boolean): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'it is no name of a file';
  if (name.includes('/')) return 'it contains a slash';
  if (process.platform === 'win32' && OF_WINDOWS.test(name)) return 'Windows has no such names';
  if (name.length > MOST_CHARACTERS) return 'it is longer than the names of any file system';
  const onHfs = name.replace(IGNORED, '').toLowerCase();
  // NTFS drops spaces and dots at the end, reads a stream after a colon, and has short names. A backslash separates.
  const onNtfs = name
    .toLowerCase()
    .split('\\')
    .map((_, index, parts) =>
      parts
        .slice(index)
        .join('\\')
        .replace(/(?<![ .])[ .]*(:.*)?$/su, ''),
    );
  if (onHfs === '.git' || onNtfs.some((one) => GIT.test(one))) return 'it stands for .git on some file systems';
  const isModules = onHfs === '.gitmodules' || onNtfs.some((one) => GITMODULES.test(one));
  return isLink && isModules ? 'a link cannot be .gitmodules' : undefined;
}

/** Returns the path of a file or folder with links followed; undefined outside of the repository. */
export type Follow = (path: string) => string | undefined;

/** Reads the links of a tree. Nothing is read from the file system, where a path could lead anywhere. @throws {GitError} */
export function readLinks(tree: Tree): { follow: Follow; outward: string | undefined } {
  const links = [...tree].filter(([, { isLink }]) => isLink);
  const contents = readEntries(links.map(([, entry]) => entry));
  // No system creates a link with a longer target: it leads nowhere.
  const targets = new Map(
    links.map(([path], index) => {
      const content = contents[index] as Buffer;
      return [path, content.length > MAX_PATH_BYTES ? '\0' : String(content)];
    }),
  );
  return { follow: (path) => follow(path, targets), outward: outwardLink(targets) };
}

/** The first absolute link, or with too many `..`, for which Argo CD rejects the repository. */
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
export function readEntries(entries: readonly Entry[], most?: number): Buffer[] {
  const contents = new Map<string, Buffer>();
  for (const repository of new Set(entries.map((entry) => entry.repository))) {
    const own = entries.filter((entry) => entry.repository === repository);
    const read = readObjects(
      repository,
      own.map(({ hash }) => hash),
      most,
    );
    for (const [hash, { type, content }] of read) {
      if (type !== 'blob') throw new GitError(`${hash} is a ${type}, not a file`);
      contents.set(hash, content);
    }
  }
  return entries.map(({ hash }) => contents.get(hash) as Buffer);
}

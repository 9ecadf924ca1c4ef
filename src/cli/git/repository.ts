import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { foldersFrom } from '../../core/text/paths.ts';
import { linkStatOf, realPath, slashed, statOf } from '../file-system.ts';
import { GitError, git, type Repository, textFrom } from './run.ts';

/** Returns the folder of a path that may no longer exist. */
function folderOf(path: string): string {
  const absolute = resolve(path);
  if (statOf(absolute)?.isDirectory()) return absolute;
  const parent = dirname(absolute);
  return parent === absolute ? absolute : folderOf(parent);
}

/** Returns a path and the folders above it, from the root of the file system. */
function waysTo(path: string): string[] {
  const parent = dirname(path);
  return [...(parent === path ? [] : waysTo(parent)), path];
}

/**
 * Returns the path from the root of the repository; '' for the root, undefined for a path outside. Links inside the
 * repository are not followed: those of a commit may lead elsewhere.
 */
export function inRepository(path: string, root: string): string | undefined {
  const absolute = resolve(path);
  const real = realPath(root) ?? root;
  const top = waysTo(absolute).find((folder) => realPath(folder) === real);
  if (top !== undefined) return slashed(relative(top, absolute));
  const folder = folderOf(absolute);
  const way = relative(real, resolve(realPath(folder) ?? folder, relative(folder, absolute)));
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : slashed(way);
}

/** A folder with `.git`. */
interface Candidate extends Omit<Repository, 'outermost'> {
  /** The folder that all working trees of the repository share, with links followed. */
  common: string;
  owner: number;
}

/**
 * Returns the repository of a path, from the outside in: the outermost folder with `.git` whose HEAD or `ref` has
 * something at the next one. A submodule therefore belongs to the repository around it, which records its commit; a
 * checkout that the repository around it does not track, and a further working tree of the same repository, stand for
 * themselves. A folder that only looks like a bare repository is none: a commit can contain one, but no `.git`.
 * @throws {GitError} if there is none
 */
export function findRepository(path: string, ref: string): Repository {
  const absolute = resolve(path);
  const named = candidatesAt(absolute);
  const folder = folderOf(absolute);
  const found = named.length > 0 ? named : candidatesAt(realPath(folder) ?? folder);
  const owner = found.at(-1)?.owner;
  // Another user may own a folder above, such as /tmp.
  const [outermost, ...inner] = found.filter((one) => one.owner === owner);
  if (outermost === undefined) throw new GitError(`no folder from ${folder} upwards contains .git`);
  let chosen = outermost;
  for (const next of inner) {
    const isTracked =
      next.common !== chosen.common &&
      tracks({ ...chosen, outermost: outermost.root }, ref, slashed(relative(chosen.root, next.root)));
    if (!isTracked) chosen = next;
  }
  return { root: chosen.root, gitDir: chosen.gitDir, outermost: outermost.root };
}

/** Returns the repository that is checked out as a submodule; undefined if the folder has no `.git`. */
export function submoduleAt(folder: string, { outermost }: Repository): Repository | undefined {
  const found = candidateAt(folder);
  return found && { ...found, outermost };
}

/** Returns the folders with `.git` from the root of the file system to a path. */
const candidatesAt = (path: string): Candidate[] => waysTo(path).flatMap((folder) => candidateAt(folder) ?? []);

function candidateAt(root: string): Candidate | undefined {
  const entry = join(root, '.git');
  const stat = statOf(entry);
  if (stat === undefined) return undefined;
  const gitDir = stat.isDirectory() ? entry : resolve(root, lineOf(entry).replace(/^gitdir: /, ''));
  const common = realPath(resolve(gitDir, lineOf(join(gitDir, 'commondir'))));
  const isComplete = common !== undefined && ['objects', 'refs'].every((name) => existsSync(join(common, name)));
  return isComplete && linkStatOf(join(gitDir, 'HEAD')) ? { root, gitDir, common, owner: stat.uid } : undefined;
}

const MOST_BYTES = 8192;

/** Returns the line of a small file; '' if it is none. */
function lineOf(file: string): string {
  const stat = statOf(file);
  return stat?.isFile() && stat.size <= MOST_BYTES ? readFileSync(file, 'utf8').replace(/[\r\n]+$/, '') : '';
}

/** Reports whether HEAD or a commit has a file, a folder or a submodule at a path, or a file or submodule above it. */
function tracks(repository: Repository, ref: string, path: string): boolean {
  const ways = foldersFrom(path).filter(Boolean);
  for (const name of new Set(['HEAD', ref])) {
    const commit = textFrom(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    if (commit === undefined) continue;
    const listed = git(repository, ['ls-tree', '-z', '--full-tree', commit, '--', ...ways]);
    const entries = listed.toString().split('\0').filter(Boolean);
    if (entries.some((entry) => !/^\d+ tree /.test(entry) || entry.endsWith(`\t${path}`))) return true;
  }
  return false;
}

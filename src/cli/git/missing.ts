import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { attempt } from '../../core/model/attempt.ts';
import { isBelow } from '../../core/text/paths.ts';
import {
  ifPossible,
  isInside,
  linkStatOf,
  namesIn,
  nearestAbove,
  readRegularText,
  realPath,
  slashed,
} from '../file-system.ts';
import { findRepository, GitError, textFrom } from './run.ts';

const MANIFEST = /\.(?:ya?ml|json)$/;

/**
 * Returns files and folders below some paths that Git knows, and that are not in the working tree: submodules that were
 * not fetched, and files that a sparse checkout leaves out. Git is only asked if a sparse checkout is set up.
 */
export function notCheckedOut(paths: readonly string[]): string[] {
  const roots = new Set(paths.flatMap((path) => nearestAbove(realPath(path) ?? resolve(path), '.git') ?? []));
  return [...roots].flatMap((root) => {
    const given = paths.map((path) => slashed(relative(root, realPath(path) ?? resolve(path))));
    const isGiven = (path: string): boolean => given.some((one) => isBelow(path, one));
    const missing = [...submodulesOf(root), ...sparseFilesOf(root)].filter(isGiven);
    return missing.map((path) => nameBelow(join(root, path), paths));
  });
}

/** Returns the name of a file as a walk of the given paths would have found it. */
function nameBelow(file: string, paths: readonly string[]): string {
  const above = paths.find((path) => isInside(file, realPath(path) ?? resolve(path)));
  return above === undefined ? relative('.', file) : join(above, relative(realPath(above) ?? resolve(above), file));
}

/** Returns the submodules of a repository that have no files. */
function submodulesOf(root: string): string[] {
  const text = ifPossible(() => readRegularText(join(root, '.gitmodules'))) ?? '';
  const paths = text.split('\n').flatMap((line) => {
    const [key = '', path] = line.split('=', 2).map((part) => part.trim());
    return key === 'path' && path !== undefined ? [path] : [];
  });
  return paths.filter((path) => namesIn(join(root, path)).every((name) => name === '.git'));
}

/** Returns the manifests of HEAD that a sparse checkout leaves out. */
function sparseFilesOf(root: string): string[] {
  if (!isSparse(root)) return [];
  const listed = attempt(
    () => textFrom(findRepository(root, 'HEAD'), ['ls-tree', '-r', '-z', '--name-only', 'HEAD']),
    GitError,
  );
  return (listed ?? '').split('\0').filter((path) => MANIFEST.test(path) && linkStatOf(join(root, path)) === undefined);
}

/** Reports whether the repository has a sparse checkout. */
function isSparse(root: string): boolean {
  if (!existsSync(join(root, '.git', 'info', 'sparse-checkout'))) return false;
  const settings = ['config', 'config.worktree'].map((name) =>
    ifPossible(() => readRegularText(join(root, '.git', name))),
  );
  return settings.some((text) => text !== undefined && /^[ \t]*sparseCheckout[ \t]*=[ \t]*true/im.test(text));
}

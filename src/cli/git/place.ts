import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { realPath, statOf } from '../file-system.ts';

/** Returns the folder of a path that may no longer exist. */
export function folderOf(path: string): string {
  const absolute = resolve(path);
  if (statOf(absolute)?.isDirectory()) return absolute;
  const parent = dirname(absolute);
  return parent === absolute ? absolute : folderOf(parent);
}

/** Returns a path and the folders above it, from the root of the file system. */
export function waysTo(path: string): string[] {
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

export const slashed = (path: string): string => path.split(sep).join('/');

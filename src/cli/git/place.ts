import { statSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { realPath } from '../boundary.ts';

/** Returns the folder of a path that may no longer exist. */
export function folderOf(path: string): string {
  const absolute = resolve(path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return absolute;
  const parent = dirname(absolute);
  return parent === absolute ? absolute : folderOf(parent);
}

/** Returns the path from the root of the repository; '' for the root, undefined for a path outside. */
export function inRepository(path: string, root: string): string | undefined {
  const folder = folderOf(path);
  const real = resolve(realPath(folder) ?? folder, relative(folder, resolve(path)));
  const way = relative(realPath(root) ?? root, real);
  return way === '..' || way.startsWith(`..${sep}`) ? undefined : slashed(way);
}

export const slashed = (path: string): string => path.split(sep).join('/');

/** Returns the target of a link in the repository; undefined for one outside. */
export function targetOf(link: string, target: string): string | undefined {
  if (posix.isAbsolute(target)) return undefined;
  const path = posix.join(posix.dirname(link), target).replace(/\/$/, '');
  return path === '..' || path.startsWith('../') ? undefined : path === '.' ? '' : path;
}

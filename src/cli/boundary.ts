import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { publicText, type Report } from '../core/diagnostics/index.ts';

/** Whether a real path, with no links in it, may be read. */
export type Within = (realPath: string) => boolean;

/** Allows what is in one of the folders, which links may lead to. A folder that is not there allows nothing. */
export function withinAny(folders: readonly string[]): Within {
  const real = folders.flatMap((folder) => realPath(folder) ?? []);
  return (path) => real.some((folder) => isInside(path, folder));
}

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40;

/**
 * Where a path leads with links followed, as far as it exists. What lies outside of a boundary must not even be reported
 * apart from what does not exist, so this never throws.
 */
export function placeOf(path: string, links = MOST_LINKS): string {
  const absolute = resolve(path);
  const real = realPath(absolute);
  const parent = dirname(absolute);
  if (real !== undefined || parent === absolute) return real ?? absolute;
  const target = linkTarget(absolute);
  if (target === undefined || links === 0) return join(placeOf(parent, links), basename(absolute));
  return placeOf(resolve(placeOf(parent, links), target), links - 1);
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

export function outside(path: string): Report {
  return {
    code: 'path-outside',
    message: publicText`${path} is outside the repository`,
    path: [],
    hint: publicText`an administrator can allow a folder with --allow-dir in plugin.yaml`,
  };
}

export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { composeText, type Report, trusted, unplaced } from '../core/diagnostics/index.ts';
import { MAX_LINKS } from '../core/model/limits.ts';
import { ifPossible, linkTarget, realPath } from './file-system.ts';

/** Reports whether a real path, without links, may be read. */
export type Within = (realPath: string) => boolean;

/** Allows everything in one of the folders, which may be links. A missing folder allows nothing. */
export function withinAny(folders: readonly string[]): Within {
  const real = folders.flatMap((folder) => realPath(folder) ?? []);
  return (path) => real.some((folder) => isInside(path, folder));
}

/**
 * Returns the target of a path with links followed, as far as it exists. It never throws, so that a file outside of a
 * boundary cannot be distinguished from a missing one.
 */
export function placeOf(path: string, links = MAX_LINKS): string {
  const absolute = resolve(path);
  const real = realPath(absolute);
  const parent = dirname(absolute);
  if (real !== undefined || parent === absolute) return real ?? absolute;
  const target = linkTarget(absolute);
  if (target === undefined || links === 0) return join(placeOf(parent, links), basename(absolute));
  return placeOf(resolve(placeOf(parent, links), target), links - 1);
}

export const outside = (path: string): Report =>
  unplaced(
    'path-outside',
    composeText`${trusted.file(path)} is outside the repository`,
    composeText`an administrator can allow a folder with --allow-dir in plugin.yaml`,
  );

/** Reports whether there is anything at a path, also a link that leads nowhere or out of a boundary. */
export const isPresent = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

/** The file that is always empty. Loading `node:os` for it would take a part of every start. */
export const devNull = process.platform === 'win32' ? '\\\\.\\nul' : '/dev/null';

/**
 * Returns the folders of a PATH without empty and relative ones, which depend on the current folder, and without those
 * within a boundary, with links followed: `npx` puts the node_modules/.bin of a repository on the PATH.
 */
export const trustedFolders = (path: string, isUntrusted: Within): string[] =>
  path.split(delimiter).filter((folder) => isAbsolute(folder) && !isUntrusted(realPath(folder) ?? folder));

/** Returns the file of a program in the trusted folders of a PATH; it may not be a link into the boundary either. */
export function programOn(path: string, name: string, isUntrusted: Within = () => false): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return trustedFolders(path, isUntrusted)
    .map((folder) => join(folder, file))
    .find((program) => isProgram(program) && !isUntrusted(realPath(program) ?? program));
}

const isProgram = (path: string): boolean =>
  ifPossible(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }) === true;

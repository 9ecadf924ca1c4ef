import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Within } from './boundary.ts';
import { ifPossible, realPath } from './file-system.ts';

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

/** Paths with slashes, relative to a root, which is ''. */

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Returns a path and the folders above it, the root last. */
export function foldersFrom(path: string): string[] {
  const found = [path];
  for (let at = path; at !== ''; ) {
    at = parentOf(at);
    found.push(at);
  }
  return found;
}

/** Reports whether a path is that of a folder, or in it. */
export const isBelow = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Resolves a path from a folder; returns `undefined` if it leaves the root. `/a` starts from the root. */
export function resolvePath(folder: string, path: string): string | undefined {
  const parts = path.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** Removes `.` steps, and `..` steps as far as there is a folder above; a path may start with `/` or `..`. */
export function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}

import { globTest } from '../../languages/glob/index.ts';
import { type FoundText, isGoldenTest } from '../input/index.ts';

/** The files of one version of a repository. Paths are relative to its root, with slashes, in byte order. */
export interface Files {
  paths: readonly string[];
  /** Returns `undefined` for a path that is not a file with UTF-8 text. */
  text(path: string): string | undefined;
}

/** Files with their folders. */
export interface FileTree extends Files {
  has(path: string): boolean;
  /** Returns the names in a folder; '' is the root. `undefined` for other paths. */
  folder(path: string): Folder | undefined;
}

export interface Folder {
  files: readonly string[];
  folders: readonly string[];
}

const READ = /\.(ya?ml|json)$/;

export function createTree(files: Files): FileTree {
  const known = new Set(files.paths);
  const folders = new Map<string, { files: string[]; folders: string[] }>();
  const folderAt = (path: string): { files: string[]; folders: string[] } => {
    const found = folders.get(path);
    if (found !== undefined) return found;
    const folder = { files: [], folders: [] };
    folders.set(path, folder);
    if (path !== '') folderAt(parentOf(path)).folders.push(baseOf(path));
    return folder;
  };
  folderAt('');
  for (const path of files.paths) folderAt(parentOf(path)).files.push(baseOf(path));
  return { ...files, has: (path) => known.has(path), folder: (path) => folders.get(path) };
}

export interface WalkOptions {
  /** Globs of excluded files and folders. */
  exclude?: readonly string[];
  /** Whether subfolders are read too; defaults to true. */
  recurse?: boolean;
}

/**
 * Returns the YAML and JSON files at a path, as every command reads them: without dot entries, node_modules and golden
 * tests. Empty if nothing is at the path.
 */
export function readPath(
  tree: FileTree,
  path: string,
  { exclude = [], recurse = true }: WalkOptions = {},
): FoundText[] {
  const tests = exclude.map((glob) => globTest(glob));
  const isExcluded = (one: string): boolean => tests.some((test) => test(one));
  const read = (file: string, found?: FoundText['found']): FoundText[] => {
    const text = tree.text(file);
    return text === undefined ? [] : [{ file, text, ...(found && { found }) }];
  };
  if (tree.has(path)) return isExcluded(path) ? [] : read(path);
  const below = (folder: string, chart: string | undefined): FoundText[] => {
    const entries = tree.folder(folder);
    if (entries === undefined) return [];
    if (folder !== path && isGoldenTest(entries.files, () => tree.text(joinPath(folder, 'test.yaml')) ?? '')) return [];
    const isChart = folder !== path && entries.files.some((name) => /^Chart\.ya?ml$/.test(name));
    const within = isChart ? folder : chart;
    const isTaken = (name: string): boolean => {
      const at = joinPath(folder, name);
      if (name.startsWith('.') || name === 'node_modules') return false;
      return !isExcluded(at) && !isExcluded(path === '' ? at : at.slice(path.length + 1));
    };
    const kindOf = (file: string): FoundText['found'] =>
      within !== undefined && file.startsWith(`${within}/templates/`) ? 'chart' : 'folder';
    const own = entries.files.filter((name) => READ.test(name) && isTaken(name)).map((name) => joinPath(folder, name));
    return [
      ...own.flatMap((file) => read(file, kindOf(file))),
      ...(recurse ? entries.folders.filter(isTaken).flatMap((name) => below(joinPath(folder, name), within)) : []),
    ];
  };
  return below(path, undefined).sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Returns the folder of a path; '' for the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Resolves a path from a folder; returns `undefined` if it is outside the repository. `/a` starts from the root. */
export function resolvePath(folder: string, path: string): string | undefined {
  const parts = path.startsWith('/') ? [] : folder.split('/').filter(Boolean);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** Returns a test for a glob that matches the path from the folder, even without a slash in it. */
export function wholePath(pattern: string): (path: string) => boolean {
  const test = globTest(`/${pattern}`);
  return (path) => test(`/${path}`);
}

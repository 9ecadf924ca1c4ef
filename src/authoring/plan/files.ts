import { getOrCompute } from '../../core/model/lazily.ts';
import { MAX_LINKS } from '../../core/model/limits.ts';
import { baseOf, joinPath, parentOf } from '../../core/text/paths.ts';
import { globTest } from '../../languages/glob/index.ts';
import { type FoundText, isGoldenTest } from '../input/index.ts';

/** The files of one version of a repository. Paths are relative to its root, with slashes, in byte order. */
export interface Files {
  paths: readonly string[];
  /** Returns `undefined` for a path that is not a file with UTF-8 text. */
  text(path: string): string | undefined;
  /** The links among the paths, with their targets in the repository; a link without one leads out of it. */
  links?: ReadonlyMap<string, string>;
  /** A link whose text leaves the repository. */
  outwardLink?: string | undefined;
}

/** Files with their folders. Links are followed. */
export interface FileTree extends Files {
  has(path: string): boolean;
  /** Returns the names in a folder; '' is the root. `undefined` for other paths. */
  folder(path: string): Readonly<Folder> | undefined;
  /** Returns the path that a path leads to. */
  real(path: string): string;
  /** Reports whether the last name of a path is a link. */
  isLink(path: string): boolean;
}

type Folder = Record<'files' | 'folders' | 'linked', string[]>;

const READ = /\.(ya?ml|json)$/;

export function createTree(files: Files): FileTree {
  const { links = new Map<string, string>() } = files;
  const known = new Set(files.paths.filter((path) => !links.has(path)));
  const folders = new Map<string, Folder>();
  const folderAt = (path: string): Folder =>
    getOrCompute(folders, path, () => {
      if (path !== '') folderAt(parentOf(path)).folders.push(baseOf(path));
      return { files: [], folders: [], linked: [] };
    });
  folderAt('');
  for (const path of known) folderAt(parentOf(path)).files.push(baseOf(path));
  const real = (path: string, followed = 0): string => {
    if (links.size === 0 || path === '' || followed > MAX_LINKS) return path;
    const above = real(parentOf(path), followed);
    const at = joinPath(above, baseOf(path));
    const target = links.get(at);
    return target === undefined ? at : real(target, followed + 1);
  };
  const linkedFolders = [...links.keys()].filter((path) => folders.has(real(path)));
  for (const path of links.keys()) {
    const { files: own, linked } = folderAt(parentOf(path));
    (linkedFolders.includes(path) ? linked : own).push(baseOf(path));
  }
  return {
    ...files,
    text: (path) => (known.has(real(path)) ? files.text(real(path)) : undefined),
    has: (path) => known.has(real(path)),
    folder: (path) => folders.get(real(path)),
    real,
    isLink: (path) => links.size > 0 && path !== '' && links.has(joinPath(real(parentOf(path)), baseOf(path))),
  };
}

export interface WalkOptions {
  /** Globs of excluded files and folders. */
  exclude?: readonly string[];
  /** Whether subfolders are read too; defaults to true. */
  recurse?: boolean;
  /** Whether every entry is read except links to folders, as Argo CD does; defaults to false. */
  asArgoCd?: boolean;
}

/**
 * Returns the YAML and JSON files at a path, as every command reads them: without dot entries, node_modules and golden
 * tests. Empty if nothing is at the path.
 */
export function readPath(
  tree: FileTree,
  path: string,
  { exclude = [], recurse = true, asArgoCd = false }: WalkOptions = {},
): FoundText[] {
  const tests = exclude.map((glob) => globTest(glob));
  const isExcluded = (one: string): boolean => tests.some((test) => test(one));
  const entered = new Set<string>();
  const read = (file: string, found?: FoundText['found']): FoundText[] => {
    const text = tree.text(file);
    if (text === undefined || (!asArgoCd && entered.has(tree.real(file)))) return [];
    entered.add(tree.real(file));
    return [{ file, text, ...(found && { found }) }];
  };
  if (tree.has(path)) return isExcluded(path) ? [] : read(path);
  const below = (folder: string, chart: string | undefined): FoundText[] => {
    const entries = tree.folder(folder);
    if (entries === undefined || entered.has(tree.real(folder))) return [];
    entered.add(tree.real(folder));
    const textOfTest = (): string => tree.text(joinPath(folder, 'test.yaml')) ?? '';
    if (!asArgoCd && folder !== path && isGoldenTest(entries.files, textOfTest)) return [];
    const isChart = folder !== path && entries.files.some((name) => /^Chart\.ya?ml$/.test(name));
    const within = isChart ? folder : chart;
    const isTaken = (name: string): boolean => {
      const at = joinPath(folder, name);
      if (!asArgoCd && (name.startsWith('.') || name === 'node_modules')) return false;
      return !isExcluded(at) && !isExcluded(path === '' ? at : at.slice(path.length + 1));
    };
    const kindOf = (file: string): FoundText['found'] =>
      within !== undefined && file.startsWith(`${within}/templates/`) ? 'chart' : 'folder';
    const folders = recurse ? [...entries.folders, ...(asArgoCd ? [] : entries.linked)].sort() : [];
    const own = entries.files.filter((name) => READ.test(name) && isTaken(name)).map((name) => joinPath(folder, name));
    return [
      ...own.flatMap((file) => read(file, kindOf(file))),
      ...folders.filter(isTaken).flatMap((name) => below(joinPath(folder, name), within)),
    ];
  };
  return below(path, undefined).sort((a, b) => (a.file < b.file ? -1 : 1));
}

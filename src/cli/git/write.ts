import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { type Follow, readEntries } from './links.ts';
import type { Fault } from './run.ts';
import type { Tree } from './tree.ts';

/** A temporary folder with files of a commit. */
export interface Written {
  folder: string;
  remove(): void;
}

/**
 * Writes files of a commit into a new temporary folder. Each folder and file is created by this function, and links
 * come last, so that nothing is written through a link. A link leads straight to its target in the folder; a link that
 * leaves the repository is not written.
 */
export function writeFiles(tree: Tree, paths: readonly string[], follow: Follow): Written | Fault {
  const [links, files] = [true, false].map((isLink) => paths.filter((path) => tree.get(path)?.isLink === isLink)) as [
    string[],
    string[],
  ];
  const read = readEntries(files.flatMap((path) => tree.get(path) ?? []));
  if ('fault' in read) return read;
  const folder = mkdtempSync(join(process.getBuiltinModule('node:os').tmpdir(), 'render-rgd-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const made = new Set(['.']);
  const makeFolder = (path: string): void => {
    if (made.has(path)) return;
    makeFolder(dirname(path));
    mkdirSync(join(folder, path));
    made.add(path);
  };
  try {
    files.forEach((path, index) => {
      makeFolder(dirname(path));
      writeFileSync(join(folder, path), read.contents[index] as Buffer, { flag: 'wx' });
    });
    for (const path of links) makeFolder(dirname(path));
    for (const path of links) {
      const target = follow(path);
      if (target !== undefined) symlinkSync(posix.relative(dirname(path), target) || '.', join(folder, path));
    }
  } catch (error) {
    remove();
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return { fault: `two of its names are one on this file system: ${error.message}` };
  }
  return { folder, remove };
}

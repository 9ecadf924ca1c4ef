import { readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Owned, Present } from '../../render/tree/index.ts';
import { nativeDigest } from '../digest.ts';
import { statAt } from '../write/index.ts';

/** A file of the output directory with its expected content. */
export interface File {
  path: string;
  text: string;
  digest: string;
}

/**
 * Returns a function that reads the state of a path. Links are never followed, because they may leave the folder.
 * Nothing is below an owned file in the place of a folder.
 */
export function presentIn(root: string, owned: Owned, files: readonly File[]): (path: string) => Present {
  const wanted = new Map(files.map((file) => [file.path, file]));
  const digestOf = nativeDigest();
  const folders = new Map<string, Present | 'folder'>([['', statAt(root) === undefined ? 'missing' : 'folder']]);
  const folderAt = (path: string): Present | 'folder' => {
    const known = folders.get(path) ?? lookAtFolder(path);
    folders.set(path, known);
    return known;
  };
  const lookAtFolder = (path: string): Present | 'folder' => {
    const above = aboveOf(path, folderAt);
    if (above !== 'folder') return above;
    const stat = statAt(join(root, path));
    if (stat === undefined) return 'missing';
    if (stat.isDirectory()) return 'folder';
    if (stat.isFile() && owned.has(path)) return 'missing';
    return { instead: `${path}, which is ${kindOf(stat)},` };
  };
  return (path) => {
    const above = aboveOf(path, folderAt);
    if (above !== 'folder') return above;
    const stat = statAt(join(root, path));
    if (stat === undefined) return 'missing';
    if (!stat.isFile()) return { instead: kindOf(stat) };
    const bytes = readFileSync(join(root, path));
    const file = wanted.get(path);
    return { digest: file !== undefined && bytes.equals(Buffer.from(file.text)) ? file.digest : digestOf(bytes) };
  };
}

const aboveOf = (path: string, folderAt: (path: string) => Present | 'folder'): Present | 'folder' =>
  folderAt(path.slice(0, Math.max(path.lastIndexOf('/'), 0)));

function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isDirectory()) return 'a folder';
  return stat.isFile() ? 'a file' : 'a pipe or a device';
}

import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LIST, type Plan } from '../../render/tree/index.ts';
import { statAt } from './disk.ts';

/** Where files are written first: below the folder, so that a rename is enough to put them where they belong. */
const BESIDE = '.render-rgd.tmp';
/** The list of what will be there. It is in BESIDE once everything else is. */
const NEXT = 'list';

/** The lists of what was written: the last one, and that of a run that was interrupted while it put files in place. */
export function readLists(root: string): string[] {
  return [LIST, join(BESIDE, NEXT)].flatMap((name) => {
    const path = join(root, name);
    return statAt(path)?.isFile() ? [readFileSync(path, 'utf8')] : [];
  });
}

/** Whether an interrupted run left something. */
export const isInterrupted = (root: string): boolean => statAt(join(root, BESIDE)) !== undefined;

/**
 * Makes the tree what the plan says. Everything is written beside before the first file is put in place, so a disk that
 * is full leaves the tree as it was. From then on the next run knows both the old files and the new ones as its own,
 * whenever this one ends.
 * @throws what the operating system says
 */
export function commit(root: string, plan: Plan, list: string, bytesOf: (path: string) => Uint8Array): void {
  const beside = join(root, BESIDE);
  const interrupted = readNext(root);
  mkdirSync(root, { recursive: true });
  rmSync(join(beside, 'files'), { recursive: true, force: true });
  try {
    mkdirSync(join(beside, 'files'), { recursive: true });
    for (const [index, path] of plan.write.entries())
      writeFileSync(besideOf(root, index), bytesOf(path), { flag: 'wx' });
    // What an interrupted run may have put in place stays known until this one is done.
    writeFileSync(join(beside, 'next'), `${interrupted}${list}`);
    writeFileSync(join(beside, 'final'), list);
  } catch (error) {
    if (interrupted === '') rmSync(beside, { recursive: true, force: true });
    throw error;
  }
  renameSync(join(beside, 'next'), join(beside, NEXT));
  for (const path of plan.remove) rmSync(join(root, path), { force: true });
  for (const [index, path] of plan.write.entries()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    renameSync(besideOf(root, index), join(root, path));
  }
  renameSync(join(beside, 'final'), join(root, LIST));
  rmSync(beside, { recursive: true, force: true });
}

/** Removes the folders above removed files that hold nothing any more. */
export function removeEmptyFolders(root: string, removed: readonly string[]): void {
  const seen = new Set<string>();
  for (const path of removed) {
    for (let folder = dirname(path); folder !== '.' && !seen.has(folder); folder = dirname(folder)) {
      try {
        rmdirSync(join(root, folder));
        seen.add(folder);
      } catch {
        break;
      }
    }
  }
}

const besideOf = (root: string, index: number): string => join(root, BESIDE, 'files', String(index));

function readNext(root: string): string {
  const path = join(root, BESIDE, NEXT);
  return statAt(path)?.isFile() ? readFileSync(path, 'utf8') : '';
}

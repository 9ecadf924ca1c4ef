import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LIST, type Plan } from '../../render/tree/index.ts';
import { statAt } from './disk.ts';

/** The folder where files are written first: inside the output directory, so that a rename moves them into place. */
const BESIDE = '.render-rgd.tmp';
/** The list of the next state. It is in BESIDE after everything else. */
const NEXT = 'list';
/** The files in BESIDE, at their paths below the folder. */
const FILES = 'files';
/** The longest name of a folder, in bytes, that has room for what is put around it. */
const LONGEST_NAME = 255 - BESIDE.length - '.'.length;

/** Returns the lists of written files: the last one, and that of a run that was interrupted while it moved files. */
export function readLists(root: string): string[] {
  return [LIST, join(BESIDE, NEXT)].flatMap((name) => {
    const path = join(root, name);
    return statAt(path)?.isFile() ? [readFileSync(path, 'utf8')] : [];
  });
}

/** Reports whether an interrupted run left files. */
export function isInterrupted(root: string): boolean {
  const draft = draftOf(root);
  return statAt(join(root, BESIDE)) !== undefined || (draft !== undefined && statAt(draft) !== undefined);
}

/**
 * Makes the tree what the plan says. A folder that does not exist is written next to its place and renamed as a whole.
 * @throws what the operating system says
 */
export function commit(root: string, plan: Plan, list: string, textOf: (path: string) => string): void {
  const draft = draftOf(root);
  if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
  if (draft === undefined || statAt(root) !== undefined) change(root, plan, list, textOf);
  else create(root, draft, plan, list, textOf);
}

function create(root: string, draft: string, plan: Plan, list: string, textOf: (path: string) => string): void {
  try {
    writeFiles(draft, plan.write, textOf);
    writeFileSync(join(draft, LIST), list);
    renameSync(draft, root);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Everything is written beside before the first file is put in place, so a disk that is full leaves the tree as it was.
 * From then on the next run knows both the old files and the new ones as its own, whenever this one ends.
 */
function change(root: string, plan: Plan, list: string, textOf: (path: string) => string): void {
  const beside = join(root, BESIDE);
  const files = join(beside, FILES);
  const interrupted = readNext(root);
  mkdirSync(root, { recursive: true });
  rmSync(files, { recursive: true, force: true });
  try {
    writeFiles(files, plan.write, textOf);
    // Files that an interrupted run may have moved are owned until this one is done.
    writeFileSync(join(beside, 'next'), `${interrupted}${list}`);
    writeFileSync(join(beside, 'final'), list);
  } catch (error) {
    if (interrupted === '') rmSync(beside, { recursive: true, force: true });
    throw error;
  }
  renameSync(join(beside, 'next'), join(beside, NEXT));
  for (const path of plan.remove) rmSync(join(root, path), { force: true });
  putInPlace(files, root);
  renameSync(join(beside, 'final'), join(root, LIST));
  rmSync(beside, { recursive: true, force: true });
}

function writeFiles(folder: string, paths: readonly string[], textOf: (path: string) => string): void {
  mkdirSync(folder, { recursive: true });
  const existing = new Set(['.']);
  for (const path of paths) {
    const above = dirname(path);
    if (!existing.has(above)) mkdirSync(join(folder, above), { recursive: true });
    existing.add(above);
    writeFileSync(`${folder}/${path}`, textOf(path), { encoding: 'utf8', flag: 'wx' });
  }
}

/** Renames what is in a folder to where it belongs: a folder as a whole where there is none yet. */
function putInPlace(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && statAt(target)?.isDirectory()) putInPlace(source, target);
    else renameSync(source, target);
  }
}

/** Removes empty folders above removed files. */
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

/** Where a folder that does not exist is written; none for a name that is too long, or that only leads to a folder. */
function draftOf(root: string): string | undefined {
  const name = basename(root);
  if (['', '.', '..'].includes(name) || Buffer.byteLength(name) > LONGEST_NAME) return undefined;
  return `${dirname(root)}/.${name}${BESIDE}`;
}

function readNext(root: string): string {
  const path = join(root, BESIDE, NEXT);
  return statAt(path)?.isFile() ? readFileSync(path, 'utf8') : '';
}

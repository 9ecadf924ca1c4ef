import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LIST, type Plan } from '../../render/tree/index.ts';
import { ifPossible } from '../file-system.ts';
import { Descent, LinkError, type OpenFolder, openNamed } from './folder.ts';
import { enterWorkspace, INSIDE, isUsed, PARTS, placeBeside, statAt, type Workspace } from './workspace.ts';

/** The list of the next state, in the place of the workspace: it stays until every file is in its place. */
const NEXT = 'list';

/**
 * Returns the lists of written files: the last one, and that of a run that was interrupted while it moved files.
 * @throws {LinkError} if one is not a regular file
 */
export function readLists(root: string): string[] {
  return [join(root, LIST), join(root, INSIDE, NEXT)].flatMap((path) => {
    const stat = statAt(path);
    if (stat === undefined) return [];
    if (!stat.isFile()) throw new LinkError(`${path} is not a regular file: move it elsewhere`);
    return [readFileSync(path, 'utf8')];
  });
}

export const isInterrupted = (root: string): boolean =>
  statAt(join(root, INSIDE, NEXT)) !== undefined || [join(root, INSIDE), placeBeside(root) ?? []].flat().some(isUsed);

export interface Access extends Workspace {
  /** The folder, or the one above it if it does not exist: it is then written next to its place and renamed as a whole. */
  readonly held: OpenFolder;
  readonly isNew: boolean;
}

/** Locks a folder, or next to it if it does not exist; returns why another process has it. */
export function enterTree(root: string): Access | { fault: string } {
  const beside = placeBeside(root);
  if (beside !== undefined && (statAt(root) === undefined || isUsed(beside))) {
    const entered = enterIn(openNamed(dirname(root)), basename(beside), beside, true);
    if ('fault' in entered || statAt(root) === undefined) return entered;
    entered.release();
  }
  return enterIn(openNamed(root), INSIDE, join(root, INSIDE), false);
}

function enterIn(held: OpenFolder, name: string, shown: string, isNew: boolean): Access | { fault: string } {
  const workspace = enterWorkspace({ path: held.in(name), shown });
  if ('fault' in workspace) {
    held.close();
    return workspace;
  }
  const release = (): void => {
    workspace.release();
    held.close();
  };
  return { ...workspace, release, held, isNew };
}

/** @throws what the operating system says */
export function commit(root: string, access: Access, plan: Plan, list: string, textOf: (path: string) => string): void {
  writeFiles(access, plan.write, textOf);
  if (access.isNew) {
    const files = join(access.folder, PARTS.files);
    writeFileSync(join(files, LIST), list);
    renameSync(files, access.held.in(basename(root)));
  } else {
    change(access, plan, list);
  }
}

/** A full disk leaves the tree as it was; once files move, the next run knows old and new files as its own. */
function change(access: Access, plan: Plan, list: string): void {
  const { held } = access;
  const part = (name: keyof typeof PARTS): string => join(access.folder, PARTS[name]);
  const journal = join(held.in(INSIDE), NEXT);
  // Files that an interrupted run may have moved are owned until this one is done.
  writeFileSync(part('next'), `${statAt(journal)?.isFile() ? readFileSync(journal, 'utf8') : ''}${list}`);
  writeFileSync(part('final'), list);
  renameSync(part('next'), journal);
  const below = new Descent(held);
  try {
    for (const path of plan.remove) {
      access.beat();
      renameSync(below.in(path), part('removed'));
    }
  } finally {
    below.close();
  }
  putInPlace(part('files'), held, access);
  renameSync(part('final'), held.in(LIST));
  renameSync(journal, part('removed'));
}

function writeFiles(access: Access, paths: readonly string[], textOf: (path: string) => string): void {
  const folder = join(access.folder, PARTS.files);
  mkdirSync(folder);
  const make = folderMaker(folder);
  for (const path of paths) {
    make(dirname(path));
    writeFileSync(`${folder}/${path}`, textOf(path), { encoding: 'utf8', flag: 'wx' });
    access.beat();
  }
}

/** Creates each folder once: one that exists may be a link, and if the first is gone, another process took over. */
export function folderMaker(root: string): (path: string) => void {
  const made = new Set(['.']);
  const make = (path: string): void => {
    if (made.has(path)) return;
    make(dirname(path));
    mkdirSync(join(root, path));
    made.add(path);
  };
  return make;
}

/** Renames what is in a folder to where it belongs: a folder as a whole where there is none yet. */
function putInPlace(from: string, to: OpenFolder, access: Access): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = to.in(entry.name);
    access.beat();
    if (entry.isDirectory() && statAt(target)?.isDirectory()) {
      const inner = to.folder(entry.name);
      try {
        putInPlace(source, inner, access);
      } finally {
        inner.close();
      }
    } else renameSync(source, target);
  }
}

/** Removes the folders of removed files that are empty. */
export function removeEmptyFolders({ held, isNew }: Access, removed: readonly string[]): void {
  if (isNew) return;
  const below = new Descent(held);
  const seen = new Set<string>();
  for (const path of removed) {
    for (let folder = dirname(path); folder !== '.' && !seen.has(folder); folder = dirname(folder)) {
      const isRemoved = ifPossible(() => rmdirSync(below.in(folder)) === undefined);
      if (isRemoved !== true) break;
      seen.add(folder);
    }
  }
  below.close();
}

import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LIST, type Plan } from '../../render/tree/index.ts';
import { folderMaker, ifPossible } from '../file-system.ts';
import { enterWorkspace, INSIDE, isUsed, PARTS, placeBeside, statAt, type Workspace } from '../write/index.ts';

/** The list of the next state, in the place of the workspace: it stays until every file is in its place. */
const NEXT = 'list';

/** Returns the lists of written files: the last one, and that of a run that was interrupted while it moved files. */
export function readLists(root: string): string[] {
  return [join(root, LIST), join(root, INSIDE, NEXT)].flatMap((path) =>
    statAt(path)?.isFile() ? [readFileSync(path, 'utf8')] : [],
  );
}

export const isInterrupted = (root: string): boolean =>
  statAt(join(root, INSIDE, NEXT)) !== undefined || [join(root, INSIDE), placeBeside(root) ?? []].flat().some(isUsed);

export interface Access extends Workspace {
  /** Whether the folder is written next to its place and then renamed as a whole, because it does not exist. */
  readonly isNew: boolean;
}

/** Locks a folder, or next to it if it does not exist; returns why another process has it. */
export function enterTree(root: string): Access | { fault: string } {
  const beside = placeBeside(root);
  if (beside !== undefined && (statAt(root) === undefined || isUsed(beside))) {
    mkdirSync(dirname(root), { recursive: true });
    const workspace = enterWorkspace(beside);
    if ('fault' in workspace) return workspace;
    if (statAt(root) === undefined) return { ...workspace, isNew: true };
    workspace.release();
  }
  mkdirSync(root, { recursive: true });
  const workspace = enterWorkspace(join(root, INSIDE));
  return 'fault' in workspace ? workspace : { ...workspace, isNew: false };
}

/** @throws what the operating system says */
export function commit(root: string, access: Access, plan: Plan, list: string, textOf: (path: string) => string): void {
  writeFiles(access, plan.write, textOf);
  if (access.isNew) {
    const files = join(access.folder, PARTS.files);
    writeFileSync(join(files, LIST), list);
    renameSync(files, root);
  } else {
    change(root, access, plan, list);
  }
}

/** A full disk leaves the tree as it was; once files move, the next run knows old and new files as its own. */
function change(root: string, access: Access, plan: Plan, list: string): void {
  const part = (name: keyof typeof PARTS): string => join(access.folder, PARTS[name]);
  const journal = join(root, INSIDE, NEXT);
  // Files that an interrupted run may have moved are owned until this one is done.
  writeFileSync(part('next'), `${statAt(journal)?.isFile() ? readFileSync(journal, 'utf8') : ''}${list}`);
  writeFileSync(part('final'), list);
  renameSync(part('next'), journal);
  for (const path of plan.remove) {
    access.beat();
    renameSync(join(root, path), part('removed'));
  }
  putInPlace(part('files'), root, access);
  renameSync(part('final'), join(root, LIST));
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

/** Renames what is in a folder to where it belongs: a folder as a whole where there is none yet. */
function putInPlace(from: string, to: string, access: Access): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    access.beat();
    if (entry.isDirectory() && statAt(target)?.isDirectory()) putInPlace(source, target, access);
    else renameSync(source, target);
  }
}

export function removeEmptyFolders(root: string, removed: readonly string[]): void {
  const seen = new Set<string>();
  for (const path of removed) {
    for (let folder = dirname(path); folder !== '.' && !seen.has(folder); folder = dirname(folder)) {
      const isRemoved = ifPossible(() => rmdirSync(join(root, folder)) === undefined);
      if (isRemoved !== true) break;
      seen.add(folder);
    }
  }
}

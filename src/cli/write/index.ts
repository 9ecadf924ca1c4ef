import { chmodSync, lstatSync, mkdirSync, realpathSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Report, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { ifPossible, isInside, namesIn, readFault, readRegularFile } from '../file-system.ts';
import { checkNamed, Descent, LinkError, OpenFolder, openNamed } from './folder.ts';
import {
  causeOf,
  enterWorkspace,
  INSIDE,
  isUsed,
  PARTS,
  type Place,
  placeBeside,
  statAt,
  type Workspace,
} from './workspace.ts';

// Every change of the file system is in this folder: tools/lint rejects it elsewhere.

/** Changes of files by one process at a time: a run that is killed or that loses its lock leaves no part of a file. */
export { LinkError } from './folder.ts';
export { type Saved, type SaveRoot, saveBelow } from './save.ts';
export { type Scratch, scratchFolder } from './scratch.ts';
export { type Access, commit, enterTree, isInterrupted, readLists, removeEmptyFolders } from './tree.ts';
export { causeOf, INSIDE, isUsed, statAt } from './workspace.ts';

/** The output: computed completely before its first byte is written, and encoded objects are not kept as text too. */
export type Output = readonly (string | Uint8Array)[];

export const bytesOf = (output: Output): Buffer => Buffer.concat(output.map((piece) => Buffer.from(piece)));

/** The delay before writing again to a full non-blocking pipe, in milliseconds. */
const PAUSE = 1;
const clock = new Int32Array(new SharedArrayBuffer(4));

/** Streams of Node would do it too, but loading them takes a twentieth of a start. @throws EPIPE if the reader left */
export function writeOut(descriptor: number, output: Output): void {
  for (const piece of output) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; ) at += writeSome(descriptor, bytes.subarray(at));
  }
}

function writeSome(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(clock, 0, 0, PAUSE);
    return 0;
  }
}

/** A file, and its new content; without one it is removed. */
export interface Change {
  readonly file: string;
  readonly output: Output | undefined;
}

export interface Rule {
  /** A folder in which the file was found: a link must not lead out of it. */
  readonly within?: string | undefined;
  /** Rejects other contents than this function accepts; it gets undefined for a missing file. */
  readonly expects?: (content: Uint8Array | undefined) => boolean;
}

/** Replaces a file by a rename, if it is regular and not read-only: readers never see a part. Returns the error. */
export function replaceFile(file: string, output: Output, rule: Rule = {}): Report[] {
  let target: Target | undefined;
  try {
    target = { ...locate(file, rule), file, output };
    return replaceTargets([target], placeOf(target), rule);
  } catch (error) {
    return faultOf(file, readFault(error));
  } finally {
    target?.folder.close();
  }
}

/** Changes several files below a folder, which is created, as one process at a time. No link below it is followed. */
export function replaceFiles(folder: string, changes: readonly Change[], rule: Rule = {}): Report[] {
  let top: OpenFolder | undefined;
  const descents: Descent[] = [];
  let file = folder;
  try {
    if (rule.within !== undefined) checkNamed(rule.within);
    top = openNamed(folder);
    const targets: Target[] = [];
    for (const change of changes) {
      file = change.file;
      const descent = new Descent(top);
      descents.push(descent);
      const way = wayBelow(folder, file);
      targets.push({ ...change, folder: descent.at(dirname(way), true), name: basename(way) });
    }
    return replaceTargets(targets, { path: top.in(INSIDE), shown: join(folder, INSIDE) }, rule);
  } catch (error) {
    return faultOf(file, readFault(error));
  } finally {
    for (const descent of descents) descent.close();
    top?.close();
  }
}

/** Writes a file like a redirection of a shell, but regular files are replaced at once; returns the error. */
export function writeText(file: string, text: string): Report[] {
  try {
    if (isOfMachine(file)) {
      writeFileSync(file, text);
      return [];
    }
    checkNamed(file);
    const present = statSync(file, { throwIfNoEntry: false });
    if (present === undefined || present.isFile()) return replaceFile(file, [text]);
    writeFileSync(file, text);
    return [];
  } catch (error) {
    return faultOf(file, readFault(error));
  }
}

/** Reports whether a path is that of a stream or a device, such as /dev/stdout, which is a link. */
const isOfMachine = (file: string): boolean =>
  process.platform !== 'win32' && /^\/(?:dev|dev\/fd|proc\/[^/]+\/fd)\/[^/]+$/.test(resolve(file));

/** Returns why a file cannot be replaced, as far as known before writing. */
export function replaceFault(file: string): Report[] {
  let target: Located | undefined;
  try {
    target = locate(file, {});
    contentOf(target);
    return [];
  } catch (error) {
    return faultOf(file, readFault(error));
  } finally {
    target?.folder.close();
  }
}

/** Removes what killed runs left in the folders of some files, unless another process still writes there. */
export function removeLeftovers(files: readonly { file: string; within: string | undefined }[]): void {
  const seen = new Set<string>();
  for (const { file, within } of files) {
    const folder = dirname(file);
    if (seen.has(folder)) continue;
    seen.add(folder);
    const names = namesIn(folder).filter((name) => name.endsWith(INSIDE));
    if (names.length > 0) ifPossible(() => removeLeftIn(folder, names, within));
  }
}

function removeLeftIn(path: string, names: readonly string[], within: string | undefined): void {
  checkNamed(within ?? path);
  const folder = OpenFolder.at(path);
  try {
    if (within !== undefined && !isInside(folder.real, realpathSync(within))) return;
    for (const name of names) {
      const place = { path: folder.in(name), shown: join(path, name) };
      const entered = isUsed(place.path) ? enterWorkspace(place) : undefined;
      if (entered !== undefined && !('fault' in entered)) entered.release();
    }
  } finally {
    folder.close();
  }
}

const faultOf = (file: string, reason: string): Report[] => [
  unplaced('unwritable-file', trusted.error(`cannot write ${file}: ${reason}`)),
];

/** A file in its folder, which is open. */
interface Located {
  folder: OpenFolder;
  name: string;
}

interface Target extends Located {
  file: string;
  output: Output | undefined;
}

/** Follows links as far as they are allowed. @throws {LinkError} if one leads elsewhere */
function locate(file: string, { within }: Rule): Located {
  checkNamed(within ?? file);
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const real = isLink ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
  if (within !== undefined && !isInside(real, realpathSync(within))) {
    throw new LinkError(`it is a link that leads out of ${within}: pass ${real} itself to change it`);
  }
  return { folder: OpenFolder.at(dirname(real)), name: basename(real) };
}

/** @throws {LinkError} if a path is not below a folder, as both are written */
function wayBelow(folder: string, file: string): string {
  const way = relative(resolve(folder), resolve(file));
  if (!isInside(resolve(file), resolve(folder)) || way === '') throw new LinkError(`it is outside of ${folder}`);
  return way.split(sep).join('/');
}

function placeOf({ folder, name, file }: Target): Place {
  const beside = placeBeside(name);
  return beside === undefined
    ? { path: folder.in(INSIDE), shown: join(dirname(file), INSIDE) }
    : { path: folder.in(basename(beside)), shown: join(dirname(file), basename(beside)) };
}

function replaceTargets(targets: readonly Target[], place: Place, rule: Rule): Report[] {
  let file = targets[0]?.file ?? '';
  let workspace: Workspace | { fault: string } | undefined;
  try {
    const isStale = targets.map((target) => {
      file = target.file;
      return !isDone(target, contentOf(target), rule);
    });
    file = targets[Math.max(isStale.indexOf(true), 0)]?.file ?? '';
    if (!isStale.includes(true) && !isUsed(place.path)) return [];
    workspace = enterWorkspace(place);
    if ('fault' in workspace) return faultOf(file, workspace.fault);
    const { folder } = workspace;
    mkdirSync(join(folder, PARTS.files));
    // Everything is written before the first file is put in place.
    const moves = targets.flatMap((target, index) => {
      file = target.file;
      return prepare(target, join(folder, PARTS.files, String(index)), rule);
    });
    for (const { from, to } of moves) renameSync(from, to ?? join(folder, PARTS.removed));
    return [];
  } catch (error) {
    const isEntered = workspace !== undefined && !('fault' in workspace);
    return faultOf(file, isEntered ? causeOf(error, workspace as never) : readFault(error));
  } finally {
    if (workspace !== undefined && !('fault' in workspace)) workspace.release();
  }
}

/** Writes the new content to a temporary file; returns what is to be renamed. */
function prepare(target: Target, temporary: string, rule: Rule): { from: string; to?: string }[] {
  const present = contentOf(target);
  if (isDone(target, present, rule)) return [];
  const path = target.folder.in(target.name);
  if (target.output === undefined) return [{ from: path }];
  writeFileSync(temporary, bytesOf(target.output), { flag: 'wx' });
  if (present !== undefined) chmodSync(temporary, present.mode);
  return [{ from: temporary, to: path }];
}

interface Present {
  content: Buffer;
  mode: number;
}

/** @throws if the file has another content than the rule expects, and not the new one either */
function isDone({ output }: Target, present: Present | undefined, { expects }: Rule): boolean {
  const content = present?.content;
  if (output === undefined ? content === undefined : content?.equals(bytesOf(output))) return true;
  if (expects?.(content) === false) throw new LinkError('it was changed after it was read');
  return false;
}

/** @throws if the file is a link, cannot be read, is no regular file, or is read-only */
function contentOf({ folder, name }: Located): Present | undefined {
  const path = folder.in(name);
  const stat = statAt(path);
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) throw new LinkError('it is a link');
  const content = readRegularFile(path);
  if ((stat.mode & 0o222) === 0) throw new LinkError('it is read-only');
  return { content, mode: stat.mode & 0o777 };
}

import { chmodSync, lstatSync, mkdirSync, realpathSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { type Report, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { messageOf, readRegularFile } from '../file-system.ts';
import { causeOf, enterWorkspace, INSIDE, isUsed, PARTS, placeBeside, statAt, type Workspace } from './workspace.ts';

/** Changes of files by one process at a time: a run that is killed or that loses its lock leaves no part of a file. */
export { causeOf, enterWorkspace, INSIDE, isUsed, PARTS, placeBeside, statAt, type Workspace } from './workspace.ts';

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
  /** Rejects files that links put outside of their path below this folder. By default, a link stays a link. */
  readonly below?: string;
  /** Rejects other contents than this function accepts; it gets undefined for a missing file. */
  readonly expects?: (content: Uint8Array | undefined) => boolean;
}

/** Replaces a file by a rename, if it is regular and not read-only: readers never see a part. Returns the error. */
export function replaceFile(file: string, output: Output, rule: Rule = {}): Report[] {
  return replaceIn((target) => placeBeside(target) ?? join(dirname(target), INSIDE), [{ file, output }], rule);
}

/** Changes several files in a folder, which is created, as one process at a time; returns the error. */
export function replaceFiles(folder: string, changes: readonly Change[], rule: Rule = {}): Report[] {
  try {
    for (const { file } of changes) mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    return faultOf(folder, messageOf(error));
  }
  return replaceIn(() => join(folder, INSIDE), changes, rule);
}

/** Writes a file like a redirection of a shell, but regular files are replaced at once; returns the error. */
export function writeText(file: string, text: string): Report[] {
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== false) return replaceFile(file, [text]);
    writeFileSync(file, text);
    return [];
  } catch (error) {
    return faultOf(file, messageOf(error));
  }
}

/** Returns why a file cannot be replaced, as far as known before writing. */
export function replaceFault(file: string): Report[] {
  try {
    readTarget(file, {});
    return [];
  } catch (error) {
    return faultOf(file, messageOf(error));
  }
}

const faultOf = (file: string, reason: string): Report[] => [
  unplaced('unwritable-file', trusted.error(`cannot write ${file}: ${reason}`)),
];

function replaceIn(placeOf: (target: string) => string, changes: readonly Change[], rule: Rule): Report[] {
  let file = '';
  let workspace: Workspace | undefined;
  try {
    const isStale = changes.map((change) => {
      file = change.file;
      return !isDone(change, readTarget(file, rule), rule);
    });
    file = changes[Math.max(isStale.indexOf(true), 0)]?.file ?? '';
    const place = placeOf(readTarget(file, rule).path);
    if (!isStale.includes(true) && !isUsed(place)) return [];
    const entered = enterWorkspace(place);
    if ('fault' in entered) return faultOf(file, entered.fault);
    workspace = entered;
    const { folder } = entered;
    mkdirSync(join(folder, PARTS.files));
    // Everything is written before the first file is put in place.
    const moves = changes.flatMap((change, index) => {
      file = change.file;
      return prepare(change, join(folder, PARTS.files, String(index)), rule);
    });
    for (const { from, to } of moves) renameSync(from, to ?? join(folder, PARTS.removed));
    return [];
  } catch (error) {
    return faultOf(file, workspace === undefined ? messageOf(error) : causeOf(error, workspace));
  } finally {
    workspace?.release();
  }
}

/** Writes the new content to a temporary file; returns what is to be renamed. */
function prepare(change: Change, temporary: string, rule: Rule): { from: string; to?: string }[] {
  const target = readTarget(change.file, rule);
  if (isDone(change, target, rule)) return [];
  if (change.output === undefined) return [{ from: target.path }];
  writeFileSync(temporary, bytesOf(change.output), { flag: 'wx' });
  if (target.mode !== undefined) chmodSync(temporary, target.mode);
  return [{ from: temporary, to: target.path }];
}

/** A file to replace; without links, content and mode if it does not exist. */
interface Target {
  path: string;
  content?: Buffer;
  mode?: number;
}

/** @throws if the file has another content than the rule expects, and not the new one either */
function isDone({ output }: Change, { content }: Target, { expects }: Rule): boolean {
  if (output === undefined ? content === undefined : content?.equals(bytesOf(output))) return true;
  if (expects?.(content) === false) throw new Error('it was changed after it was read');
  return false;
}

/** @throws if the file cannot be read, is no regular file, or must not be replaced */
function readTarget(file: string, { below }: Rule): Target {
  if (below !== undefined) checkLinks(file, below);
  if (statAt(file) === undefined) return { path: file };
  const { mode } = statSync(file);
  const content = readRegularFile(file);
  if ((mode & 0o222) === 0) throw new Error('it is read-only');
  return { path: realpathSync(file), content, mode: mode & 0o777 };
}

/** @throws if the path of a file leads through a link, or out of the folder */
function checkLinks(file: string, below: string): void {
  const way = relative(below, file);
  const expected = join(realpathSync(below), way);
  const folder = realpathSync(dirname(file));
  if (isAbsolute(way) || way.split(sep)[0] === '..') throw new Error(`it is outside of ${below}`);
  if (join(folder, basename(file)) !== expected || statAt(file)?.isSymbolicLink()) throw new Error('it is a link');
}

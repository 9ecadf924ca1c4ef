// allowed: openSync opens files for reading only.
import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { type Collector, composeText, type Report, told, trusted, unplaced } from '../core/diagnostics/index.ts';
import { type TextDigest, textDigest } from '../core/digest/hashes.ts';
import { MAX_LINKS } from '../core/model/limits.ts';
import { ownValue } from '../core/model/value.ts';
import { optimizeLater } from './optimize.ts';

/** A file that exists and is not used: it is outside of a boundary, too large, a link, or not a regular file. */
export class FileError extends Error {}

/** Returns undefined if the system rejects the call, or bytes are not UTF-8. @throws any other error: it is a bug */
export function ifPossible<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    // Node gives its own errors a code.
    if (error instanceof FileError || !['', 'ERR_INVALID_ARG_TYPE'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Returns the status of a file; undefined if it is missing or cannot be reached. */
export const statOf = (path: string): Stats | undefined => ifPossible(() => statSync(path));

/** Returns the status of a file or link, as `statOf`. */
export const linkStatOf = (path: string): Stats | undefined => ifPossible(() => lstatSync(path));

/** Returns the path with links followed, as `statOf`. */
export const realPath = (path: string): string | undefined => ifPossible(() => realpathSync(path));

/** Returns the target of a link; undefined for other files, and as `statOf`. */
export const linkTarget = (path: string): string | undefined => ifPossible(() => readlinkSync(path));

/** Returns the entries of a folder. Every search of folders reads them here, and has a row in test/cli/walks.ts. */
export const entriesIn = (folder: string): Dirent[] => readdirSync(folder, { withFileTypes: true });

/** Returns the names in a folder; none if it cannot be read. */
export const namesIn = (folder: string): string[] => ifPossible(() => readdirSync(folder)) ?? [];

/** Returns the nearest folder, this one or above, with an entry of that name. Folders that cannot be read have none. */
export function nearestAbove(folder: string, name: string): string | undefined {
  for (const at of withParents(folder)) if (ifPossible(() => existsSync(join(at, name)))) return at;
  return undefined;
}

/** Returns a path and the folders above it, up to the root of the file system. */
export function withParents(path: string): string[] {
  const found = [path];
  for (let at = dirname(path); at !== found.at(-1); at = dirname(at)) found.push(at);
  return found;
}

export const addOnce = (seen: Set<string>, key: string): boolean => seen.size < seen.add(key).size;

export const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Returns a path with `/` between its parts; on POSIX, a backslash is a character of a name. */
export const slashed = (path: string): string => path.split(sep).join('/');

/** Returns the SHA-256 of Node. It is faster than ours by a factor of seven, but takes milliseconds to load. */
export function nativeDigest(): (data: string | Uint8Array) => string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return (data) => hash('sha256', data);
}

/** From so many texts on, loading the digest of Node is worth it. */
const MANY = 500;

export function digestFor(count: number): TextDigest {
  if (count < MANY) return textDigest;
  const digest = nativeDigest();
  return (text, digits) => digest(text).slice(0, digits);
}

/** Reports whether a real path, without links, may be read. */
export type Within = (realPath: string) => boolean;

/** Allows everything in one of the folders, which may be links. A missing folder allows nothing. */
export function withinAny(folders: readonly string[]): Within {
  const real = folders.flatMap((folder) => realPath(folder) ?? []);
  return (path) => real.some((folder) => isInside(path, folder));
}

/** Follows links as far as the path exists. It never throws: a file outside of a boundary is like a missing one. */
export function placeOf(path: string): string {
  /** The names below the part that exists, the last one first. */
  const missing: string[] = [];
  let at = resolve(path);
  for (let links = 0; ; ) {
    const parent = dirname(at);
    const real = at.length > LONGEST_PATH ? undefined : realPath(at);
    if (real !== undefined || parent === at) return join(real ?? at, missing.reverse().join(sep));
    const target = at.length > LONGEST_PATH || links === MAX_LINKS ? undefined : linkTarget(at);
    if (target === undefined) {
      missing.push(basename(at));
      at = parent;
    } else {
      links += 1;
      at = resolve(realPath(parent) ?? parent, target);
    }
  }
}

/** No system has files with longer paths. */
const LONGEST_PATH = 32_768;

export const outside = (path: string): Report =>
  unplaced(
    'path-outside',
    told`${{ file: trusted.file(path) }} is outside the repository`,
    composeText`an administrator can allow a folder with --allow-dir in plugin.yaml`,
  );

/** Reports whether there is anything at a path, also a link that leads nowhere or out of a boundary. */
export const isPresent = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Reports whether a path is that of a folder or below it; both without links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

/** The file that is always empty. Loading `node:os` for it would take a part of every start. */
export const devNull = process.platform === 'win32' ? '\\\\.\\nul' : '/dev/null';

/**
 * Returns the folders of a PATH without empty and relative ones, which depend on the current folder, and without those
 * within a boundary, with links followed: `npx` puts the node_modules/.bin of a repository on the PATH.
 */
export const trustedFolders = (path: string, isUntrusted: Within): string[] =>
  path.split(delimiter).filter((folder) => isAbsolute(folder) && !isUntrusted(realPath(folder) ?? folder));

/** Returns the file of a program in the trusted folders of a PATH; it may not be a link into the boundary either. */
export function programOn(path: string, name: string, isUntrusted: Within = () => false): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return trustedFolders(path, isUntrusted)
    .map((folder) => join(folder, file))
    .find((program) => isProgram(program) && !isUntrusted(realPath(program) ?? program));
}

const isProgram = (path: string): boolean =>
  ifPossible(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }) === true;

export const MOST_BYTES = 256 * 1024 * 1024;

interface Limits {
  /** The boundary of what may be read; no limit by default. */
  within?: Within | undefined;
  limit?: number;
}

/** A file outside of the boundary; the error is the same whether it exists or not. */
export class OutsideError extends FileError {}

/**
 * Reads a file. Every command reads through this function: a pipe, a socket or a device, which may never end, is an
 * error, also in the place of a file that was checked before. Links are followed within the boundary.
 * @throws {OutsideError} if the path leads out of the boundary
 * @throws if the file is missing, not a regular file, or larger than the limit
 */
export function readRegularFile(path: string, { within, limit = MOST_BYTES }: Limits = {}): Buffer {
  return withRegularFile(path, within, (descriptor, size) => readUpTo(descriptor, size, limit));
}

/** Returns the first bytes of a file, at most `most`. Throws as `readRegularFile`, but for the size. */
export const readStart = (path: string, most: number, within: Within): Buffer =>
  withRegularFile(path, within, (descriptor, size) => {
    const chunk = Buffer.allocUnsafe(Math.min(size, most));
    return chunk.subarray(0, readSync(descriptor, chunk));
  });

/** Opens a regular file within a boundary, and closes it after `read`. */
function withRegularFile(
  path: string,
  within: Within | undefined,
  read: (descriptor: number, size: number) => Buffer,
): Buffer {
  if (within?.(placeOf(path)) === false) throw new OutsideError(`${path} is outside the repository`);
  const present = statSync(path);
  if (!present.isFile()) throw notRegular(present);
  // O_NONBLOCK: opening a pipe would wait for its other end. Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const descriptor =
    within === undefined
      ? openSync(path, O_RDONLY | O_NONBLOCK)
      : openSync(realInside(path, within), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw notRegular(stat);
    return read(descriptor, stat.size);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the path with links followed. It may have changed since it was checked. */
function realInside(path: string, within: Within): string {
  const real = realpathSync(path);
  if (within(real)) return real;
  throw new OutsideError(`${path} is outside the repository`);
}

/** Reads a file as UTF-8 text, without a byte order mark. @throws as `readRegularFile`, and for other bytes */
export const readRegularText = (path: string, limits?: Limits): string => decode(readRegularFile(path, limits));

/** Reads a file within a boundary; undefined, and reported, if that is not possible. */
export function readOrReport(path: string, within: Within, reports: Collector): Buffer | undefined {
  try {
    return readRegularFile(path, { within });
  } catch (error) {
    reports.add(unreadable(path, error));
    return undefined;
  }
}

/** Reports a file that a tool cannot or must not read, by the name that was given. */
export function checkRegular(path: string, name: string, reports: Collector): void {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw notRegular(stat);
    if (stat.size > MOST_BYTES) throw tooLarge(MOST_BYTES);
    // Tools normalize some of them.
    if (/\p{Cc}/u.test(path)) throw new FileError('its path has control characters');
  } catch (error) {
    reports.add(unreadable(name, error));
  }
}

export function unreadable(path: string, error: unknown): Report {
  if (error instanceof OutsideError) return outside(path);
  const message = told`cannot read ${path === '-' ? 'standard input' : trusted.file(path)}: ${{ reason: trusted.error(readFault(error)) }}`;
  return unplaced('unreadable-file', message);
}

export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Returns why the system rejects a path, without the path and the name of the call. */
export function readFault(error: unknown): string {
  const code = codeOf(error);
  const known = ownValue(REASONS, code);
  if (known !== undefined || !isOfSystem(error)) return known ?? messageOf(error);
  return getSystemErrorMap().get(error.errno ?? 0)?.[1] ?? code;
}

/** Reports whether the operating system rejected a call. */
export const isOfSystem = (
  error: unknown,
): error is Error & { code: string; errno?: number; syscall: string; path?: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** Returns the report of an error that the files of a person cause; undefined for any other, which is a bug. */
export function unusable(error: unknown): Report | undefined {
  if (error instanceof FileError) return unplaced('unreadable-file', trusted.error(error.message));
  const isText = codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  if (!isText && !isOfSystem(error)) return undefined;
  const path = isOfSystem(error) ? error.path : undefined;
  const subject = path === undefined ? composeText`a file` : trusted.file(path);
  return unplaced('unreadable-file', told`cannot use ${subject}: ${{ reason: trusted.error(readFault(error)) }}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ELOOP: 'it is a link that leads to itself',
  ENAMETOOLONG: 'its name is too long',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EBUSY: 'another program uses it',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

export const NOT_REGULAR = new FileError('it is a pipe, a socket or a device, not a regular file');

const notRegular = (stat: Stats): Error => (stat.isDirectory() ? new FileError('it is a folder') : NOT_REGULAR);

export const tooLarge = (limit: number): Error => new FileError(`it is larger than ${limit} bytes`);

/** The size may be 0 for a file that has content, and the file may grow while it is read. */
function readUpTo(descriptor: number, size: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  for (let next = Math.min(size, limit) + 1; ; next = CHUNK) {
    const chunk = Buffer.allocUnsafe(next);
    const count = readSync(descriptor, chunk);
    if (count === 0) optimizeLater(total);
    if (count === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    total += count;
    if (total > limit) throw tooLarge(limit);
    chunks.push(chunk.subarray(0, count));
  }
}

const CHUNK = 65_536;

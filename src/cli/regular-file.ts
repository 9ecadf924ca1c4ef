import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { type Collector, composeText, type Report, trusted, unplaced } from '../core/diagnostics/index.ts';
import { outside, placeOf, type Within } from './boundary.ts';
import { codeOf, FileError, messageOf } from './file-system.ts';
import { optimizeLater } from './optimize.ts';

/** The size of the largest file that is read, in bytes. */
export const MOST_BYTES = 256 * 1024 * 1024;

interface Limits {
  /** The boundary of what may be read; no limit by default. */
  within?: Within | undefined;
  /** The maximum size in bytes; MOST_BYTES by default. */
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
    return readUpTo(descriptor, stat.size, limit);
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
  const message = composeText`cannot read ${path === '-' ? 'standard input' : trusted.file(path)}: ${trusted.error(readFault(error))}`;
  return unplaced('unreadable-file', message);
}

/** Decodes UTF-8 text; throws for other bytes. */
export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Returns why a path cannot be read, from the error of reading it. */
export function readFault(error: unknown): string {
  return REASONS[codeOf(error)] ?? messageOf(error);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a link that leads to itself',
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

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type TextDigest, textDigest } from '../core/digest/hashes.ts';

/** A file that exists and is not read: it is outside of a boundary, too large, or not a regular file. */
export class FileError extends Error {}

/**
 * Returns the result of a call, or `undefined` if the system rejects it: a missing file, a denied permission, a path that
 * no file can have, bytes that are not UTF-8.
 * @throws any other error: it is a bug
 */
export function ifPossible<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    // Node gives its own errors a code.
    if (error instanceof FileError || !['', 'ERR_INVALID_ARG_TYPE'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** Returns the message of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the code of an error of the system; '' for others. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Returns the status of a file; undefined if it is missing or cannot be reached. */
export const statOf = (path: string): Stats | undefined => ifPossible(() => statSync(path));

/** Returns the status of a file or link, as `statOf`. */
export const linkStatOf = (path: string): Stats | undefined => ifPossible(() => lstatSync(path));

/** Returns the path with links followed, as `statOf`. */
export const realPath = (path: string): string | undefined => ifPossible(() => realpathSync(path));

/** Returns the target of a link; undefined for other files, and as `statOf`. */
export const linkTarget = (path: string): string | undefined => ifPossible(() => readlinkSync(path));

/** Returns the names in a folder; none if it cannot be read. */
export const namesIn = (folder: string): string[] => ifPossible(() => readdirSync(folder)) ?? [];

/** Returns the nearest folder, this one or above, with an entry of that name. Folders that cannot be read have none. */
export function nearestAbove(folder: string, name: string): string | undefined {
  if (ifPossible(() => existsSync(join(folder, name)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestAbove(parent, name);
}

/** Adds a key; returns false if it was added before. */
export const addOnce = (seen: Set<string>, key: string): boolean => seen.size < seen.add(key).size;

/** Orders paths by their bytes. */
export const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * Returns a function that creates folders below one, each once. It fails if one exists already, which may be a link, or
 * if the folder itself is gone: another process took over.
 */
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

/** Returns a path with `/` between its parts; on POSIX, a backslash is a character of a name. */
export const slashed = (path: string): string => path.split(sep).join('/');

/** Returns the SHA-256 of Node. It is faster than ours by a factor of seven, but takes milliseconds to load. */
export function nativeDigest(): (data: string | Uint8Array) => string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return (data) => hash('sha256', data);
}

/** From so many texts on, loading the digest of Node is worth it. */
const MANY = 500;

/** Returns the faster digest for so many texts. */
export function digestFor(count: number): TextDigest {
  if (count < MANY) return textDigest;
  const digest = nativeDigest();
  return (text, digits) => digest(text).slice(0, digits);
}

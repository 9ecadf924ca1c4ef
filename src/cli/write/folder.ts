import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { codeOf, FileError, ifPossible, isInside, nearestAbove, realPath, withParents } from '../file-system.ts';

/** A link, or something that took the place of a folder after it was opened. */
export class LinkError extends FileError {}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * A folder that is held open. What is written in it is addressed through its descriptor on Linux; elsewhere the folder
 * and those above it are compared with what was opened before each use. No link below it is followed.
 */
export class OpenFolder {
  readonly real: string;
  readonly stat: Stats;
  readonly #above: OpenFolder | undefined;
  readonly #descriptor: number | undefined;
  readonly #path: string;

  private constructor(path: string, real: string, above: OpenFolder | undefined) {
    // Windows opens no folders.
    const descriptor = process.platform === 'win32' ? undefined : openFolder(path, real);
    const stat = descriptor === undefined ? lstatSync(path) : fstatSync(descriptor);
    if (!stat.isDirectory()) throw new LinkError(`${real} is not a folder`);
    const held = `/proc/self/fd/${descriptor}`;
    this.real = real;
    this.stat = stat;
    this.#above = above;
    this.#descriptor = descriptor;
    this.#path = descriptor !== undefined && existsSync(`${held}/.`) ? held : real;
  }

  /** Opens a folder; links on the way to it are followed. @throws what the system says */
  static at(path: string): OpenFolder {
    const real = realpathSync(path);
    return new OpenFolder(real, real, undefined);
  }

  /** Opens a folder in this one. @throws {LinkError} if it is a link or a file */
  folder(name: string): OpenFolder {
    return new OpenFolder(this.in(name), join(this.real, name), this);
  }

  /** Opens a folder in this one, which is created if it does not exist. */
  made(name: string): OpenFolder {
    try {
      mkdirSync(this.in(name));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    return this.folder(name);
  }

  /** Returns the path of an entry, for calls that follow no link themselves. @throws {LinkError} after a replacement */
  in(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes(sep)) {
      throw new LinkError(`${JSON.stringify(name)} is no name in a folder`);
    }
    if (this.#path === this.real) this.#compare();
    return join(this.#path, name);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #compare(): void {
    if (this.#above !== undefined) this.#above.#compare();
    const now = lstatSync(this.real);
    if (!isSame(now, this.stat)) throw new LinkError(`${this.real} was replaced`);
  }
}

export const isSame = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino;

function openFolder(path: string, real: string): number {
  try {
    return openSync(path, FOLDER);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
    const isLink = ifPossible(() => lstatSync(path).isSymbolicLink()) === true;
    throw new LinkError(isLink ? `${real} is a link` : `${real} is not a folder`);
  }
}

/** Folders below an open one, of which those on the way to the last path are open. */
export class Descent {
  readonly #top: OpenFolder;
  readonly #open: { name: string; folder: OpenFolder }[] = [];

  constructor(top: OpenFolder) {
    this.#top = top;
  }

  /** Returns the folder of a relative path with slashes. `makes` creates the missing ones. */
  at(path: string, makes = false): OpenFolder {
    const names = path === '' || path === '.' ? [] : path.split('/');
    const shared = names.findIndex((name, index) => this.#open[index]?.name !== name);
    this.#closeFrom(shared < 0 ? names.length : shared);
    let folder = this.#open.at(-1)?.folder ?? this.#top;
    for (const name of names.slice(this.#open.length)) {
      folder = makes ? folder.made(name) : folder.folder(name);
      this.#open.push({ name, folder });
    }
    return folder;
  }

  /** Returns the path of an entry below, for calls that follow no link themselves. */
  in(path: string, makes = false): string {
    const end = path.lastIndexOf('/');
    return this.at(path.slice(0, Math.max(0, end)), makes).in(path.slice(end + 1));
  }

  close(): void {
    this.#closeFrom(0);
  }

  #closeFrom(index: number): void {
    for (const { folder } of this.#open.splice(index).reverse()) folder.close();
  }
}

/**
 * Checks a path that a person names for writing. A link in a repository must not lead out of it, and a path that is a
 * link itself must not lead out of its folder unless that is in a repository: what a repository contains decides nothing
 * about files elsewhere. Links of the machine on the way to the path are followed. @throws {LinkError}
 */
export function checkNamed(path: string): void {
  const absolute = resolve(path);
  const names = relative(rootOf(absolute), absolute).split(sep).filter(Boolean);
  let at = rootOf(absolute);
  for (const [index, name] of names.entries()) {
    const next = join(at, name);
    const stat = ifPossible(() => lstatSync(next));
    if (stat === undefined) return;
    if (!stat.isSymbolicLink()) {
      at = next;
      continue;
    }
    const isLast = index === names.length - 1;
    const boundary = nearestAbove(at, '.git') ?? (isLast ? at : undefined);
    const target = realPath(next);
    if (target === undefined) throw new LinkError(`${next} is a link that leads nowhere`);
    if (boundary !== undefined && !isInside(target, boundary)) {
      throw new LinkError(`${next} is a link that leads out of ${boundary}`);
    }
    at = target;
  }
}

const rootOf = (absolute: string): string => withParents(absolute).at(-1) as string;

/** Opens a folder that a person names, and creates it and those above it if they do not exist. */
export function openNamed(path: string): OpenFolder {
  const absolute = resolve(path);
  checkNamed(absolute);
  const missing: string[] = [];
  let present = absolute;
  while (ifPossible(() => lstatSync(present)) === undefined && dirname(present) !== present) {
    missing.push(basename(present));
    present = dirname(present);
  }
  let folder = OpenFolder.at(present);
  for (const name of missing.reverse()) {
    const inner = folder.made(name);
    folder.close();
    folder = inner;
  }
  return folder;
}

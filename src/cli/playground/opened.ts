import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { FoundText } from '../../authoring/input/index.ts';
import type { Report } from '../../core/diagnostics/index.ts';
import { codeOf, messageOf, nativeDigest, slashed, statOf } from '../file-system.ts';
import { enterWorkspace, INSIDE, PARTS, placeBeside } from '../write/index.ts';
import { fitting } from './limits.ts';

export interface Snapshot {
  /** A save names what it replaces by its digest. */
  readonly files: readonly { name: string; role: string; text: string; digest: string }[];
  /** The files that the page cannot show. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
}

/** A folder that was opened, or the folder of a file that was: as it was at the start. */
interface Root {
  readonly given: string;
  readonly folder: string;
  readonly stat: Stats;
  /** The name of the file; undefined for a folder. */
  readonly file: string | undefined;
}

/** The files of each role as they are now, and what could not be read. */
export interface Found {
  readonly texts: readonly (readonly [role: string, files: readonly FoundText[]])[];
  readonly faults: readonly Report[];
}

/** The files that the command was started with. Each look reads them from disk again. */
export class OpenedFiles {
  readonly #roots: readonly Root[];
  readonly #look: () => Found;
  /** A path keeps its name. */
  readonly #names = new Map<string, string>();
  readonly #paths = new Map<string, string>();
  readonly #digest = nativeDigest();

  constructor(given: readonly string[], look: () => Found) {
    this.#roots = given.map(rootOf);
    this.#look = look;
  }

  /** Identifies the opened paths, so that a browser keeps the changes of each on its own. */
  get key(): string {
    return this.#digest(JSON.stringify(this.#roots.map(({ folder, file }) => [folder, file]))).slice(0, 16);
  }

  snapshot(): Snapshot {
    const { texts, faults } = this.#look();
    const files = texts.flatMap(([role, found]) =>
      found.map(({ file, text }) => ({ name: this.#nameOf(file, role), role, text, digest: this.#digest(text) })),
    );
    const { taken, left } = fitting(files);
    return { files: taken, left: [...left, ...faults.map(({ message }) => ({ name: '', reason: message }))] };
  }

  /** Returns a text that changes when a file does. It reads no file. */
  stamp(): string {
    const paths = [...this.#paths.values(), ...this.#roots.map(({ folder }) => folder)];
    const stats = [...new Set(paths.flatMap((path) => [path, dirname(path)]))].map(statOf);
    return this.#digest(JSON.stringify(stats.map((stat) => stat && [stat.ino, stat.size, stat.mtimeMs])));
  }

  /** Writes a text over the file that has this digest. */
  save(name: string, text: string, digest: string): Saved {
    const path = this.#paths.get(name);
    const root = path === undefined ? undefined : this.#roots.find((one) => holds(one, path));
    if (path === undefined || root === undefined) return { state: 'refused', fault: `${name} was not opened` };
    const way = root.file === undefined ? relative(root.given, path).split(sep) : [root.file];
    return saveBelow(root, way, { text, replaces: digest }, this.#digest);
  }

  /** Names are relative paths: `..` is removed, and a duplicate gets a number. */
  #nameOf(path: string, role: string): string {
    const known = this.#names.get(`${role}\0${path}`);
    if (known !== undefined) return known;
    const wanted = slashed(path).replace(/^(?:\.{0,2}\/)+/, '');
    let name = wanted;
    for (let number = 2; this.#paths.has(name); number += 1) name = `${number}/${wanted}`;
    this.#names.set(`${role}\0${path}`, name);
    this.#paths.set(name, path);
    return name;
  }
}

/** @throws if the path does not exist */
function rootOf(given: string): Root {
  const real = realpathSync(given);
  const isFolder = statSync(real).isDirectory();
  const folder = isFolder ? real : dirname(real);
  return { given, folder, stat: statSync(folder), file: isFolder ? undefined : basename(real) };
}

const holds = ({ given, file }: Root, path: string): boolean =>
  file === undefined ? resolve(path).startsWith(resolve(given, `.${sep}`) + sep) : path === given;

/** Returns the page with the files in it; it may read them again, and send changes back only if they are writable. */
export function pageWith(page: Uint8Array, opened: OpenedFiles, write: boolean): Uint8Array {
  // Escapes the files so that they cannot end the element.
  const json = JSON.stringify({ key: opened.key, write, ...opened.snapshot() }).replaceAll('<', '\\u003c');
  const script = `<script type="application/json" id="opened">${json}</script>`;
  const html = Buffer.from(page).toString().replace("connect-src 'none'", "connect-src 'self'");
  return Buffer.from(html.replace('</body>', () => `${script}</body>`));
}

/** The outcome of a save. A file that is no longer what the page read is returned as it is now: `null` if deleted. */
export type Saved =
  | { readonly state: 'written'; readonly digest: string }
  | { readonly state: 'changed'; readonly file: { readonly text: string; readonly digest: string } | null }
  | { readonly state: 'refused' | 'busy'; readonly fault: string };

type Digest = (data: string) => string;

/** Another process writes the file now: a later try may succeed. */
class Busy extends Error {}

/** Replaces a file that has the digest of what was read; no link on its way is followed. Line ends and mode stay. */
function saveBelow(
  root: { readonly folder: string; readonly stat: Stats },
  way: readonly string[],
  { text, replaces }: { readonly text: string; readonly replaces: string },
  digest: Digest,
): Saved {
  const opened: number[] = [];
  try {
    if (/\p{Cs}/u.test(text)) return { state: 'refused', fault: 'the text contains half a character' };
    const folder = openFolder(root, way.slice(0, -1), opened);
    const path = join(folder(), way.at(-1) ?? '');
    const present = readRegular(path, opened);
    if (present === undefined) return { state: 'changed', file: null };
    const { before, stat } = present;
    const after = likeBefore(text, before);
    const isDone = after === before;
    if (!isDone && digest(shown(before)) !== replaces)
      return { state: 'changed', file: { text: shown(before), digest: digest(shown(before)) } };
    if (!isDone) replace(path, after, stat, () => folder());
    return { state: 'written', digest: digest(shown(after)) };
  } catch (error) {
    const reason = reasonOf(error).replaceAll(/\/proc\/self\/fd\/\d+/g, root.folder);
    return { state: error instanceof Busy ? 'busy' : 'refused', fault: `cannot write ${way.join('/')}: ${reason}` };
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens one folder below the other: on Linux the result is a descriptor, elsewhere the folders are checked again. */
function openFolder(root: Parameters<typeof saveBelow>[0], names: readonly string[], opened: number[]) {
  const folders: { path: string; stat: Stats }[] = [];
  let path = root.folder;
  let real = root.folder;
  for (const name of ['.', ...names]) {
    path = join(path, name);
    real = join(real, name);
    // Windows opens no folders.
    const descriptor = process.platform === 'win32' ? undefined : openSync(path, FOLDER);
    if (descriptor !== undefined) opened.push(descriptor);
    const stat = descriptor === undefined ? lstatSync(path) : fstatSync(descriptor);
    if (!stat.isDirectory() || (folders.length === 0 && !isSame(stat, root.stat)))
      throw new Error(`${real} was replaced`);
    folders.push({ path: real, stat });
    const link = `/proc/self/fd/${descriptor}`;
    if (descriptor !== undefined && existsSync(`${link}/.`)) path = link;
  }
  return (): string => {
    if (path !== real) return path;
    if (folders.some(({ path, stat }) => !isSame(lstatSync(path), stat))) throw new Error(`${real} was replaced`);
    return path;
  };
}

const isSame = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino;

/** @throws if the path is a link, no regular file, not writable or not UTF-8 */
function readRegular(path: string, opened: number[]): { before: string; stat: Stats } | undefined {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (seen === undefined) return undefined;
  if (!seen.isFile()) throw new Error(seen.isSymbolicLink() ? 'it is a link' : 'it is not a regular file');
  const descriptor = openSync(path, FILE);
  opened.push(descriptor);
  const stat = fstatSync(descriptor);
  if (!stat.isFile() || !isSame(stat, seen)) throw new Busy('it is being replaced');
  if ((stat.mode & 0o222) === 0) throw new Error('it is read-only');
  accessSync(path, constants.W_OK);
  const bytes = readFileSync(descriptor);
  return { before: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), stat };
}

/** Replaces a file that nobody changed since it was read. */
function replace(path: string, text: string, stat: Stats, folder: () => string): void {
  const entered = enterWorkspace(placeBeside(path) ?? join(folder(), INSIDE));
  if ('fault' in entered) throw new Busy(entered.fault);
  const beside = join(entered.folder, PARTS.files);
  try {
    const descriptor = openSync(beside, 'wx', 0o600);
    try {
      writeFileSync(descriptor, text);
      const own = fstatSync(descriptor);
      if (own.uid !== stat.uid || own.gid !== stat.gid) fchownSync(descriptor, stat.uid, stat.gid);
      fchmodSync(descriptor, stat.mode & 0o7777);
    } finally {
      closeSync(descriptor);
    }
    const now = lstatSync(path);
    if (!isSame(now, stat) || now.mtimeMs !== stat.mtimeMs || now.size !== stat.size)
      throw new Busy('it is being changed');
    folder();
    renameSync(beside, path);
  } finally {
    entered.release();
  }
}

/** The text without a byte order mark, as files are read. */
const shown = (text: string): string => text.replace(/^\uFEFF/, '');

/** Returns a text with the byte order mark and the line ends of the one before: editors know only one line end. */
function likeBefore(text: string, before: string): string {
  const old = linesOf(shown(before));
  const lines = linesOf(text);
  let head = 0;
  while (head < Math.min(old.length, lines.length) && old[head]?.[0] === lines[head]?.[0]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, lines.length) - head;
  while (tail < most && old.at(-1 - tail)?.[0] === lines.at(-1 - tail)?.[0]) tail += 1;
  const usual = old[0]?.[1] || '\n';
  const ended = lines.map(([line, end], index) => {
    const same =
      index < head ? old[index] : index >= lines.length - tail ? old[old.length - lines.length + index] : undefined;
    return line + (end === '' ? '' : same?.[1] || usual);
  });
  return (before.startsWith('\uFEFF') ? '\uFEFF' : '') + ended.join('');
}

/** Lines with their ends; the last has none. */
const linesOf = (text: string): [line: string, end: string][] => {
  const parts = text.split(/(\r\n|\r|\n)/);
  return Array.from({ length: (parts.length + 1) / 2 }, (_, index) => [
    parts[2 * index] ?? '',
    parts[2 * index + 1] ?? '',
  ]);
};

const reasonOf = (error: unknown): string => {
  const code = codeOf(error);
  if (code === 'ELOOP' || code === 'ENOTDIR') return 'a folder of its path is a link, or was replaced';
  return messageOf(error);
};

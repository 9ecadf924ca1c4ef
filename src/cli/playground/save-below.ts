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
  renameSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../file-system.ts';
import { enterWorkspace, INSIDE, PARTS, placeBeside } from '../write/index.ts';

/** The outcome of a save. A file that is no longer what the page read is returned as it is now: `null` if deleted. */
export type Saved =
  | { readonly state: 'written'; readonly digest: string }
  | { readonly state: 'changed'; readonly file: { readonly text: string; readonly digest: string } | null }
  | { readonly state: 'refused' | 'busy'; readonly fault: string };

type Digest = (data: string) => string;

/** Another process writes the file now: a later try may succeed. */
class Busy extends Error {}

/**
 * Replaces a file below a folder by a rename, if it has the digest of what was read. Links are not followed, neither in
 * place of the file nor of a folder: each folder is opened below the one before. Line ends, a byte order mark and the
 * mode stay.
 */
export function saveBelow(
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

/**
 * Opens the folders of a path one below the other. Returns a function that returns the path of the last one. On Linux
 * that is its descriptor, so what is swapped in later is not followed; elsewhere it checks the folders again.
 * @throws if one is a link, or no folder
 */
function openFolder(root: Parameters<typeof saveBelow>[0], names: readonly string[], opened: number[]) {
  const folders: { path: string; stat: Stats }[] = [];
  let [path, real] = [root.folder, root.folder];
  for (const name of ['.', ...names]) {
    [path, real] = [join(path, name), join(real, name)];
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
  const [old, lines] = [linesOf(shown(before)), linesOf(text)];
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

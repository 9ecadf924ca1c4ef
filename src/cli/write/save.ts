import {
  accessSync,
  closeSync,
  constants,
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
import { basename } from 'node:path';
import { readFault } from '../file-system.ts';
import { Descent, isSame, LinkError, OpenFolder } from './folder.ts';
import { enterWorkspace, INSIDE, PARTS, placeBeside } from './workspace.ts';

/** The outcome of a save. A file that is no longer what the page read is returned as it is now: `null` if deleted. */
export type Saved =
  | { readonly state: 'written'; readonly digest: string }
  | { readonly state: 'changed'; readonly file: { readonly text: string; readonly digest: string } | null }
  | { readonly state: 'refused' | 'busy'; readonly fault: string };

/** A folder as it was when it was opened. */
export interface SaveRoot {
  readonly folder: string;
  readonly stat: Stats;
}

type Digest = (data: string) => string;

/** Another process writes the file now: a later try may succeed. */
class Busy extends Error {}

/** Replaces a file that has the digest of what was read; no link on its way is followed. Line ends and mode stay. */
export function saveBelow(
  root: SaveRoot,
  way: readonly string[],
  { text, replaces }: { readonly text: string; readonly replaces: string },
  digest: Digest,
): Saved {
  let top: OpenFolder | undefined;
  let below: Descent | undefined;
  const opened: number[] = [];
  try {
    if (/\p{Cs}/u.test(text)) return { state: 'refused', fault: 'the text contains half a character' };
    top = OpenFolder.at(root.folder);
    if (!isSame(top.stat, root.stat)) throw new LinkError(`${root.folder} was replaced`);
    below = new Descent(top);
    const folder = below.at(way.slice(0, -1).join('/'));
    const name = way.at(-1) ?? '';
    const present = readRegular(folder.in(name), opened);
    if (present === undefined) return { state: 'changed', file: null };
    const { before, stat } = present;
    const after = likeBefore(text, before);
    const isDone = after === before;
    if (!isDone && digest(shown(before)) !== replaces)
      return { state: 'changed', file: { text: shown(before), digest: digest(shown(before)) } };
    if (!isDone) replace(folder, name, after, stat);
    return { state: 'written', digest: digest(shown(after)) };
  } catch (error) {
    const state = error instanceof Busy ? 'busy' : 'refused';
    return { state, fault: `cannot write ${way.join('/')}: ${readFault(error)}` };
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
    below?.close();
    top?.close();
  }
}

const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @throws if the path is a link, no regular file, not writable or not UTF-8 */
function readRegular(path: string, opened: number[]): { before: string; stat: Stats } | undefined {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (seen === undefined) return undefined;
  if (!seen.isFile()) throw new LinkError(seen.isSymbolicLink() ? 'it is a link' : 'it is not a regular file');
  const descriptor = openSync(path, FILE);
  opened.push(descriptor);
  const stat = fstatSync(descriptor);
  if (!stat.isFile() || !isSame(stat, seen)) throw new Busy('it is being replaced');
  if ((stat.mode & 0o222) === 0) throw new LinkError('it is read-only');
  accessSync(path, constants.W_OK);
  const bytes = readFileSync(descriptor);
  return { before: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), stat };
}

/** Replaces a file that nobody changed since it was read. */
function replace(folder: OpenFolder, name: string, text: string, stat: Stats): void {
  const place = basename(placeBeside(name) ?? INSIDE);
  const entered = enterWorkspace({ path: folder.in(place), shown: `${folder.real}/${place}` });
  if ('fault' in entered) throw new Busy(entered.fault);
  const beside = `${entered.folder}/${PARTS.files}`;
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
    const now = lstatSync(folder.in(name));
    if (!isSame(now, stat) || now.mtimeMs !== stat.mtimeMs || now.size !== stat.size)
      throw new Busy('it is being changed');
    renameSync(beside, folder.in(name));
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

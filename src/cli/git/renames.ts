import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../core/model/attempt.ts';
import { foldersFrom } from '../../core/text/paths.ts';
import { linkStatOf } from '../file-system.ts';
import { readRegularFile } from '../regular-file.ts';
import { readEntries } from './links.ts';
import { GitError } from './run.ts';
import type { Tree } from './tree.ts';

/** Files are compared if there are at most so many pairs, about as in git. */
const MOST_PAIRS = 1_000_000;

/** The share of its bytes that a moved file has in common with the older one, as in git. */
const SIMILAR = 0.5;

const READ = /\.(ya?ml|json)$/;

/**
 * Returns the path in a commit: follows files that were moved since, and folders whose files were all moved from one
 * other folder.
 */
export function renamesSince(root: string, tree: Tree): (path: string) => string {
  const known = new Set([...tree.keys()].flatMap(foldersFrom));
  return (path) => {
    if (path === '' || known.has(path)) return path;
    const from = new Set(
      movedTo(root, path, tree).flatMap(([old, newer]) => {
        if (newer === path) return [old];
        const rest = newer.slice(path.length);
        return old.endsWith(rest) ? [old.slice(0, -rest.length)] : [];
      }),
    );
    const [only] = from;
    return from.size === 1 && only !== undefined ? only : path;
  };
}

/** Returns the files of the commit that are gone, each with the most similar one at or below a path. */
function movedTo(root: string, path: string, tree: Tree): (readonly [old: string, newer: string])[] {
  const isThere = (file: string): boolean => linkStatOf(join(root, file)) !== undefined;
  const gone = [...tree].filter(([file, { isLink }]) => !isLink && READ.test(file) && !isThere(file));
  const fresh = filesBelow(root, path).filter((file) => !tree.has(file));
  if (gone.length === 0 || gone.length * fresh.length > MOST_PAIRS) return [];
  const contents = attempt(() => readEntries(gone.map(([, entry]) => entry)), GitError);
  if (contents === undefined) return [];
  const old = gone.map(([file], index) => ({ file, lines: linesOf(contents[index] as Buffer) }));
  return fresh.flatMap((newer) => {
    const lines = linesOf(readRegularFile(join(root, newer)));
    const scored = old.map(({ file, lines: other }) => [file, similarity(other, lines)] as const);
    const [best] = scored.sort((a, b) => b[1] - a[1] || commonEnd(b[0], newer) - commonEnd(a[0], newer));
    return best !== undefined && best[1] >= SIMILAR ? [[best[0], newer] as const] : [];
  });
}

function filesBelow(root: string, path: string): string[] {
  const stat = linkStatOf(join(root, path));
  if (stat?.isFile()) return [path];
  if (!stat?.isDirectory()) return [];
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .filter((entry) => entry.isDirectory() || (entry.isFile() && READ.test(entry.name)))
    .flatMap((entry) => filesBelow(root, `${path}/${entry.name}`));
}

interface Lines {
  size: number;
  /** How often each line occurs. */
  counts: ReadonlyMap<string, number>;
}

function linesOf(content: Buffer): Lines {
  const counts = new Map<string, number>();
  for (const line of content.toString('latin1').split(/(?<=\n)/)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return { size: content.length, counts };
}

/** Returns the bytes of common lines, as a share of the larger file. */
function similarity(one: Lines, other: Lines): number {
  const larger = Math.max(one.size, other.size);
  if (larger === 0 || Math.min(one.size, other.size) < larger * SIMILAR) return 0;
  let common = 0;
  for (const [line, count] of one.counts) common += line.length * Math.min(count, other.counts.get(line) ?? 0);
  return common / larger;
}

/** Returns the number of characters at the end of two paths that are the same. */
function commonEnd(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

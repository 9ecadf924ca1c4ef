import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Collector, composeText, type Report, trusted, unplaced } from '../../../core/diagnostics/index.ts';
import { outside, placeOf, type Within } from '../../boundary.ts';
import { realPath, statOf } from '../../file-system.ts';
import { MOST_BYTES, NOT_REGULAR, tooLarge, unreadable } from '../../regular-file.ts';

/** More entries than a chart has; helm reads a folder once for each path of links to it. */
const MAX_ENTRIES = 200_000;

/**
 * Checks that no link below a folder leaves the boundary. Links to folders are followed recursively, as helm and
 * kustomize follow them. Reports pipes and devices too, cycles of links, and links that would make a tool read the same
 * folders too often.
 */
export function checkLinks(folder: string, within: Within, reports: Collector): boolean {
  const counts = new Map<string, number>();
  const open = new Set<string>();
  const reported = new Set<string>();
  const report = (key: string, one: Report): void => {
    if (!reported.has(key)) reports.add(one);
    reported.add(key);
  };
  /** Returns the number of entries that a tool reads below. */
  const visit = (path: string): number => {
    const real = realPath(path) ?? path;
    if (open.has(real)) {
      const message = composeText`the link ${trusted.file(path)} points to a folder that contains it`;
      report(real, unplaced('build-failed', message));
      return 0;
    }
    const known = counts.get(real);
    if (known !== undefined) return known;
    open.add(real);
    let count = 0;
    for (const entry of readdirSync(real, { withFileTypes: true })) {
      const at = join(path, entry.name);
      count += 1;
      if (entry.isSymbolicLink() && !within(placeOf(at))) report(placeOf(at), outside(at));
      else {
        const kind = kindOf(at);
        if (kind === 'folder') count += entry.name === '.git' ? 0 : visit(at);
        else if (kind !== 'file') report(at, unreadable(at, kind === 'large' ? tooLarge(MOST_BYTES) : NOT_REGULAR));
      }
    }
    open.delete(real);
    counts.set(real, count);
    return count;
  };
  if (visit(folder) > MAX_ENTRIES) {
    const message = composeText`${trusted.file(folder)} contains more than ${MAX_ENTRIES} files, counted through every link`;
    report('', unplaced('build-failed', message));
  }
  return reported.size === 0;
}

/** Returns the kind of a path; a dangling link, or one to itself, is a file, which the tool reports when it reads it. */
function kindOf(path: string): 'folder' | 'file' | 'irregular' | 'large' {
  const at = statOf(path);
  if (at === undefined) return 'file';
  if (at.isDirectory()) return 'folder';
  if (!at.isFile()) return 'irregular';
  return at.size > MOST_BYTES ? 'large' : 'file';
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Collector, publicText, type Report } from '../../../core/diagnostics/index.ts';
import { outside, placeOf, realPath, type Within } from '../../boundary.ts';

/** More entries than a chart has; helm reads a folder once for each path of links to it. */
const MAX_ENTRIES = 200_000;

/**
 * Checks that no link below a folder leaves the boundary. Links to folders are followed recursively, as helm and
 * kustomize follow them. Reports cycles of links too, and links that would make a tool read the same folders too often.
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
      report(real, {
        code: 'build-failed',
        message: publicText`the link ${path} points to a folder that contains it`,
        path: [],
      });
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
      else if (isFolder(entry, at) && entry.name !== '.git') count += visit(at);
    }
    open.delete(real);
    counts.set(real, count);
    return count;
  };
  if (visit(folder) > MAX_ENTRIES) {
    const message = publicText`${folder} contains more than ${MAX_ENTRIES} files, counted through every link`;
    report('', { code: 'build-failed', message, path: [] });
  }
  return reported.size === 0;
}

function isFolder(entry: { isDirectory: () => boolean; isSymbolicLink: () => boolean }, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    // A dangling link, or one to itself: the tool reports it when it reads it.
    return false;
  }
}

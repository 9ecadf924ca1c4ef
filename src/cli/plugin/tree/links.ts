import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Collector, publicText, type Report } from '../../../core/diagnostics/index.ts';
import { outside, placeOf, realPath, type Within } from '../../boundary.ts';

/** More entries than a chart has; helm reads a folder once for each way that links lead to it. */
const MAX_ENTRIES = 200_000;

/**
 * Whether no link below a folder leads out of what may be read. Links to folders are followed, as helm and kustomize
 * follow them, whatever is linked in there included. Links in a cycle, or so many that a tool would read the same
 * folders for ever, are reported too.
 */
export function checkLinks(folder: string, within: Within, reports: Collector): boolean {
  const counts = new Map<string, number>();
  const open = new Set<string>();
  const reported = new Set<string>();
  const report = (key: string, one: Report): void => {
    if (!reported.has(key)) reports.add(one);
    reported.add(key);
  };
  /** How many entries a tool meets below. */
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
    const message = publicText`${folder} holds more than ${MAX_ENTRIES} files on all ways that links lead to them`;
    report('', { code: 'build-failed', message, path: [] });
  }
  return reported.size === 0;
}

function isFolder(entry: { isDirectory: () => boolean; isSymbolicLink: () => boolean }, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(path).isDirectory();
  } catch {
    // A link that leads nowhere, or to itself: the tool tells, if it reads it.
    return false;
  }
}

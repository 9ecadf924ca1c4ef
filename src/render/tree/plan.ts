import { Collector, publicText, type Report } from '../../core/diagnostics/index.ts';
import { enumerated } from '../../core/text/clip.ts';
import { counted } from '../../core/text/counted.ts';
import type { Owned } from './owned.ts';
import { folded } from './place.ts';

/** What is at a path: a file with this digest, nothing, or something that is neither read nor replaced. */
export type Present = { digest: string } | 'missing' | { instead: string };

export interface Wanted {
  path: string;
  digest: string;
}

/** What has to be done so that a folder holds what is wanted. */
export interface Plan {
  /** Files that are new or different. They are written after others were removed. */
  write: readonly string[];
  /** Files that were written earlier and are not rendered any more. */
  remove: readonly string[];
  unchanged: number;
  /** Why it may not be done. */
  reports: readonly Report[];
}

/**
 * Compares what is wanted with what is there. Only what the list names is replaced or removed, and only as it was
 * written; with `force` what somebody edited too, and what is where a file has to be. What is missing is written.
 */
export function planTree(
  wanted: readonly Wanted[],
  owned: Owned,
  present: (path: string) => Present,
  force: boolean,
): Plan {
  const reports = new Collector();
  const write: string[] = [];
  const remove: string[] = [];
  const mayReplace = (path: string, at: Present): boolean => {
    const problem = refusalOf(path, at, owned, force);
    if (problem !== undefined) reports.add(problem);
    return problem === undefined;
  };
  const remaining = new Set(wanted.map(({ path }) => path));
  // Where case makes no difference, removing one of two names that differ in nothing else removes the file.
  const leaving = new Set([...owned.keys()].filter((path) => !remaining.has(path)).map(folded));
  for (const { path, digest } of wanted) {
    const at = present(path);
    const isRight = typeof at === 'object' && 'digest' in at && at.digest === digest;
    if (isRight && !leaving.has(folded(path))) continue;
    if (isRight) write.push(path);
    else if (mayReplace(path, at)) write.push(path);
  }
  for (const path of owned.keys()) {
    if (remaining.has(path)) continue;
    const at = present(path);
    if (at !== 'missing' && mayReplace(path, at)) remove.push(path);
  }
  return { write, remove, unchanged: wanted.length - write.length, reports: reports.all };
}

function refusalOf(path: string, at: Present, owned: Owned, force: boolean): Report | undefined {
  if (at === 'missing') return undefined;
  if ('instead' in at) {
    const message = publicText`${path}: ${at.instead} exists instead of a file`;
    return { code: 'tree-occupied', message, path: [], hint: publicText`move it elsewhere, or change the layout` };
  }
  if (force || owned.get(path)?.has(at.digest)) return undefined;
  if (owned.has(path)) {
    const message = publicText`${path} was edited after it was written`;
    return {
      code: 'tree-edited',
      message,
      path: [],
      hint: publicText`change its instance or RGD; --force drops the edit`,
    };
  }
  const message = publicText`${path} exists, and was not written by render-rgd`;
  return { code: 'tree-occupied', message, path: [], hint: publicText`move it elsewhere; --force replaces it` };
}

/** What `--check` says of a folder: an error for each file that is not as it has to be. */
export function staleReports({ write, remove, reports }: Plan, present: (path: string) => Present): Report[] {
  const hint = publicText`render again with the same options, without --check`;
  const stale = (message: string): Report => ({ code: 'tree-stale', message: publicText`${message}`, path: [], hint });
  return [
    ...reports,
    ...write.map((path) => stale(`${path} is ${present(path) === 'missing' ? 'missing' : 'out of date'}`)),
    ...remove.map((path) => stale(`${path} is not rendered any more`)),
  ];
}

/** One line on what was done. */
export function summaryOf(plan: Plan): string {
  const files = (count: number): string => counted(count, 'file');
  return enumerated([
    `${files(plan.write.length)} written`,
    `${plan.remove.length} removed`,
    `${plan.unchanged} unchanged`,
  ]);
}

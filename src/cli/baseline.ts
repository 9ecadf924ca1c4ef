import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import {
  applyBaseline,
  type BaselineEntry,
  baselineOf,
  baselineText,
  readBaseline,
  withAccepted,
} from '../check/rules/index.ts';
import { type Collector, codes, type Diagnostic, type Problem, toReport } from '../core/diagnostics/index.ts';
import type { Evidence } from '../core/ledger/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { slashed } from './file-system.ts';
import { readFiles } from './files.ts';

/** Accepted diagnostics, and the folder that their paths start from. */
export interface Baseline {
  entries: readonly BaselineEntry[];
  /** The file that has them. */
  file: string;
  pathOf: (file: string) => string;
}

/** Reads the file of --accept; one that does not exist yet is written by --accept-new. */
export function readBaselineFile(
  { accept, acceptNew }: { accept: string; acceptNew: string },
  reports: Collector,
): Baseline[] {
  if (accept === '') return [];
  const root = dirname(resolve(accept));
  const pathOf = (file: string): string => slashed(relative(root, resolve(file)));
  if (acceptNew !== '' && !existsSync(accept)) return [{ entries: [], file: accept, pathOf }];
  const [document] = readStreams(readFiles([accept], { missing: 'error' }, reports), reports);
  const report = (problem: Problem): void =>
    reports.add({ ...toReport(problem), ...(document?.source && { source: document.source }) });
  return [{ entries: readBaseline(document?.object, report), file: accept, pathOf }];
}

/** What baselines leave of diagnostics. */
interface Accepted<T extends Diagnostic> {
  left: readonly T[];
  accepted: readonly T[];
  /** An error for each entry that matches nothing any more. */
  unused: readonly Diagnostic[];
  /** The entries of the first baseline that stay. */
  entries: readonly BaselineEntry[];
}

/** Applies all baselines. An entry about a file that was not looked at stays, without an error. */
export function acceptAll<T extends Diagnostic>(
  diagnostics: readonly T[],
  baselines: readonly Baseline[],
  isCovered: (path: string) => boolean,
): Accepted<T> {
  let left = diagnostics;
  const accepted: T[] = [];
  const unused: Diagnostic[] = [];
  const kept: BaselineEntry[][] = [];
  for (const { entries, file, pathOf } of baselines) {
    const settled = applyBaseline(left, entries, pathOf);
    left = settled.left;
    for (const one of settled.accepted) accepted.push(one);
    const root = file.endsWith('/') ? file : dirname(file);
    const gone = settled.unused.filter(({ path }) => path === '' || isCovered(resolve(root, path)));
    for (const entry of gone) unused.push(unusedEntry(entry, file));
    kept.push(entries.filter((entry) => !gone.includes(entry)));
  }
  return { left, accepted, unused, entries: kept[0] ?? [] };
}

function unusedEntry({ code, path, object }: BaselineEntry, file: string): Diagnostic {
  const subject = [path, object].filter((part) => part !== '').join(' ');
  return {
    severity: 'error',
    code: 'accepted-unused',
    stage: codes['accepted-unused'].stage,
    file,
    message: `nothing reports ${code}${subject === '' ? '' : ` of ${subject}`} any more`,
    hint: 'remove the entry; --accept-new writes the file again',
  };
}

/** Returns a test for paths that were looked at, or that do not exist any more. */
export function coverageOf(files: readonly string[]): (path: string) => boolean {
  const known = new Set(files.map((file) => resolve(file)));
  return (path) => known.has(path) || !existsSync(path);
}

/** Returns the text of a baseline with the entries that stay, and one for each new diagnostic. */
export function rewritten(
  entries: readonly BaselineEntry[],
  left: readonly Diagnostic[],
  { pathOf }: Baseline,
  reason: string,
): string {
  return baselineText([...entries, ...baselineOf(left, pathOf, reason)]);
}

/** Returns an evidence in which accepted units are left out, and counted. */
export function acceptedIn(evidence: Evidence, accepted: readonly Diagnostic[]): Evidence {
  if (accepted.length === 0) return evidence;
  return {
    ...evidence,
    files: withAccepted(evidence.files, accepted),
    documents: withAccepted(evidence.documents, accepted),
    given: withAccepted(evidence.given, accepted),
    accepted: accepted.length,
  };
}

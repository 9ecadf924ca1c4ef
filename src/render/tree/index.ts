import { Collector, composeText, counted, HIDDEN, type Report, type Text, told } from '../../core/diagnostics/index.ts';
import { folded } from './place.ts';

export { type Placeable, parseLayout, placeObjects } from './place.ts';

/** The list of written files as `sha256sum --check` reads it; not YAML, which Argo CD would read as objects. */
export const LIST = '.render-rgd.sha256';

/** The valid digests of each owned file: more than one after an interrupted write, or a merge. */
export type Owned = ReadonlyMap<string, ReadonlySet<string>>;

const LINE = /^([0-9a-f]{64}) {2}(.+)$/;
/** Conflict markers of git. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/** Parses lists. A path that leaves the folder, or names a hidden file, is rejected; `lenient` skips such lines. */
export function parseOwned(texts: readonly string[], lenient = false): { owned: Owned } | { fault: string } {
  const owned = new Map<string, Set<string>>();
  for (const text of texts) {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (line === '' || CONFLICT.test(line)) continue;
      const [, digest = '', path = ''] = LINE.exec(line) ?? [];
      if (isBelow(path)) owned.set(path, (owned.get(path) ?? new Set()).add(digest));
      else if (!lenient) return { fault: `line ${index + 1} is not the digest and the path of a file below it` };
    }
  }
  return { owned };
}

export function ownedText(files: readonly { path: string; digest: string }[]): string {
  const lines = files.map(({ path, digest }) => ({ path, line: `${digest}  ${path}\n` }));
  return lines
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ line }) => line)
    .join('');
}

function isBelow(path: string): boolean {
  return path !== '' && !path.includes('\\') && path.split('/').every((name) => name !== '' && !name.startsWith('.'));
}

/** The state of a path: a file with this digest, nothing, or something that is neither read nor replaced. */
export type Present = { digest: string } | 'missing' | { instead: Text };

export interface Folder {
  owned: Owned;
  present: (path: string) => Present;
  /** Returns a path for messages; `(hidden)` if it may contain a value of a Secret. */
  shown: (path: string) => Text;
}

export interface Plan {
  /** New or changed files. They are written after others were removed. */
  write: readonly string[];
  remove: readonly string[];
  unchanged: number;
  /** Why the plan must not be executed. */
  reports: readonly Report[];
}

/** Compares the expected files with the existing ones. */
export function planTree(
  wanted: readonly { path: string; digest: string }[],
  folder: Folder,
  { force }: { force: boolean },
): Plan {
  const { owned, present } = folder;
  const reports = new Collector();
  const write: string[] = [];
  const remove: string[] = [];
  const mayReplace = (path: string, at: Present): boolean => {
    const problem = refusalOf(path, at, folder, force);
    if (problem !== undefined) reports.add(problem);
    return problem === undefined;
  };
  const remaining = new Set(wanted.map(({ path }) => path));
  // In a case-insensitive file system, removing one of two names that differ in case removes the file.
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

function refusalOf(path: string, at: Present, { owned, shown }: Folder, force: boolean): Report | undefined {
  if (at === 'missing') return undefined;
  if ('instead' in at) {
    const name = shown(path);
    const instead = name === HIDDEN ? composeText`something else` : at.instead;
    const message = told`${{ file: name }}: ${{ reason: instead }} exists instead of a file`;
    return { code: 'tree-occupied', ...message, path: [], hint: composeText`move it elsewhere, or change the layout` };
  }
  if (force || owned.get(path)?.has(at.digest)) return undefined;
  if (owned.has(path)) {
    const message = told`${{ file: shown(path) }} was edited after it was written`;
    return {
      code: 'tree-edited',
      ...message,
      path: [],
      hint: composeText`change its instance or RGD; --force drops the edit`,
    };
  }
  const message = told`${{ file: shown(path) }} exists, and was not written by render-rgd`;
  return { code: 'tree-occupied', ...message, path: [], hint: composeText`move it elsewhere; --force replaces it` };
}

/** Returns the errors of `--check` for a folder: one for each stale file. */
export function staleReports({ write, remove, reports }: Plan, { present, shown }: Folder): Report[] {
  const hint = composeText`render again with the same options, without --check`;
  const stale = (message: Text): Report => ({ code: 'tree-stale', message, path: [], hint });
  const stateOf = (path: string): Text =>
    present(path) === 'missing' ? composeText`missing` : composeText`out of date`;
  return [
    ...reports,
    ...write.map((path) => stale(composeText`${shown(path)} is ${stateOf(path)}`)),
    ...remove.map((path) => stale(composeText`${shown(path)} is not rendered any more`)),
  ];
}

export const summaryOf = (plan: Plan): Text =>
  composeText`${counted(plan.write.length, 'file')} written, ${plan.remove.length} removed, ${plan.unchanged} unchanged`;

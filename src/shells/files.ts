import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Collector, Report } from '../diagnostics/index.ts';
import type { TextStream } from '../parse/index.ts';
import { outside, placeOf, type Within } from './boundary.ts';
import { globTest } from './glob.ts';

/** A text that was read. */
export interface FoundText extends TextStream {
  /** Nobody named the file: it was found in a folder, or among the templates of a Helm chart below it. */
  found?: 'folder' | 'chart';
}

export interface ReadOptions {
  exclude: readonly string[];
  /** Standard input, which `-` stands for, or why it cannot be read. */
  stdin: Uint8Array | Error;
  /** A folder, links followed, that is passed over. */
  skip?: string;
  /** What may be read at all; everything when it is not given. */
  within?: Within;
  /** What it is that a path leads to no file; nothing when it is not given. */
  missing?: 'error' | 'warning' | undefined;
}

const EXTENSION = /\.(ya?ml|json)$/;

/**
 * Reads files and folders. In a folder that is every .yaml, .yml and .json file below, in byte order of paths; dot
 * entries and node_modules are left out. A file that is reached twice is read once. Faults become reports.
 */
export function readFiles(paths: readonly string[], options: ReadOptions, reports: Collector): FoundText[] {
  const { stdin, within = () => true } = options;
  const excluded = options.exclude.map(globTest);
  const isExcluded = (path: string): boolean => excluded.some((test) => test(path));
  const seen = new Set<string>();
  return paths.flatMap((path) => {
    const own = reports.part();
    const walk: Walk = {
      isExcluded,
      within,
      entered: new Set(options.skip === undefined ? [] : [options.skip]),
      charts: [],
    };
    const files = path === '-' ? [path] : filesAt(path, walk, own);
    const isMissing = files.length === 0 && own.all.length === 0;
    if (isMissing && options.missing !== undefined) reports.add(noFiles(path, options));
    return files.flatMap((file) => {
      const text = attempt(file, reports, () => {
        const real = file === '-' ? file : inside(file, within, reports);
        if (real === undefined || !once(real, seen)) return undefined;
        if (file !== '-') return decode(readFileSync(real));
        if (stdin instanceof Error) throw stdin;
        return decode(stdin);
      });
      if (text === undefined) return [];
      return file === path ? [{ file, text }] : [{ file, text, found: isOfChart(file, walk) ? 'chart' : 'folder' }];
    });
  });
}

function noFiles(path: string, { exclude, missing = 'error' }: ReadOptions): Report {
  const message = `${path} holds no .yaml, .yml or .json file`;
  const hint = exclude.length > 0 ? '--exclude may leave out too much' : 'name the folder, or the file, that was meant';
  return { code: 'nothing-to-read', message, path: [], severity: missing, hint };
}

interface Walk {
  isExcluded: (path: string) => boolean;
  within: Within;
  entered: Set<string>;
  /** The folders of Helm charts. */
  charts: string[];
}

const isOfChart = (file: string, { charts }: Walk): boolean =>
  charts.some((chart) => slashed(relative(chart, file)).startsWith('templates/'));

function filesAt(path: string, walk: Walk, reports: Collector): string[] {
  const found: string[] = [];
  if (!walk.within(placeOf(path))) {
    reports.add(outside(path));
    return found;
  }
  attempt(path, reports, () => {
    if (statSync(path).isDirectory()) readFolder(path, path, walk, found, reports);
    else if (!walk.isExcluded(slashed(path))) found.push(path);
  });
  return found.sort(byteOrder);
}

/** Folders that link to one of their own parents are entered once. */
function readFolder(root: string, folder: string, walk: Walk, found: string[], reports: Collector): void {
  const real = inside(folder, walk.within, reports);
  if (real === undefined || !once(real, walk.entered)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // A folder that is a chart itself is rendered by helm, not read for what lies beside a chart.
    if (folder !== root && /^Chart\.ya?ml$/.test(entry.name)) walk.charts.push(folder);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (walk.isExcluded(slashed(relative(root, path))) || walk.isExcluded(slashed(path))) continue;
    if (entry.isSymbolicLink() && !walk.within(placeOf(path))) {
      reports.add(outside(path));
      continue;
    }
    attempt(path, reports, () => {
      const linked = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: EXTENSION.test(entry.name) }) : entry;
      if (linked?.isDirectory()) readFolder(root, path, walk, found, reports);
      else if (linked?.isFile() && EXTENSION.test(entry.name)) found.push(path);
    });
  }
}

/** The path with links followed; undefined, and reported, when it leads out of what may be read. */
function inside(path: string, within: Within, reports: Collector): string | undefined {
  const real = realpathSync(path);
  if (within(real)) return real;
  reports.add(outside(path));
  return undefined;
}

function attempt<T>(path: string, reports: Collector, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const message = `cannot read ${path === '-' ? 'standard input' : path}: ${REASONS[code] ?? (error instanceof Error ? error.message : String(error))}`;
    reports.add({ code: 'unreadable-file', message, path: [] });
    return undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a link that leads to itself',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

/** UTF-8 text; anything else throws. */
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

function once(key: string, seen: Set<string>): boolean {
  const first = !seen.has(key);
  seen.add(key);
  return first;
}

const slashed = (path: string): string => path.replaceAll('\\', '/');
const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

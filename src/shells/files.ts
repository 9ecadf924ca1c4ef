import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { TextStream } from '../parse/streams.ts';
import { globTest } from './glob.ts';

export interface ReadOptions {
  exclude: readonly string[];
  /** Standard input, which `-` stands for. */
  stdin: Uint8Array;
}

const EXTENSION = /\.(ya?ml|json)$/;

/**
 * Reads files and folders. In a folder that is every .yaml, .yml and .json file below, in byte order of paths; dot
 * entries and node_modules are left out. A file that is reached twice is read once. Faults become reports.
 */
export function readFiles(paths: readonly string[], options: ReadOptions, reports: Report[]): TextStream[] {
  const excluded = options.exclude.map(globTest);
  const isExcluded = (path: string): boolean => excluded.some((test) => test(path));
  const seen = new Set<string>();
  return paths.flatMap((path) => {
    const files = path === '-' ? [path] : filesAt(path, isExcluded, reports);
    return files.flatMap((file) => {
      const text = attempt(file, reports, () => {
        if (!once(file === '-' ? file : realpathSync(file), seen)) return undefined;
        return decode(file === '-' ? options.stdin : readFileSync(file));
      });
      return text === undefined ? [] : [{ file, text }];
    });
  });
}

function filesAt(path: string, isExcluded: (path: string) => boolean, reports: Report[]): string[] {
  const found: string[] = [];
  attempt(path, reports, () => {
    if (statSync(path).isDirectory()) walk(path, path, isExcluded, new Set(), found, reports);
    else if (!isExcluded(slashed(path))) found.push(path);
  });
  return found.sort(byteOrder);
}

/** Folders that link to one of their own parents are entered once. */
function walk(
  root: string,
  folder: string,
  isExcluded: (path: string) => boolean,
  entered: Set<string>,
  found: string[],
  reports: Report[],
): void {
  if (!once(realpathSync(folder), entered)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (isExcluded(slashed(relative(root, path))) || isExcluded(slashed(path))) continue;
    attempt(path, reports, () => {
      const linked = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: EXTENSION.test(entry.name) }) : entry;
      if (linked?.isDirectory()) walk(root, path, isExcluded, entered, found, reports);
      else if (linked?.isFile() && EXTENSION.test(entry.name)) found.push(path);
    });
  }
}

function attempt<T>(path: string, reports: Report[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const message = `cannot read ${path === '-' ? 'standard input' : path}: ${REASONS[code] ?? (error instanceof Error ? error.message : String(error))}`;
    reports.push({ code: 'unreadable-file', message, path: [] });
    return undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
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

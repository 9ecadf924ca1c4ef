import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { globTest } from './glob.ts';

/** A text and the name that people know it by. */
export interface TextFile {
  file: string;
  text: string;
}

export interface ReadOptions {
  exclude: readonly string[];
  /** The text of standard input, which `-` stands for. */
  stdin: () => string;
}

const EXTENSION = /\.(ya?ml|json)$/;

/**
 * Reads files and folders. In a folder that is every .yaml, .yml and .json file below, in byte order of paths; dot
 * entries and node_modules are left out. A file that is reached twice is read once. Faults become reports.
 */
export function readFiles(paths: readonly string[], options: ReadOptions, reports: Report[]): TextFile[] {
  const excluded = options.exclude.map(globTest);
  const isExcluded = (path: string): boolean => excluded.some((test) => test(path));
  const seen = new Set<string>();
  return paths.flatMap((path) => {
    if (path === '-') return once('-', seen) ? [{ file: '-', text: options.stdin() }] : [];
    const found: string[] = [];
    attempt(path, reports, () => {
      if (!statSync(path).isDirectory()) found.push(...(isExcluded(path) ? [] : [path]));
      else walk(path, path, isExcluded, new Set(), found, reports);
    });
    return found.sort(byteOrder).flatMap((file) => {
      const text = attempt(file, reports, () => (once(realpathSync(file), seen) ? decode(readFileSync(file)) : undefined));
      return text === undefined ? [] : [{ file, text }];
    });
  });
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
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith('.') || name === 'node_modules' || isExcluded(slashed(relative(root, path)))) continue;
    attempt(path, reports, () => {
      if (statSync(path).isDirectory()) walk(root, path, isExcluded, entered, found, reports);
      else if (EXTENSION.test(name)) found.push(path);
    });
  }
}

function attempt<T>(path: string, reports: Report[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const message = `cannot read ${path}: ${REASONS[code] ?? (error instanceof Error ? error.message : String(error))}`;
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
export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

function once(key: string, seen: Set<string>): boolean {
  const first = !seen.has(key);
  seen.add(key);
  return first;
}

const slashed = (path: string): string => path.replaceAll('\\', '/');
const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

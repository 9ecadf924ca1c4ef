import { resolve } from 'node:path';
import type { Report } from '../core/diagnostics/index.ts';
import type { FoundText } from '../describe/input/index.ts';
import { decode, isInside, readRegularFile, unreadable } from './file-system.ts';
import { replaceFile } from './write/index.ts';

/** A file whose text a command changes. */
export interface Rewritten {
  file: string;
  before: string;
  after: string;
  /** The folder in which the file was found. */
  within: string | undefined;
}

/** Returns the folder of the command line in which a file was found; `undefined` for a path that a person named. */
export const folderOf = ({ file, found }: FoundText, paths: readonly string[]): string | undefined =>
  found === undefined ? undefined : paths.find((path) => isInside(resolve(file), resolve(path)));

/** Writes a file, if it still has the text that was read. A byte order mark stays. Returns the error. */
export function rewriteFile({ file, before, after, within }: Rewritten): Report[] {
  let mark: string;
  try {
    mark = readRegularFile(file).toString('utf8').startsWith('\uFEFF') ? '\uFEFF' : '';
  } catch (error) {
    return [unreadable(file, error)];
  }
  const expects = (content?: Uint8Array): boolean => content !== undefined && decode(content) === before;
  return replaceFile(file, [mark, after], { expects, within });
}

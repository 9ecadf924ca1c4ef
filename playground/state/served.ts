import type { PackageFile } from '../engine/protocol.ts';
import { membersOf, readFile } from './read-contents.ts';

/** A file of the served folder. */
export interface DiskFile extends PackageFile {
  /** Names the text that a save replaces. */
  readonly digest: string;
}

/** The files that `render-rgd playground PATH` serves. */
export interface Served {
  readonly files: readonly DiskFile[];
  /** What it cannot show, with the reason. */
  readonly left: readonly string[];
  /** Identifies the opened paths. */
  readonly key: string;
  /** Whether it writes changes to disk. */
  readonly write: boolean;
}

/** Returns the files of a text that the command wrote. @throws Error if it is not of the command */
export function readServed(text: string): Served {
  const { files, left, key, write } = membersOf(JSON.parse(text));
  return {
    files: listOf(files).map((file) => ({ ...normal(readFile(file)), digest: String(membersOf(file).digest) })),
    left: listOf(left).map((one) => {
      const { name, reason } = membersOf(one);
      return name === '' ? String(reason) : `${JSON.stringify(name)}: ${String(reason)}`;
    }),
    key: String(key),
    write: write === true,
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Editors know only one line end; the command restores the others. */
const normal = (file: PackageFile): PackageFile => ({ ...file, text: file.text.replace(/\r\n?/g, '\n') });

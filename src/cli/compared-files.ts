import { join, relative, resolve } from 'node:path';
import type { Entry } from '../core/ledger/index.ts';
import { ifPossible, readRegularFile } from './file-system.ts';

/** Names of the same file in two versions. */
export interface FileNames {
  /** Returns the key of a file of the older version: the path of the same file in the newer one. */
  before: (file: string) => string;
  after: (file: string) => string;
}

/** Returns the names of files below two paths. */
export const namesBelow = (old: string, newer: string): FileNames => ({
  before: (file) => resolve(join(newer, relative(old, file))),
  after: (file) => resolve(file),
});

/**
 * Returns the outcomes of the files of two versions: those of the newer one, and of the older one what nobody read. A
 * file that nobody read and that is the same in both is unaffected.
 */
export function filesOfVersions(older: readonly Entry[], newer: readonly Entry[], names: FileNames): Entry[] {
  const before = new Map(older.map((entry) => [names.before(entry.file ?? ''), entry]));
  const after = new Map(newer.map((entry) => [names.after(entry.file ?? ''), entry]));
  const settled = ([key, entry]: [string, Entry], others: ReadonlyMap<string, Entry>): Entry => {
    const other = others.get(key);
    if (!isNotRead(entry) || other === undefined || !isSame(entry, other)) return entry;
    return { ...entry, outcome: { is: 'unaffected' } };
  };
  const own = [...after].map((one) => settled(one, before));
  const gone = [...before].flatMap(([key, entry]) => (isNotRead(entry) && !after.has(key) ? [entry] : []));
  return [...own, ...gone];
}

/** Reports whether nobody read a file that may matter, or that the user leaves out. */
export const isNotRead = ({ outcome }: Entry): boolean =>
  outcome.is === 'unseen' || (outcome.is === 'irrelevant' && outcome.why === 'excluded');

/** Reports whether two files have the same bytes. */
function isSame(one: Entry, other: Entry): boolean {
  const [first, second] = [one, other].map(({ file }) => ifPossible(() => readRegularFile(file ?? '')));
  return first !== undefined && second !== undefined && first.equals(second);
}

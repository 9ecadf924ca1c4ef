import { nameFault } from '../../src/cli/playground/limits.ts';
import type { PackageOptions } from '../engine/protocol.ts';
import { membersOf, readContents, readFile, readOptions } from './read-contents.ts';
import type { Version } from './versions.ts';

/** The storage of the browser. */
export interface Memory {
  getItem(key: string): string | null;
  /** @throws Error if it is full */
  setItem(key: string, text: string): void;
}

/** What the browser keeps of a package. */
export interface Kept {
  readonly versions: readonly Version[];
  /** The names of the files in the order of their tabs. */
  readonly order: readonly string[];
  readonly options: PackageOptions;
  readonly active: string;
  readonly time: number;
}

const KEY = 'render-rgd-playground';

/** Returns the key of a package in the storage of the browser; '' is one's own files. */
export const keyOf = (name: string): string => (name === '' ? KEY : `${KEY}:${name}`);

/** Returns what is kept under a key; undefined if there is nothing, or nothing that can be read. */
export function loadKept(memory: Memory, key: string): Kept | undefined {
  try {
    return parseKept(memory.getItem(key) ?? '');
  } catch {
    return undefined;
  }
}

export function parseKept(text: string): Kept | undefined {
  try {
    return readKept(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function readKept(value: unknown): Kept {
  const { versions, order, options, active, time, contents } = membersOf(value);
  const state = { active: String(active ?? ''), time: Number(time) || 0 };
  if (!Array.isArray(versions)) {
    // As it was kept before packages had versions.
    const old = readContents(contents);
    return { ...state, ...keptOf(old.files), options: old.options };
  }
  const names = Array.isArray(order) ? order.map(String) : [];
  return { ...state, versions: versions.flatMap(readVersion), order: names, options: readOptions(options) };
}

/** Returns files as versions that every tab begins with. */
export const keptOf = (
  files: readonly Pick<Version, 'name' | 'text' | 'role'>[],
): Pick<Kept, 'versions' | 'order'> => ({
  versions: files.map(({ name, text, role }) => ({ name, text, role, clock: { 0: 1 }, time: 0 })),
  order: files.map(({ name }) => name),
});

/** A version that is invalid is omitted: the others are kept. */
function readVersion(value: unknown): Version[] {
  try {
    const { text, clock, time, base } = membersOf(value);
    const file = readFile({ ...membersOf(value), text: text ?? '' });
    const counts = Object.entries(membersOf(clock)).filter(([, count]) => typeof count === 'number');
    if (nameFault(file.name) !== undefined) return [];
    return [
      {
        ...file,
        text: text === null ? null : file.text,
        clock: Object.fromEntries(counts) as Version['clock'],
        time: Number(time) || 0,
        ...(typeof base === 'string' && { base }),
      },
    ];
  } catch {
    return [];
  }
}

/** Keeps a package in the browser. @throws Error if its storage is full */
export function saveKept(memory: Memory, key: string, kept: Kept): void {
  const text = JSON.stringify(kept);
  if (memory.getItem(key) !== text) memory.setItem(key, text);
}

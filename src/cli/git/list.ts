import { join } from 'node:path';
import { git } from './run.ts';

export interface Entry {
  isLink: boolean;
  hash: string;
  /** The repository that contains it: a submodule is a separate one. */
  repository: string;
}

const FETCH = "'git submodule update --init --recursive' fetches the commits of submodules";

export type Tree = ReadonlyMap<string, Entry>;

/**
 * Returns files and links of a commit by their path (`MODE TYPE HASH\tPATH`, ended by NUL), including those of
 * submodules.
 */
export function listTree(
  repository: string,
  commit: string,
  prefix: string,
  wanted: readonly string[],
): { entries: Tree } | { fault: string; hint?: string } {
  const listed = git(repository, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  if ('fault' in listed) return listed;
  const entries = new Map<string, Entry>();
  for (const line of listed.output.toString().split('\0')) {
    const [, mode, type, hash = '', name = ''] = /^(\d+) (blob|commit) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    const path = prefix + name;
    if (type === 'blob') entries.set(path, { isLink: mode === '120000', hash, repository });
    if (type !== 'commit' || !wanted.some((one) => isOnWay(one, path))) continue;
    const below = listTree(join(repository, name), hash, `${path}/`, wanted);
    if ('fault' in below) return { fault: `the submodule ${path}: ${below.fault}`, hint: FETCH };
    for (const [file, entry] of below.entries) entries.set(file, entry);
  }
  return { entries };
}

/** Reports whether a path is a prefix of the other one, or is inside it. */
const isOnWay = (one: string, other: string): boolean =>
  one === '' || one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

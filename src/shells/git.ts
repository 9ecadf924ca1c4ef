import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import type { Collector } from '../diagnostics/index.ts';
import { realPath } from './boundary.ts';

/** Files of a commit, written into a folder of their own. */
export interface Checkout {
  /** The folder that stands for the root of the repository. */
  folder: string;
  /** Where a path of the working tree is in it; it need not be there. */
  at(path: string): string;
  /** What a path in it is called: `REF:path`. */
  nameOf(path: string): string;
  remove(): void;
}

/** What a folder is read for: see `readFiles`. */
const READ = /(^|\/)[^/]*\.(ya?ml|json)$/;
const MOST_BYTES = 1 << 30;

/**
 * Writes the YAML and JSON files that a commit has at some paths into a temporary folder, links included as long as they
 * stay in the repository. Neither the working tree nor the index is touched, no filter and no hook runs. `undefined`,
 * and reported, when git cannot do it.
 */
export function checkOut(ref: string, paths: readonly string[], reports: Collector): Checkout | undefined {
  const start = folderOf(paths[0] ?? '.');
  const root = git(start, ['rev-parse', '--show-toplevel'])?.toString().replace(/\n$/, '');
  if (root === undefined) return failed(`--against needs a repository of git, and ${start} is in none`, reports);
  // A name that starts with a dash would be an option without --end-of-options.
  const commit = git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  if (commit === undefined) return failed(`--against: '${ref}' names no commit of ${root}`, reports, FETCH);
  const wanted = paths.map((path) => inRepository(path, root));
  const outside = paths.find((_, index) => wanted[index] === undefined);
  if (outside !== undefined) return failed(`--against: ${outside} is not in the repository ${root}`, reports);
  const hash = commit.toString().trim();
  const listed = git(root, ['ls-tree', '-r', '-z', '--full-tree', hash]);
  if (listed === undefined) return failed(`git cannot list the files of ${ref}`, reports);
  const tree = treeOf(listed.toString());
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    if (!write(tree, wanted as string[], root, folder)) {
      remove();
      return failed(`git cannot read the files of ${ref}`, reports);
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    folder,
    remove,
    at: (path) => join(folder, inRepository(path, root) ?? ''),
    nameOf: (path) => `${ref}:${slashed(relative(folder, path))}`,
  };
}

const FETCH =
  'a checkout in CI often has one commit only: git fetch the branch first (actions/checkout: fetch-depth: 0)';

function failed(message: string, reports: Collector, hint?: string): undefined {
  reports.add({ code: 'unreadable-file', message, path: [], ...(hint === undefined ? {} : { hint }) });
}

/** What git prints, undefined when it fails. */
function git(folder: string, args: readonly string[], input = ''): Buffer | undefined {
  // Loading it takes longer than many a rendering.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout } = spawnSync('git', ['--literal-pathspecs', '--no-replace-objects', '-C', folder, ...args], {
    input,
    maxBuffer: MOST_BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : undefined;
}

/** The folder of a path that may not be there any more. */
function folderOf(path: string): string {
  const absolute = resolve(path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return absolute;
  const parent = dirname(absolute);
  return parent === absolute ? absolute : folderOf(parent);
}

/** The way from the root of the repository; '' for the root, undefined for what lies outside. */
function inRepository(path: string, root: string): string | undefined {
  const folder = folderOf(path);
  const real = resolve(realPath(folder) ?? folder, relative(folder, resolve(path)));
  const way = relative(realPath(root) ?? root, real);
  return way === '..' || way.startsWith(`..${sep}`) ? undefined : slashed(way);
}

const slashed = (path: string): string => path.split(sep).join('/');

interface Entry {
  isLink: boolean;
  hash: string;
}

/** Files and links by their path: `MODE TYPE HASH\tPATH`, ended by NUL. Submodules are other repositories. */
function treeOf(listed: string): ReadonlyMap<string, Entry> {
  const tree = new Map<string, Entry>();
  for (const line of listed.split('\0')) {
    const match = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line);
    if (match !== null) tree.set(match[3] as string, { isLink: match[1] === '120000', hash: match[2] as string });
  }
  return tree;
}

/** Writes what is wanted, and what links in it lead to. Whether git had all of it. */
function write(tree: ReadonlyMap<string, Entry>, wanted: readonly string[], root: string, folder: string): boolean {
  const done = new Set<string>();
  let next: readonly string[] = wanted;
  while (next.length > 0) {
    const named = new Set(next);
    const found = [...tree].filter(([path, { isLink }]) => {
      if (done.has(path)) return false;
      const isNamed = named.has(path);
      return isNamed || ((isLink || READ.test(path)) && isBelow(path, named));
    });
    for (const [path] of found) done.add(path);
    const contents = readBlobs(
      found.map(([, { hash }]) => hash),
      root,
    );
    if (contents === undefined) return false;
    const targets: string[] = [];
    found.forEach(([path, { isLink }], index) => {
      const content = contents[index] as Buffer;
      const target = isLink ? targetOf(path, content.toString()) : undefined;
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      if (!isLink) writeFileSync(file, content);
      else if (target !== undefined) {
        symlinkSync(content.toString(), file);
        targets.push(target);
      }
    });
    next = targets;
  }
  return true;
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  if (folders.has('')) return true;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (folders.has(path.slice(0, at))) return true;
  }
  return false;
}

/** Where a link leads in the repository; undefined for one that leads out of it. */
function targetOf(link: string, target: string): string | undefined {
  if (posix.isAbsolute(target)) return undefined;
  const path = posix.join(posix.dirname(link), target).replace(/\/$/, '');
  return path === '..' || path.startsWith('../') ? undefined : path === '.' ? '' : path;
}

/** The contents of blobs, in their order. */
function readBlobs(hashes: readonly string[], root: string): Buffer[] | undefined {
  if (hashes.length === 0) return [];
  const output = git(root, ['cat-file', '--batch'], `${hashes.join('\n')}\n`);
  if (output === undefined) return undefined;
  const blobs: Buffer[] = [];
  let at = 0;
  while (blobs.length < hashes.length) {
    const end = output.indexOf('\n', at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(output.subarray(at, end).toString())?.[1];
    if (end < 0 || size === undefined) return undefined;
    blobs.push(output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return blobs;
}

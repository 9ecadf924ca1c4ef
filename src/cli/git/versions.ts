import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Files } from '../../authoring/plan/index.ts';
import type { Collector } from '../../core/diagnostics/index.ts';
import { realPath, withinAny } from '../boundary.ts';
import { readBlobs } from './blobs.ts';
import { commitOf, failed } from './commit.ts';
import { type Entry, listTree, type Tree } from './list.ts';
import { targetOf } from './place.ts';
import { git } from './run.ts';

/** The files of a commit and of the working tree of one repository. */
interface RepositoryVersions {
  /** The top of the working tree. */
  root: string;
  before: Files;
  after: Files;
  /** The paths that differ, including added and removed ones. */
  changed: ReadonlySet<string>;
  /** The URLs of its remotes. */
  urls: readonly string[];
  /** Writes all files of the commit into a temporary folder. */
  writeBefore(): { folder: string; remove(): void } | { fault: string };
}

/**
 * Reads a repository at a commit and its working tree, without files that git ignores. Only changed files are read from
 * git. Does not change the working tree or the index. Returns `undefined`, and reports the error, if git fails.
 */
export function readVersionsOf(path: string, ref: string, reports: Collector): RepositoryVersions | undefined {
  const commit = commitOf(ref, path, reports);
  if (commit === undefined) return undefined;
  const { root, hash } = commit;
  const tree = listTree(root, hash, '', []);
  if ('fault' in tree) return failed(`git cannot list the files of ${ref}: ${tree.fault}`, reports);
  const tracked = linesOf(root, ['ls-files', '-z', '--cached']);
  const differing = linesOf(root, ['diff', '-z', '--name-only', '--no-renames', '--no-ext-diff', hash, '--']);
  const fresh = linesOf(root, ['ls-files', '-z', '--others', '--exclude-standard']);
  const fault = [tracked, differing, fresh].find((one) => 'fault' in one);
  if (fault !== undefined && 'fault' in fault) return failed(`git cannot compare ${ref}: ${fault.fault}`, reports);
  const paths = (lines: typeof tracked): string[] => ('fault' in lines ? [] : lines.lines);
  const changed = new Set([...paths(differing), ...paths(fresh)]);
  const old = readOld(tree.entries, changed);
  if ('fault' in old) return failed(`git cannot read the files of ${ref}: ${old.fault}`, reports);
  const after = workingFiles(root, [...new Set([...paths(tracked), ...paths(fresh)])]);
  return {
    root,
    changed,
    after,
    before: {
      paths: [...tree.entries.keys()].sort(),
      text: (file) => {
        if (!tree.entries.has(file)) return undefined;
        return changed.has(file) ? old.text(file) : after.text(file);
      },
    },
    urls: remotesOf(root),
    writeBefore: () => writeAll(tree.entries),
  };
}

function linesOf(root: string, args: readonly string[]): { lines: string[] } | { fault: string } {
  const answer = git(root, args);
  return 'fault' in answer ? answer : { lines: answer.output.toString().split('\0').filter(Boolean) };
}

function remotesOf(root: string): string[] {
  const answer = git(root, ['config', '--get-regexp', '^remote\\..*\\.url$']);
  return 'fault' in answer
    ? []
    : answer.output
        .toString()
        .split('\n')
        .flatMap((line) => line.split(' ')[1] ?? []);
}

/** Returns the texts of changed files; a link is read as its target. */
function readOld(
  tree: Tree,
  changed: ReadonlySet<string>,
): { text: (path: string) => string | undefined } | { fault: string } {
  const wanted = [...changed].flatMap((path): [string, Entry][] => {
    const entry = tree.get(path);
    return entry === undefined ? [] : [[path, entry]];
  });
  const read = readBlobs(wanted.map(([, entry]) => entry));
  if ('fault' in read) return read;
  const contents = new Map(wanted.map(([path], index) => [path, read.contents[index] as Buffer]));
  const text = (path: string, links = 0): string | undefined => {
    const content = contents.get(path) ?? contentOf(tree.get(path));
    if (content === undefined || links > MOST_LINKS) return undefined;
    if (!tree.get(path)?.isLink) return decode(content);
    const target = targetOf(path, content.toString());
    return target === undefined ? undefined : text(target, links + 1);
  };
  return { text };
}

const MOST_LINKS = 40;

function contentOf(entry: Entry | undefined): Buffer | undefined {
  if (entry === undefined) return undefined;
  const read = readBlobs([entry]);
  return 'fault' in read ? undefined : read.contents[0];
}

/** Returns files of the working tree, without deleted ones. A link that leaves it is ignored. */
function workingFiles(root: string, listed: readonly string[]): Files {
  const texts = new Map<string, string | undefined>();
  const within = withinAny([root]);
  const isThere = (path: string): boolean => existsSync(join(root, path)) && !lstatSync(join(root, path)).isDirectory();
  const read = (path: string): string | undefined => {
    const real = realPath(join(root, path));
    return real === undefined || !within(real) ? undefined : decode(readFileSync(real));
  };
  return {
    paths: listed.filter(isThere).sort(),
    text: (path) => {
      if (!texts.has(path)) texts.set(path, read(path));
      return texts.get(path);
    },
  };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function writeAll(tree: Tree): { folder: string; remove(): void } | { fault: string } {
  const read = readBlobs([...tree.values()]);
  if ('fault' in read) return read;
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    [...tree].forEach(([path, { isLink }], index) => {
      const file = join(folder, path);
      const content = read.contents[index] as Buffer;
      mkdirSync(dirname(file), { recursive: true });
      if (!isLink) writeFileSync(file, content);
      // kustomize would follow a link out of the repository.
      else if (targetOf(path, content.toString()) !== undefined) symlinkSync(content.toString(), file);
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

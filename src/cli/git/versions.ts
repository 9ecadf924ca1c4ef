import { join } from 'node:path';
import type { Files } from '../../authoring/plan/index.ts';
import { type Collector, composeText, trusted } from '../../core/diagnostics/index.ts';
import { type Follow, readEntries, readLinks } from './links.ts';
import { submoduleAt } from './repository.ts';
import { type Fault, git, type Repository } from './run.ts';
import { type Entry, FETCH, type Listed, listTree, type Tree } from './tree.ts';
import { readWorkingTree, textOf, type WorkingTree } from './working-tree.ts';
import { commitOf, failed, MORE_COMMITS, type Written, writeFiles } from './write.ts';

/** The files of a commit and of the working tree of one repository. */
interface RepositoryVersions {
  /** The top of the working tree. */
  root: string;
  before: Files;
  after: Files;
  /** The paths that differ, including added and removed ones, and links to such files or folders. */
  changed: ReadonlySet<string>;
  /** The URLs of its remotes. */
  urls: readonly string[];
  tags: ReadonlySet<string>;
  /** Writes all files of the commit into a temporary folder. */
  writeBefore(): Written | Fault;
}

/**
 * Reads a repository at a commit and its working tree, without files that git ignores. The commit is that of
 * `ref`, or the one where HEAD left it, so that later commits of `ref` do not count. Only changed files are read from
 * git. Does not change the working tree or the index. Returns `undefined`, and reports the error, if git fails.
 */
export function readVersionsOf(
  path: string,
  ref: string,
  reports: Collector,
  commitAt: 'ref' | 'merge base' = 'ref',
): RepositoryVersions | undefined {
  const commit = commitOf(ref, path, reports);
  if (commit === undefined) return undefined;
  const { repository } = commit;
  const hash = commitAt === 'ref' ? commit.hash : mergeBase(repository, commit.hash);
  if (hash === undefined) {
    const fault = `HEAD and '${ref}' have no common commit here, which a shallow clone lacks`;
    const hint = `${MORE_COMMITS}; --against-exact ${ref} compares with that commit itself`;
    return failed(`--against: ${fault}`, reports, hint);
  }
  const isCheckedOut = (path: string): boolean => submoduleAt(join(repository.root, path), repository) !== undefined;
  const tree = listTree(repository, hash, isCheckedOut);
  if ('fault' in tree) return failed(`git cannot list the files of ${ref}: ${tree.fault}`, reports, tree.hint);
  const { entries } = tree;
  const links = readLinks(entries);
  if ('fault' in links) return failed(`git cannot read the links of ${ref}: ${links.fault}`, reports, links.hint);
  const head = headOf(repository, hash, tree, isCheckedOut);
  const after = 'fault' in head ? head : readWorkingTree(repository, head.entries, reports);
  if ('fault' in after) return failed(`git cannot compare ${ref}: ${after.fault}`, reports, after.hint);
  if (!('fault' in head)) reportSubmodules(tree.skipped, head.skipped, reports);
  const changed = changesBetween(entries, links.follow, after);
  const old = readOld(entries, changed);
  if ('fault' in old) return failed(`git cannot read the files of ${ref}: ${old.fault}`, reports, old.hint);
  return {
    root: repository.root,
    changed,
    after: { ...after, links: linksOf(after.paths, after.targetOf) },
    before: {
      paths: [...entries.keys()].sort(),
      outwardLink: links.outward,
      links: linksOf([...entries.keys()], (name) => (entries.get(name)?.isLink ? links.follow(name) : undefined)),
      text: (file) => {
        const target = links.follow(file);
        if (target === undefined || !entries.has(target)) return undefined;
        return changed.has(target) ? textOf(old.contents.get(target)) : after.text(target);
      },
    },
    urls: remotesOf(repository),
    tags: tagsOf(repository),
    writeBefore: () => writeFiles(entries, [...entries.keys()], links.follow),
  };
}

const linksOf = (paths: readonly string[], targetOf: Follow): ReadonlyMap<string, string> =>
  new Map(
    paths.flatMap((path) => {
      const target = targetOf(path);
      return target === undefined ? [] : [[path, target] as const];
    }),
  );

/**
 * Returns the best common ancestor of HEAD and a commit, and the commit itself if they have none; undefined if it is
 * unknown, in a shallow clone.
 */
function mergeBase(repository: Repository, hash: string): string | undefined {
  const base = git(repository, ['merge-base', hash, 'HEAD']);
  if (!('fault' in base)) return base.output.toString().trim();
  const shallow = git(repository, ['rev-parse', '--is-shallow-repository']);
  return !('fault' in shallow) && shallow.output.toString().trim() === 'true' ? undefined : hash;
}

function tagsOf(repository: Repository): Set<string> {
  const answer = git(repository, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/tags']);
  return new Set('fault' in answer ? [] : answer.output.toString().split('\n').filter(Boolean));
}

/** Returns the tree of HEAD; empty before the first commit. */
function headOf(
  repository: Repository,
  hash: string,
  tree: Listed,
  isCheckedOut: (path: string) => boolean,
): Listed | Fault {
  const head = git(repository, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if ('fault' in head) return { entries: new Map(), skipped: new Map() };
  const own = head.output.toString().trim();
  return own === hash ? tree : listTree(repository, own, isCheckedOut);
}

/** Reports submodules that changed and whose files are not here. */
function reportSubmodules(before: Listed['skipped'], after: Listed['skipped'], reports: Collector): void {
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(path) === after.get(path)) continue;
    const message = composeText`the submodule ${trusted.file(path)} changed and is not checked out: its files are not compared`;
    reports.add({ code: 'unreadable-file', severity: 'warning', message, path: [], hint: composeText`${FETCH}` });
  }
}

function changesBetween(before: Tree, follow: Follow, after: WorkingTree): Set<string> {
  const all = [...new Set([...before.keys(), ...after.paths])];
  const changed = new Set(all.filter((path) => after.differs(path, before.get(path))));
  const touched = new Set([...changed].flatMap(waysTo));
  for (const path of all) {
    const targets = [before.get(path)?.isLink ? follow(path) : undefined, after.targetOf(path)];
    if (targets.some((target) => target !== undefined && touched.has(target))) changed.add(path);
  }
  return changed;
}

/** Returns a path and the folders above it; '' for the root. */
function waysTo(path: string): string[] {
  const slash = path.lastIndexOf('/');
  return [path, ...(slash < 0 ? [''] : waysTo(path.slice(0, slash)))];
}

/** Reads the changed files of a commit. */
function readOld(tree: Tree, changed: ReadonlySet<string>): { contents: ReadonlyMap<string, Buffer> } | Fault {
  const wanted = [...tree].filter(([path, { isLink }]): boolean => !isLink && changed.has(path));
  const read = readEntries(wanted.map(([, entry]): Entry => entry));
  if ('fault' in read) return read;
  return { contents: new Map(wanted.map(([path], index) => [path, read.contents[index] as Buffer])) };
}

function remotesOf(repository: Repository): string[] {
  const answer = git(repository, ['config', '-z', '--get-regexp', '^remote\\..*\\.url$']);
  if ('fault' in answer) return [];
  return answer.output
    .toString()
    .split('\0')
    .flatMap((entry) => entry.split('\n')[1] ?? []);
}

import { join } from 'node:path';
import type { Files } from '../../authoring/plan/index.ts';
import { type Collector, composeText, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { foldersFrom } from '../../core/text/paths.ts';
import { type Follow, readEntries, readLinks } from './links.ts';
import { submoduleAt } from './repository.ts';
import { GitError, inPart, type Repository, reported, textFrom } from './run.ts';
import { FETCH, type Listed, listTree, type Tree } from './tree.ts';
import { readWorkingTree, textOf, type WorkingTree } from './working-tree.ts';
import { commitOf, MORE_COMMITS, type Written, writeFiles } from './write.ts';

/** The files of a commit and of the working tree of one repository. */
interface RepositoryVersions {
  /** The top of the working tree. */
  root: string;
  before: Files;
  after: Files;
  /** The paths that differ, including added and removed ones, and links to such files or folders. */
  changed: ReadonlySet<string>;
  urls: readonly string[];
  tags: ReadonlySet<string>;
  /** Writes all files of the commit into a temporary folder. @throws {GitError} */
  writeBefore(): Written;
}

/**
 * Reads a repository at a commit and its working tree, without files that git ignores. The commit is that of
 * `ref`, or the one where HEAD left it, so that later commits of `ref` do not count. Only changed files are read from
 * git. Does not change the working tree or the index. Returns `undefined`, and reports the error, if git fails.
 */
export const readVersionsOf = (
  path: string,
  ref: string,
  reports: Collector,
  commitAt: 'ref' | 'merge base' = 'ref',
): RepositoryVersions | undefined =>
  reported(reports, () => {
    const commit = commitOf(ref, path);
    const { repository } = commit;
    const hash = commitAt === 'ref' ? commit.hash : mergeBase(repository, commit.hash);
    if (hash === undefined) {
      const fault = `--against: HEAD and '${ref}' have no common commit here, which a shallow clone lacks`;
      throw new GitError(fault, `${MORE_COMMITS}; --against-exact ${ref} compares with that commit itself`);
    }
    const isCheckedOut = (path: string): boolean => submoduleAt(join(repository.root, path), repository) !== undefined;
    const tree = inPart(`git cannot list the files of ${ref}`, () => listTree(repository, hash, isCheckedOut));
    const { entries } = tree;
    const links = inPart(`git cannot read the links of ${ref}`, () => readLinks(entries));
    const own = textFrom(repository, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    // Before the first commit there is no HEAD.
    const none: Listed = { entries: new Map(), skipped: new Map() };
    const { head, after } = inPart(`git cannot compare ${ref}`, () => {
      const head = own === undefined ? none : own === hash ? tree : listTree(repository, own, isCheckedOut);
      return { head, after: readWorkingTree(repository, head.entries, reports) };
    });
    reportSubmodules(tree.skipped, head.skipped, reports);
    const changed = changesBetween(entries, links.follow, after);
    const wanted = [...entries].filter(([path, { isLink }]) => !isLink && changed.has(path));
    const old = inPart(`git cannot read the files of ${ref}`, () => readEntries(wanted.map(([, entry]) => entry)));
    const urls = textFrom(repository, ['config', '-z', '--get-regexp', '^remote\\..*\\.url$']);
    const tags = textFrom(repository, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/tags']);
    const contents = new Map(wanted.map(([path], index) => [path, old[index]]));
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
          return changed.has(target) ? textOf(contents.get(target)) : after.text(target);
        },
      },
      urls: (urls?.split('\0') ?? []).flatMap((entry) => entry.split('\n')[1] ?? []),
      tags: new Set(tags?.split('\n').filter(Boolean)),
      writeBefore: () => writeFiles(entries, [...entries.keys()], links.follow),
    };
  });

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
  const base = textFrom(repository, ['merge-base', hash, 'HEAD']);
  if (base !== undefined) return base;
  return textFrom(repository, ['rev-parse', '--is-shallow-repository']) === 'true' ? undefined : hash;
}

/** Reports submodules that changed and whose files are not here. */
function reportSubmodules(before: Listed['skipped'], after: Listed['skipped'], reports: Collector): void {
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(path) === after.get(path)) continue;
    const message = composeText`the submodule ${trusted.file(path)} changed and is not checked out: its files are not compared`;
    reports.add(unplaced('unreadable-file', message, composeText`${FETCH}`, 'warning'));
  }
}

function changesBetween(before: Tree, follow: Follow, after: WorkingTree): Set<string> {
  const all = [...new Set([...before.keys(), ...after.paths])];
  const changed = new Set(all.filter((path) => after.differs(path, before.get(path))));
  const touched = new Set([...changed].flatMap(foldersFrom));
  for (const path of all) {
    const targets = [before.get(path)?.isLink ? follow(path) : undefined, after.targetOf(path)];
    if (targets.some((target) => target !== undefined && touched.has(target))) changed.add(path);
  }
  return changed;
}

import { readlinkSync, type Stats } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Collector, composeText, counted, told, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { allowance, MAX_READ_BYTES, spend } from '../../core/model/limits.ts';
import { foldersFrom } from '../../core/text/paths.ts';
import type { Files } from '../../gitops/plan/index.ts';
import {
  decode,
  ifPossible,
  linkStatOf,
  readRegularFile,
  realPath,
  slashed,
  statOf,
  unreadable,
  withinAny,
} from '../file-system.ts';
import type { Scratch } from '../write/index.ts';
import { commitOf, MORE_COMMITS, writeFiles } from './commit.ts';
import {
  excludesFile,
  GitError,
  git,
  hashOf,
  inPart,
  type Repository,
  reported,
  submoduleAt,
  textFrom,
} from './run.ts';
import { type Entry, FETCH, type Follow, listTree, outwardLink, readEntries, readLinks, type Tree } from './tree.ts';

/** The files of a working tree and of a commit. */
export interface GitVersions {
  /** The folder of the repository. */
  root: string;
  /** The paths whose content differs. */
  changed: ReadonlySet<string>;
  before: Files;
  after: Files;
  /** The addresses of its remotes. */
  urls: readonly string[];
  tags: ReadonlySet<string>;
  /** The branch that HEAD of the remote names, the current one, and that of `ref`; undefined if unknown. */
  branches: Readonly<Record<'remote' | 'current' | 'ref', string | undefined>>;
  /** Writes all files of the commit to a temporary folder. */
  writeBefore(): Scratch;
}

/**
 * Reads the working tree of a path, and the commit of `ref`, or with `merge base` the one where HEAD left it. Only changed
 * files are read from git. Errors are reported.
 */
export const readVersionsOf = (
  path: string,
  ref: string,
  reports: Collector,
  commitAt: 'ref' | 'merge base' = 'ref',
): GitVersions | undefined =>
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
    const none = { entries: new Map<string, Entry>(), skipped: new Map<string, string>() };
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
    const contents = new Map(wanted.map(([path], index) => [path, old[index] as Buffer]));
    checkSizes(ref, entries.keys(), (path) => contents.get(path)?.length ?? after.size(path));
    checkSizes('the working tree', after.paths, after.size);
    for (const path of changed) if (READ.test(path)) checkText(path, contents.get(path), after, reports);
    /** Equal files are decoded once. */
    const decoded = onceFor((content: Buffer) => textOf(content));
    return {
      root: repository.root,
      changed,
      after: { ...after, links: linksOf(after.paths, after.targetOf) },
      before: {
        paths: [...entries.keys()].sort(),
        outwardLink: links.outward,
        links: linksOf([...entries.keys()], (name) => (entries.get(name)?.isLink ? links.follow(name) : undefined)),
        text: (file: string) => {
          const target = links.follow(file);
          if (target === undefined || !entries.has(target)) return undefined;
          if (!changed.has(target)) return after.text(target);
          const content = contents.get(target);
          return content && decoded(content);
        },
      },
      urls: (urls?.split('\0') ?? []).flatMap((entry) => entry.split('\n')[1] ?? []),
      tags: new Set(tags?.split('\n').filter(Boolean)),
      branches: branchesOf(repository, ref),
      writeBefore: () => writeFiles(entries, [...entries.keys()], links.follow),
    };
  });

/** Returns the names of branches, without the name of a remote. */
function branchesOf(repository: Repository, ref: string): GitVersions['branches'] {
  const nameOf = (symbol: string, prefix: RegExp): string | undefined =>
    textFrom(repository, ['symbolic-ref', '--quiet', symbol])?.replace(prefix, '');
  const known = textFrom(repository, ['for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes']) ?? '';
  const names = new Set(known.split('\n'));
  const short = ref.replace(/^origin\//, '');
  const isBranch =
    short !== 'HEAD' && [`refs/heads/${short}`, `refs/remotes/origin/${short}`].some((name) => names.has(name));
  return {
    remote: nameOf('refs/remotes/origin/HEAD', /^refs\/remotes\/origin\//),
    current: nameOf('HEAD', /^refs\/heads\//),
    ref: isBranch ? short : undefined,
  };
}

const linksOf = (paths: readonly string[], targetOf: Follow): ReadonlyMap<string, string> =>
  new Map(
    paths.flatMap((path) => {
      const target = targetOf(path);
      return target === undefined ? [] : [[path, target] as const];
    }),
  );

/** The best common ancestor, or the commit itself without one; undefined if unknown, in a shallow clone. */
function mergeBase(repository: Repository, hash: string): string | undefined {
  const base = textFrom(repository, ['merge-base', hash, 'HEAD']);
  if (base !== undefined) return base;
  return textFrom(repository, ['rev-parse', '--is-shallow-repository']) === 'true' ? undefined : hash;
}

/** @throws {GitError} if the files that are read have more bytes together than a plan may read */
function checkSizes(what: string, paths: Iterable<string>, size: (path: string) => number): void {
  const budget = allowance(MAX_READ_BYTES);
  for (const path of paths) {
    if (READ.test(path) && !spend(budget, size(path)))
      throw new GitError(`the YAML and JSON files of ${what} have more than ${MAX_READ_BYTES} bytes`);
  }
}

/** Reports a changed file that controllers may read, and this program does not: its change is unknown. */
function checkText(path: string, before: Buffer | undefined, after: WorkingTree, reports: Collector): void {
  const isBroken = [before, after.bytes(path)].some((bytes) => bytes !== undefined && textOf(bytes) === undefined);
  if (!isBroken) return;
  const message = told`${{ file: trusted.file(path) }} changed and is not UTF-8 text: its objects are not compared`;
  reports.add(unplaced('unreadable-file', message, composeText`save it as UTF-8`));
}

type Submodules = ReadonlyMap<string, string>;

/** Reports submodules that changed and whose files are not here. */
function reportSubmodules(before: Submodules, after: Submodules, reports: Collector): void {
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(path) === after.get(path)) continue;
    const message = told`the submodule ${{ file: trusted.file(path) }} changed and is not checked out: its files are not compared`;
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

const READ = /\.(ya?ml|json)$/;

/** The files of a working tree. A link has the text of its target. */
interface WorkingTree extends Files {
  /** Returns the path of the file or folder to which a link leads; undefined if it is no link, or leaves the tree. */
  targetOf(path: string): string | undefined;
  /** Returns the number of bytes of a file; 0 for others. */
  size(path: string): number;
  /** Returns the content of a regular file, as git stores it. */
  bytes(path: string): Buffer | undefined;
  /** Reports whether the path has another content than in a commit. */
  differs(path: string, entry: Entry | undefined): boolean;
}

/** Files that git does not ignore or HEAD has, without the index; compared by hash, so that no filter runs. */
function readWorkingTree(repository: Repository, head: Tree, reports: Collector): WorkingTree {
  const { root } = repository;
  refuseSparse(repository);
  const paths = new Set([...untrackedFiles(repository, head), ...head.keys()]);
  reportOddNames(paths, root, reports);
  const top = realPath(root) ?? root;
  const states = statesOf(paths, root, top);
  const within = withinAny([root]);
  /** The path with links followed; undefined outside of the tree. */
  const followed = (path: string): string | undefined => {
    if (states.get(path)?.isFile()) return path;
    const real = realPath(join(root, path));
    return real !== undefined && within(real) ? slashed(relative(top, real)) : undefined;
  };
  /** Files that were compared, and whose text is probably needed next. */
  const compared = new Map<string, Buffer>();
  const bytesOf = (path: string): Buffer =>
    compared.get(path) ?? storedContent(readRegularFile(join(root, path)), head.get(path));
  const read = (path: string): string | undefined => {
    const target = followed(path);
    // A link may lead to a folder.
    if (target === undefined || statOf(join(root, target))?.isDirectory()) return undefined;
    try {
      return textOf(bytesOf(target));
    } catch (error) {
      reports.add(unreadable(path, error));
      return undefined;
    } finally {
      compared.delete(target);
    }
  };
  const texts = new Map<string, string | undefined>();
  const links = [...states].filter(([, state]) => state.isSymbolicLink());
  return {
    paths: [...states.keys()].filter((path) => followed(path) !== undefined).sort(),
    outwardLink: outwardLink(links.map(([path]) => [path, targetOfLink(root, path)] as const)),
    text: (path) => {
      if (!texts.has(path)) texts.set(path, read(path));
      return texts.get(path);
    },
    size: (path) => (states.get(path)?.isFile() ? (states.get(path)?.size ?? 0) : 0),
    bytes: (path) => (states.get(path)?.isFile() ? ifPossible(() => bytesOf(path)) : undefined),
    targetOf: (path) => {
      const target = followed(path);
      return target === path ? undefined : target;
    },
    differs: (path, entry) => {
      const stat = states.get(path);
      if (stat === undefined || entry === undefined) return stat !== undefined || entry !== undefined;
      if (stat.isSymbolicLink() !== entry.isLink) return true;
      const content = ifPossible(() => (entry.isLink ? Buffer.from(targetOfLink(root, path)) : bytesOf(path)));
      if (content === undefined) return true;
      if (!entry.isLink && READ.test(path)) compared.set(path, content);
      return hashOf('blob', content, entry.hash.length) !== entry.hash;
    },
  };
}

const targetOfLink = (root: string, path: string): string => slashed(readlinkSync(join(root, path)));

/** Returns the files that git neither has nor ignores, in the repository and in its submodules. */
function untrackedFiles(repository: Repository, head: Tree): readonly string[] {
  const { root } = repository;
  const config = { 'core.excludesFile': excludesFile(repository) };
  const listed: string[] = [];
  for (const own of new Set([repository, ...[...head.values()].map((entry) => entry.repository)])) {
    const answer = git(own, ['ls-files', '-z', '--others', '--exclude-standard'], { config }).toString();
    for (const path of answer.split('\0'))
      if (path !== '' && !path.endsWith('/')) listed.push(slashed(join(relative(root, own.root), path)));
  }
  return listed;
}

/** Reports manifests that cannot be opened: Node reads bytes of a name that are not UTF-8 as U+FFFD. */
function reportOddNames(paths: Iterable<string>, root: string, reports: Collector): void {
  for (const path of paths) {
    if (!READ.test(path) || !path.includes('\uFFFD') || linkStatOf(join(root, path)) !== undefined) continue;
    const message = told`${{ file: trusted.file(path) }}: a name in its path is not UTF-8, so that its objects are not compared`;
    reports.add(unplaced('unreadable-file', message, composeText`rename it`));
  }
}

/** Returns the states of the files and links that are there. What is below a link to a folder is none of the tree. */
function statesOf(paths: Iterable<string>, root: string, top: string): ReadonlyMap<string, Stats> {
  const isPlain = onceFor((folder: string) => realPath(join(root, folder)) === join(top, folder));
  const states = new Map<string, Stats>();
  for (const path of paths) {
    const stat = linkStatOf(join(root, path));
    if (stat !== undefined && (stat.isFile() || stat.isSymbolicLink()) && isPlain(dirname(path)))
      states.set(path, stat);
  }
  return states;
}

/** Undoes the line breaks of a checkout on Windows: the content is that of HEAD if nothing else differs. */
function storedContent(content: Buffer, head: Entry | undefined): Buffer {
  if (head === undefined || head.isLink || !content.includes('\r\n')) return content;
  const stored = Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return hashOf('blob', stored, head.hash.length) === head.hash ? stored : content;
}

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && ifPossible(() => decode(asUtf8(bytes)));

/** Returns UTF-16 with a byte order mark as UTF-8: Argo CD and go-yaml read it (argo-cd: util/io, utfutil). */
function asUtf8(bytes: Uint8Array): Uint8Array {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (!isLittle && !isBig) return bytes;
  return Buffer.from(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(bytes), 'utf8');
}

/** @throws {GitError} if the working tree lacks files of the index on purpose, which are unchanged */
function refuseSparse(repository: Repository): void {
  const environment = { GIT_INDEX_FILE: join(repository.gitDir, 'index') };
  const answer = git(repository, ['ls-files', '-z', '-t'], { environment }).toString();
  const left = answer
    .split('\0')
    .flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []))
    .filter((path) => linkStatOf(join(repository.root, path)) === undefined);
  const [example] = left;
  if (example === undefined) return;
  const fault = `this is a sparse checkout without ${counted(left.length, 'file')}, such as ${example}`;
  throw new GitError(fault, 'git sparse-checkout disable');
}

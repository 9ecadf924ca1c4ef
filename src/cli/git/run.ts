import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Collector, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { MAX_READ_BYTES } from '../../core/model/limits.ts';
import { foldersFrom } from '../../core/text/paths.ts';
import {
  codeOf,
  devNull,
  linkStatOf,
  programOn,
  realPath,
  slashed,
  statOf,
  withinAny,
  withParents,
} from '../file-system.ts';

// Every use of git is in this folder: nothing changes the repository, and none of its configuration starts a program.

/** A repository with a working tree. */
export interface Repository {
  root: string;
  /** The folder of this working tree's HEAD; git finds what it shares with others. */
  gitDir: string;
  /** The outermost folder with `.git` above: no program below it is started. */
  outermost: string;
}

/** Thrown if git or a repository does not have what is asked for. */
export class GitError extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Thrown if git cannot be started. */
class NotStarted extends GitError {}

/** Does a part of the work: the name of the part comes before the message of its errors. */
export function inPart<T>(part: string, work: () => T, hint?: string): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof GitError ? new GitError(`${part}: ${error.message}`, hint ?? error.hint) : error;
  }
}

/** Returns the result of a call; `undefined`, and reported, after an error of git. */
export function reported<T>(reports: Collector, call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const { message, hint } = error;
    reports.add(unplaced('unreadable-file', trusted.error(message), hint === undefined ? hint : trusted.error(hint)));
    return undefined;
  }
}

const MOST_LINES = 6;
const MISSING = 'git is not installed, or not on the PATH; a program in the repository is not started';

/** No configuration may start a program, open a connection or redirect the reading of objects. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'safe.bareRepository': 'explicit',
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'core.attributesFile': devNull,
  'core.untrackedCache': 'false',
  'core.useReplaceRefs': 'false',
  'core.sshCommand': 'false',
  'core.askPass': '',
  'core.editor': 'false',
  'core.alternateRefsCommand': 'false',
  'credential.helper': '',
  'diff.external': '',
  'protocol.allow': 'never',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};

/** Replaces the environment: no variable of the caller reaches git, and it finds no program but its own. */
const ENVIRONMENT: NodeJS.ProcessEnv = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
};

interface Call {
  input?: string;
  hint?: string;
  config?: Readonly<Record<string, string>>;
  environment?: NodeJS.ProcessEnv;
  /** The maximum bytes of its output. */
  most?: number;
  /** The exit codes, besides 0, with which it has answered. */
  accepts?: readonly number[];
  /** Whether the command takes paths, and no patterns of paths. */
  takesPaths?: boolean;
}

/** The only function that starts git: it reads one repository, which it does not look for, and no index by itself. */
export function git({ root, gitDir, outermost }: Repository, args: readonly string[], call: Call = {}): Buffer {
  // Loading the module takes longer than many renderings.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { PATH = '', SYSTEMROOT } = process.env;
  const program = programOn(PATH, 'git', withinAny([outermost]));
  if (program === undefined) throw new NotStarted(MISSING, call.hint);
  const config = Object.entries({ ...OVERRIDES, ...call.config }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const most = call.most ?? MAX_READ_BYTES;
  const { status, stdout, stderr, error } = spawnSync(
    program,
    [
      ...(call.takesPaths === true ? [] : ['--literal-pathspecs']),
      '--no-pager',
      `--git-dir=${gitDir}`,
      `--work-tree=${root}`,
      ...config,
      ...args,
    ],
    {
      cwd: root,
      env: {
        ...ENVIRONMENT,
        GIT_INDEX_FILE: join(gitDir, 'render-rgd.no-index'),
        ...(SYSTEMROOT === undefined ? {} : { SYSTEMROOT }),
        ...call.environment,
      },
      input: call.input ?? '',
      maxBuffer: most,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  if (codeOf(error) === 'ENOBUFS')
    throw new GitError(`git prints more than ${most} bytes, which are not read`, call.hint);
  if (error !== undefined) throw new NotStarted(`git cannot be run: ${error.message}`, call.hint);
  if (status === 0 || call.accepts?.includes(status ?? -1) === true) return stdout;
  const words = stderr
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MOST_LINES)
    .join(' ');
  throw new GitError(words === '' ? `git exits with ${status}` : words, call.hint);
}

/** Returns the output of git without its last line break; `undefined` after an error. @throws if git is not started */
export function textFrom(repository: Repository, args: readonly string[], call?: Call): string | undefined {
  try {
    return git(repository, args, call).toString().replace(/\n$/, '');
  } catch (error) {
    if (!(error instanceof GitError) || error instanceof NotStarted) throw error;
    return undefined;
  }
}

/** The folders in which git looks for the configuration of a user. */
interface UserFolders {
  home: string;
  /** The folder of git below XDG_CONFIG_HOME, or its default. */
  configuration: string;
  /** The variables that name them, as they are set. */
  variables: NodeJS.ProcessEnv;
}

export function foldersOfUser(): UserFolders {
  const { HOME: home = process.env.USERPROFILE ?? '', XDG_CONFIG_HOME = '' } = process.env;
  return {
    home,
    configuration: join(XDG_CONFIG_HOME || join(home, '.config'), 'git'),
    variables: { HOME: home, ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }) },
  };
}

/** Returns the file of patterns that a user ignores everywhere. No included configuration is read. */
export function excludesFile(repository: Repository): string {
  const { configuration, variables } = foldersOfUser();
  const environment = { ...variables, GIT_CONFIG_GLOBAL: undefined };
  const args = ['config', '--no-includes', '--type=path', '--get', 'core.excludesFile'];
  return textFrom(repository, args, { environment }) ?? join(configuration, 'ignore');
}

export interface GitObject {
  type: string;
  content: Buffer;
}

const PARTIAL = 'a partial clone lacks files of other commits, and nothing is fetched here: clone without --filter';

/** Every object is compared with its hash, which decides what is read, whatever the repository stores. */
export function readObjects(
  repository: Repository,
  hashes: Iterable<string>,
  most?: number,
): ReadonlyMap<string, GitObject> {
  const wanted = [...new Set(hashes)];
  const objects = new Map<string, GitObject>();
  if (wanted.length === 0) return objects;
  const output = git(repository, ['cat-file', '--batch'], {
    input: `${wanted.join('\n')}\n`,
    hint: PARTIAL,
    ...(most !== undefined && { most }),
  });
  let at = 0;
  for (const hash of wanted) {
    const end = output.indexOf('\n', at);
    const [, found, type = '', size] = /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(output.subarray(at, end).toString()) ?? [];
    if (end < 0 || found !== hash) throw new GitError(`${repository.root} lacks the object ${hash}`, PARTIAL);
    const content = output.subarray(end + 1, end + 1 + Number(size));
    if (hashOf(type, content, hash.length) !== hash) {
      throw new GitError(`the object ${hash} of ${repository.root} is damaged: its content has another hash`);
    }
    objects.set(hash, { type, content });
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}

/** Returns the hash of an object as git computes it: SHA-1, or SHA-256 if it has 64 digits. */
export function hashOf(type: string, content: Buffer, digits: number): string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash(digits === 40 ? 'sha1' : 'sha256', Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]));
}

/** Returns the folder of a path that may no longer exist. */
function folderOf(path: string): string {
  const above = withParents(resolve(path));
  return above.find((folder) => statOf(folder)?.isDirectory()) ?? (above.at(-1) as string);
}

/** Returns a path and the folders above it, from the root of the file system. */
const waysTo = (path: string): string[] => withParents(path).reverse();

/** '' for the root, undefined outside. Links inside the repository are not followed: a commit may have others. */
export function inRepository(path: string, root: string): string | undefined {
  const absolute = resolve(path);
  const real = realPath(root) ?? root;
  const top = waysTo(absolute).find((folder) => realPath(folder) === real);
  if (top !== undefined) return slashed(relative(top, absolute));
  const folder = folderOf(absolute);
  const way = relative(real, resolve(realPath(folder) ?? folder, relative(folder, absolute)));
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : slashed(way);
}

interface Candidate extends Omit<Repository, 'outermost'> {
  /** The folder that all working trees of the repository share, with links followed. */
  common: string;
  owner: number;
}

/**
 * Returns the repository of a path, from the outside in: the outermost folder with `.git` whose HEAD or `ref` has
 * something at the next one. A submodule therefore belongs to the repository around it, which records its commit; a
 * checkout that the repository around it does not track, and a further working tree of the same repository, stand for
 * themselves. A folder that only looks like a bare repository is none: a commit can contain one, but no `.git`.
 * @throws {GitError} if there is none
 */
export function findRepository(path: string, ref: string): Repository {
  const absolute = resolve(path);
  const named = candidatesAt(absolute);
  const folder = folderOf(absolute);
  const found = named.length > 0 ? named : candidatesAt(realPath(folder) ?? folder);
  const owner = found.at(-1)?.owner;
  // Another user may own a folder above, such as /tmp.
  const [outermost, ...inner] = found.filter((one) => one.owner === owner);
  if (outermost === undefined) throw new GitError(`no folder from ${folder} upwards contains .git`);
  let chosen = outermost;
  for (const next of inner) {
    const isTracked =
      next.common !== chosen.common &&
      tracks({ ...chosen, outermost: outermost.root }, ref, slashed(relative(chosen.root, next.root)));
    if (!isTracked) chosen = next;
  }
  return { root: chosen.root, gitDir: chosen.gitDir, outermost: outermost.root };
}

/** Returns the repository that is checked out as a submodule; undefined if the folder has no `.git`. */
export function submoduleAt(folder: string, { outermost }: Repository): Repository | undefined {
  const found = candidateAt(folder);
  return found && { ...found, outermost };
}

/** Returns the repositories of a path, from the outside in. */
export const candidatesAt = (path: string): Candidate[] => waysTo(path).flatMap((folder) => candidateAt(folder) ?? []);

function candidateAt(root: string): Candidate | undefined {
  const entry = join(root, '.git');
  const stat = statOf(entry);
  if (stat === undefined) return undefined;
  const gitDir = stat.isDirectory() ? entry : resolve(root, lineOf(entry).replace(/^gitdir: /, ''));
  const common = realPath(resolve(gitDir, lineOf(join(gitDir, 'commondir'))));
  const isComplete = common !== undefined && ['objects', 'refs'].every((name) => existsSync(join(common, name)));
  return isComplete && linkStatOf(join(gitDir, 'HEAD')) ? { root, gitDir, common, owner: stat.uid } : undefined;
}

const LONGEST_LINE = 8192;

/** Returns the line of a small file; '' if it is none. */
function lineOf(file: string): string {
  const stat = statOf(file);
  return stat?.isFile() && stat.size <= LONGEST_LINE
    ? readFileSync(file, 'utf8').replace(/(?<![\r\n])[\r\n]+$/, '')
    : '';
}

/** Reports whether HEAD or a commit has a file, a folder or a submodule at a path, or a file or submodule above it. */
function tracks(repository: Repository, ref: string, path: string): boolean {
  const ways = foldersFrom(path).filter(Boolean);
  for (const name of new Set(['HEAD', ref])) {
    const commit = textFrom(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    if (commit === undefined) continue;
    const listed = git(repository, ['ls-tree', '-z', '--full-tree', commit, '--', ...ways]);
    const entries = listed.toString().split('\0').filter(Boolean);
    if (entries.some((entry) => !/^\d+ tree /.test(entry) || entry.endsWith(`\t${path}`))) return true;
  }
  return false;
}

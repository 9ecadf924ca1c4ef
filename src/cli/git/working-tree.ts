import { readlinkSync, type Stats } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Files } from '../../authoring/plan/index.ts';
import type { Collector } from '../../core/diagnostics/index.ts';
import { onceFor } from '../../core/model/lazily.ts';
import { withinAny } from '../boundary.ts';
import { ifPossible, linkStatOf, realPath, slashed, statOf } from '../file-system.ts';
import { decode, readRegularFile, unreadable } from '../regular-file.ts';
import { outwardLink } from './links.ts';
import { git, hashOf, type Repository, textFrom } from './run.ts';
import type { Entry, Tree } from './tree.ts';

const READ = /\.(ya?ml|json)$/;

/** The files of a working tree. A link has the text of its target. */
export interface WorkingTree extends Files {
  /** Returns the path of the file or folder to which a link leads; undefined if it is no link, or leaves the tree. */
  targetOf(path: string): string | undefined;
  /** Reports whether the path has another content than in a commit. */
  differs(path: string, entry: Entry | undefined): boolean;
}

/**
 * Lists the working tree: files that git does not ignore, and those that it ignores but `head`, the tree of HEAD, has,
 * with those of submodules in `head`.
 * The index is not read. A file that cannot be read is reported when its text is needed. Files are compared with a commit by their hash, so that no filter runs.
 * @throws {GitError}
 */
export function readWorkingTree(repository: Repository, head: Tree, reports: Collector): WorkingTree {
  const { root } = repository;
  const config = { 'core.excludesFile': excludesFile(repository) };
  const listed: string[] = [];
  for (const own of new Set([repository, ...[...head.values()].map((entry) => entry.repository)])) {
    const answer = git(own, ['ls-files', '-z', '--others', '--exclude-standard'], { config }).toString();
    for (const path of answer.split('\0'))
      if (path !== '' && !path.endsWith('/')) listed.push(slashed(join(relative(root, own.root), path)));
  }
  const top = realPath(root) ?? root;
  /** Whether no link leads to a folder. */
  const isPlain = onceFor((folder: string) => realPath(join(root, folder)) === join(top, folder));
  const states = new Map<string, Stats>();
  for (const path of new Set([...listed, ...head.keys()])) {
    const stat = linkStatOf(join(root, path));
    if (stat !== undefined && (stat.isFile() || stat.isSymbolicLink()) && isPlain(dirname(path)))
      states.set(path, stat);
  }
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
  return {
    paths: [...states.keys()].filter((path) => followed(path) !== undefined).sort(),
    outwardLink: outwardLink(
      [...states].flatMap(([path, state]) =>
        state.isSymbolicLink() ? [[path, slashed(readlinkSync(join(root, path)))] as const] : [],
      ),
    ),
    text: (path) => {
      if (!texts.has(path)) texts.set(path, read(path));
      return texts.get(path);
    },
    targetOf: (path) => {
      const target = followed(path);
      return target === path ? undefined : target;
    },
    differs: (path, entry) => {
      const stat = states.get(path);
      if (stat === undefined || entry === undefined) return stat !== undefined || entry !== undefined;
      if (stat.isSymbolicLink() !== entry.isLink) return true;
      const content = ifPossible(() =>
        entry.isLink ? Buffer.from(slashed(readlinkSync(join(root, path)))) : bytesOf(path),
      );
      if (content === undefined) return true;
      if (!entry.isLink && READ.test(path)) compared.set(path, content);
      return hashOf('blob', content, entry.hash.length) !== entry.hash;
    },
  };
}

/** Undoes the line breaks of a checkout on Windows: the content is that of HEAD if nothing else differs. */
function storedContent(content: Buffer, head: Entry | undefined): Buffer {
  if (head === undefined || head.isLink || !content.includes('\r\n')) return content;
  const stored = Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return hashOf('blob', stored, head.hash.length) === head.hash ? stored : content;
}

/** Returns the file of patterns that a user ignores everywhere. No included configuration is read. */
function excludesFile(repository: Repository): string {
  const { HOME = process.env.USERPROFILE ?? '', XDG_CONFIG_HOME = '' } = process.env;
  const environment = { HOME, GIT_CONFIG_GLOBAL: undefined, ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }) };
  const args = ['config', '--no-includes', '--type=path', '--get', 'core.excludesFile'];
  return textFrom(repository, args, { environment }) ?? join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'ignore');
}

/** Returns UTF-8 text; undefined for other bytes. */
export const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && ifPossible(() => decode(bytes));

import { basename, dirname, join, relative, sep } from 'node:path';
import { lazily, onceFor } from '../../core/model/lazily.ts';
import { ifPossible, readRegularFile, realPath, withParents } from '../file-system.ts';
import { foldersOfUser } from './run.ts';

/** Larger files of patterns are not searched: every file may be ignored. */
const MOST_BYTES = 1_000_000;

/** The last part of a pattern: the texts that a name must have, in order. */
interface Pattern {
  texts: readonly string[];
  /** Whether the name starts with the first text. */
  hasStart: boolean;
  /** Whether the name ends with the last text. */
  hasEnd: boolean;
}

/** The patterns of a file; `all` if they are not known, so that every name may fit. */
type Patterns = readonly Pattern[] | 'all';

/** What may ignore the files of a folder. */
interface IgnoringFolder {
  /** The root of its repository. */
  root: string;
  /** Its path, with links followed. */
  path: string;
  all: readonly Patterns[];
}

/**
 * Returns a test of files that is true of each one that git ignores, and of few others: to start git takes longer than
 * many renderings. A file can only be ignored if a name in its path fits the last part of a pattern.
 */
export function mayBeIgnored(
  repositoriesAt: (path: string) => readonly { root: string; gitDir: string }[],
): (file: string) => boolean {
  const ofUser = lazily(patternsOfUser);
  const ofFile = onceFor(readPatterns);
  const ofRepository = onceFor((gitDir: string): Patterns[] => [
    ...ofUser(),
    readPatterns(join(gitDir, 'info', 'exclude')),
    configured(gitDir),
  ]);
  const around = onceFor((folder: string): IgnoringFolder | undefined => {
    const path = realPath(folder) ?? folder;
    const repository = repositoriesAt(path).at(-1);
    if (repository === undefined) return undefined;
    const { root, gitDir } = repository;
    const inside = withParents(path).filter((one) => one.length >= root.length);
    const own = inside.map((one) => ofFile(join(one, '.gitignore')));
    return { root, path, all: [...ofRepository(gitDir), ...own] };
  });
  return (file: string): boolean => {
    const found = around(dirname(file));
    if (found === undefined) return false;
    const { root, path, all } = found;
    const names = relative(root, join(path, basename(file)))
      .split(sep)
      .map((name) => name.toLowerCase());
    return all.some((patterns) => patterns === 'all' || patterns.some((one) => names.some((name) => fits(name, one))));
  };
}

/** The patterns for all repositories of a user. */
function patternsOfUser(): Patterns[] {
  const { home, configuration } = foldersOfUser();
  return [
    readPatterns(join(configuration, 'ignore')),
    configured(configuration),
    namesExcludes(join(home, '.gitconfig')),
  ];
}

const configured = (folder: string): Patterns => namesExcludes(join(folder, 'config'));

/** A configuration may name another file of patterns: git reads it. */
const namesExcludes = (config: string): Patterns => (/excludesfile|include/i.test(textOf(config) ?? '') ? 'all' : []);

function textOf(file: string): string | undefined {
  return ifPossible(() => readRegularFile(file, { limit: MOST_BYTES }).toString('latin1'));
}

function readPatterns(file: string): Patterns {
  const bytes = ifPossible(() => readRegularFile(file, { limit: MOST_BYTES }));
  const lines =
    bytes
      ?.toString()
      .replace(/^\uFEFF/, '')
      .split('\n') ?? [];
  return lines.flatMap((line) => patternOf(line.replace(/\r$/, '')));
}

const ANY_NAME: Pattern = { texts: [], hasStart: false, hasEnd: false };

/** Returns the last part of a pattern; a pattern of exceptions has none. */
function patternOf(line: string): Pattern[] {
  const pattern = withoutEnd(withoutEnd(line, ' '), '/');
  if (pattern === '' || pattern.startsWith('#') || pattern.startsWith('!')) return [];
  // An escaped character may be a wildcard, and a bracket may contain a slash.
  const bracket = pattern.indexOf('[');
  if (pattern.includes('\\') || (bracket >= 0 && pattern.includes('/', bracket))) return [ANY_NAME];
  const last = pattern.slice(pattern.lastIndexOf('/') + 1).toLowerCase();
  const texts = withoutBrackets(last).flatMap((part) => part.split(/[*?]/));
  return [{ texts: texts.filter((text) => text !== ''), hasStart: texts[0] !== '', hasEnd: texts.at(-1) !== '' }];
}

/** Returns what is before and after the brackets: they may have any characters, so that they stand for any text. */
function withoutBrackets(text: string): string[] {
  const open = text.indexOf('[');
  const close = text.lastIndexOf(']');
  return open < 0 || close < open ? [text] : [text.slice(0, open), text.slice(close + 1)];
}

function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

function fits(name: string, { texts, hasStart, hasEnd }: Pattern): boolean {
  const [first = ''] = texts;
  const last = texts.at(-1) ?? '';
  if ((hasStart && !name.startsWith(first)) || (hasEnd && !name.endsWith(last))) return false;
  let at = 0;
  for (const text of texts) {
    const found = name.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return true;
}

import { basename, dirname, join, relative, sep } from 'node:path';
import { ifPossible, readRegularFile, realPath, withParents } from '../file-system.ts';

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

/**
 * Returns a test of files that is true of each one that git ignores, and of few others: to start git takes longer than
 * many renderings. A file can only be ignored if a name in its path fits the last part of a pattern.
 */
export function mayBeIgnored(
  repositoriesAt: (path: string) => readonly { root: string; gitDir: string }[],
): (file: string) => boolean {
  const known = new Map<string, Patterns>();
  const patternsIn = (file: string): Patterns => {
    const found = known.get(file) ?? readPatterns(file);
    known.set(file, found);
    return found;
  };
  const roots = new Map<string, { root: string; shared: readonly Patterns[] } | undefined>();
  const repositoryOf = (folder: string): { root: string; shared: readonly Patterns[] } | undefined => {
    if (roots.has(folder)) return roots.get(folder);
    const found = repositoriesAt(folder).at(-1);
    const shared = found && [
      ...patternsOfUser(),
      patternsIn(join(found.gitDir, 'info', 'exclude')),
      configured(found.gitDir),
    ];
    const repository = found && shared && { root: found.root, shared };
    roots.set(folder, repository);
    return repository;
  };
  return (file: string): boolean => {
    const folder = realPath(dirname(file)) ?? dirname(file);
    const repository = repositoryOf(folder);
    if (repository === undefined) return false;
    const { root, shared } = repository;
    const inside = withParents(folder).filter((one) => one.length >= root.length);
    const names = relative(root, join(folder, basename(file)))
      .split(sep)
      .map((name) => name.toLowerCase());
    const all = [...shared, ...inside.map((one) => patternsIn(join(one, '.gitignore')))];
    return all.some((patterns) => patterns === 'all' || patterns.some((one) => names.some((name) => fits(name, one))));
  };
}

/** The patterns for all repositories of a user. */
function patternsOfUser(): Patterns[] {
  const { HOME = process.env.USERPROFILE ?? '', XDG_CONFIG_HOME = '' } = process.env;
  const folder = join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git');
  return [readPatterns(join(folder, 'ignore')), configured(folder), namesExcludes(join(HOME, '.gitconfig'))];
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

import { basename, dirname, join } from 'node:path';
import { composeText, type Report, trusted, unplaced } from '../../core/diagnostics/index.ts';
import { enumerated } from '../../core/text/clip.ts';
import { realPath } from '../file-system.ts';
import { mayBeIgnored } from './ignore-patterns.ts';
import { candidatesAt, excludesFile, GitError, git, inRepository, type Repository } from './run.ts';

/** Asks with the index: git does not ignore a file that it tracks. */
function ask(
  repository: Repository,
  args: readonly string[],
  call: { input?: string; takesPaths?: boolean } = {},
): string[] {
  const config = { 'core.excludesFile': excludesFile(repository) };
  const environment = { GIT_INDEX_FILE: join(repository.gitDir, 'index') };
  try {
    const answer = git(repository, args, { config, environment, accepts: [1], ...call });
    return answer.toString().split('\0').filter(Boolean);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // Without git, nothing is ignored.
    return [];
  }
}

/** Returns the innermost repository that contains a path; undefined if none does. */
function repositoryAround(path: string): Repository | undefined {
  const found = candidatesAt(realPath(path) ?? path);
  const inner = found.at(-1);
  const outermost = found.find(({ owner }) => owner === inner?.owner);
  return inner && { root: inner.root, gitDir: inner.gitDir, outermost: (outermost ?? inner).root };
}

/** Returns the files and folders below a folder that git ignores as a whole, with links followed. */
export function ignoredBelow(folder: string): string[] {
  const repository = repositoryAround(folder);
  const path = repository && inRepository(folder, repository.root);
  if (repository === undefined || path === undefined) return [];
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const answer = ask(repository, [...args, '--', ...(path === '' ? [] : [path])]);
  return answer.map((one) => join(repository.root, one).replace(/[/\\]$/, ''));
}

/** Returns those of some files that git ignores. */
export function ignoredAmong(files: readonly string[]): string[] {
  const byRepository = new Map<string, { repository: Repository; paths: Map<string, string> }>();
  const known = new Map<string, Repository | undefined>();
  for (const file of files.filter(mayBeIgnored(candidatesAt))) {
    const folder = realPath(dirname(file)) ?? dirname(file);
    if (!known.has(folder)) known.set(folder, repositoryAround(folder));
    const repository = known.get(folder);
    const path = repository && inRepository(join(folder, basename(file)), repository.root);
    if (repository === undefined || path === undefined) continue;
    const own = byRepository.get(repository.root) ?? { repository, paths: new Map<string, string>() };
    own.paths.set(path, file);
    byRepository.set(repository.root, own);
  }
  return [...byRepository.values()].flatMap(({ repository, paths }) => {
    // A path that starts with a colon would be a pattern.
    const input = [...paths.keys()].map((path) => `./${path}`).join('\0');
    const answer = ask(repository, ['check-ignore', '-z', '--stdin'], { input, takesPaths: true });
    return answer.flatMap((path) => paths.get(path.replace(/^\.\//, '')) ?? []);
  });
}

/** Returns the report of the files of a package that git ignores; none if it ignores none. */
export function ignoredReports(files: readonly string[]): Report[] {
  const ignored = ignoredAmong(files);
  if (ignored.length === 0) return [];
  const names = enumerated(
    ignored.map((path) => trusted.file(path)),
    5,
  );
  const message = composeText`read, although git ignores them: ${names}`;
  const hint = composeText`--exclude leaves files out; editors do not read what git ignores`;
  return [unplaced('ignored-file', message, hint, 'info')];
}

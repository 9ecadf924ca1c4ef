import { type Collector, publicText } from '../../core/diagnostics/index.ts';
import { findRepository } from './repository.ts';
import { git, type Repository } from './run.ts';

/** Returns the repository of a path and the commit of a name; `undefined`, and reported, without them. */
export function commitOf(
  ref: string,
  path: string,
  reports: Collector,
): { repository: Repository; hash: string } | undefined {
  const repository = findRepository(path, ref);
  if ('fault' in repository) return failed(`--against needs a git repository at ${path}: ${repository.fault}`, reports);
  // A name that starts with a dash would be an option without --end-of-options.
  const commit = git(repository, ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]);
  if ('fault' in commit) {
    return failed(`--against: '${ref}' names no commit of ${repository.root}: ${commit.fault}`, reports, MORE_COMMITS);
  }
  return { repository, hash: commit.output.toString().trim() };
}

/** Returns the short names of branches and tags; none outside of a repository. */
export function namesOfRefs(path: string): string[] {
  const repository = findRepository(path, 'HEAD');
  if ('fault' in repository) return [];
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes'];
  const answer = git(repository, args);
  return 'fault' in answer ? [] : answer.output.toString().split('\n').filter(Boolean);
}

/** What a clone with too few commits needs. */
export const MORE_COMMITS =
  'a checkout in CI often has one commit only: git fetch the branch first (actions/checkout: fetch-depth: 0)';

export function failed(message: string, reports: Collector, hint?: string): undefined {
  reports.add({
    code: 'unreadable-file',
    message: publicText`${message}`,
    path: [],
    ...(hint === undefined ? {} : { hint: publicText`${hint}` }),
  });
}

import { type Collector, publicText } from '../../core/diagnostics/index.ts';
import { folderOf } from './place.ts';
import { git } from './run.ts';

/** Returns the repository of a path and the commit of a name; `undefined`, and reported, without them. */
export function commitOf(ref: string, path: string, reports: Collector): { root: string; hash: string } | undefined {
  const start = folderOf(path);
  const top = git(start, ['rev-parse', '--show-toplevel']);
  if ('fault' in top) return failed(`--against needs a git repository at ${start}: ${top.fault}`, reports);
  const root = top.output.toString().replace(/\n$/, '');
  // A name that starts with a dash would be an option without --end-of-options.
  const commit = git(root, ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]);
  if ('fault' in commit) {
    return failed(`--against: '${ref}' names no commit of ${root}: ${commit.fault}`, reports, FETCH);
  }
  return { root, hash: commit.output.toString().trim() };
}

const FETCH =
  'a checkout in CI often has one commit only: git fetch the branch first (actions/checkout: fetch-depth: 0)';

export function failed(message: string, reports: Collector, hint?: string): undefined {
  reports.add({
    code: 'unreadable-file',
    message: publicText`${message}`,
    path: [],
    ...(hint === undefined ? {} : { hint: publicText`${hint}` }),
  });
}

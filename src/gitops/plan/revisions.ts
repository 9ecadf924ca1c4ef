import { isPinned } from './repository.ts';

/** The branches of this repository, as far as they are known. */
export interface Revisions {
  /** The branch to which the change belongs: that of a pull request, or the current one. */
  target?: string;
  /** The branch that HEAD of a remote names. */
  defaultBranch?: string;
}

/** Returns the name of a branch without the prefix of its ref. */
const branchOf = (revision: string): string => revision.replace(/^refs\/heads\//, '');

/** Returns why a source with a revision does not have the files of this change; `undefined` if it has. */
export function revisionFault(
  revision: string,
  { tags, revisions = {} }: { tags?: ReadonlySet<string>; revisions?: Revisions },
): string | undefined {
  if (isPinned(revision, tags)) return `it deploys the revision ${revision}`;
  const { target, defaultBranch } = revisions;
  if (revision === '' || revision === 'HEAD') {
    const isOther = target !== undefined && defaultBranch !== undefined && target !== defaultBranch;
    return isOther ? `it deploys the branch ${defaultBranch}, and the change is for ${target}` : undefined;
  }
  const branch = branchOf(revision);
  if (target === undefined || branch === target) return undefined;
  return `it deploys the branch ${branch}, and the change is for ${target}`;
}

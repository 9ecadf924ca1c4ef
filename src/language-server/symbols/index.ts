import { modelOf } from '../expressions.ts';
import { forLastVersion } from '../last-version.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { rgdOccurrences } from './of-rgd.ts';
import { setOccurrences } from './of-set.ts';
import { instanceOccurrences, type Occurrence, sameTarget, type Target } from './targets.ts';

export type { Occurrence, Target } from './targets.ts';

/** Returns every name in a file that refers to something in the workspace. */
export const occurrencesIn = forLastVersion((file, checked, workspace): readonly Occurrence[] => {
  if (checked === undefined) return [];
  return file.trees.flatMap((tree) => {
    const model = modelOf(file, tree, workspace);
    return model === undefined
      ? [...instanceOccurrences(file, tree.root, checked), ...setOccurrences(file, tree, checked)]
      : rgdOccurrences(model, checked);
  });
});

/** Returns all references of the workspace to a target, including its declaration. */
export function referencesTo(target: Target, workspace: Workspace): (Occurrence & { file: SourceFile })[] {
  const files = workspace.packages
    .filter(({ files, beside }) => [...files, ...beside].some(({ uri }) => uri === target.uri))
    .flatMap(({ files }) => files);
  const declaring = workspace.files.get(target.uri);
  return [...new Set([...(declaring === undefined ? [] : [declaring]), ...files])].flatMap((file) =>
    occurrencesIn(file, workspace)
      .filter((one) => sameTarget(one.target, target))
      .map((one) => ({ file, ...one })),
  );
}

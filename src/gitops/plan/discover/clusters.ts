import { onceFor } from '../../../core/model/lazily.ts';
import { getAt } from '../../../core/model/value.ts';
import { isBelow, parentOf, resolvePath } from '../../../core/text/paths.ts';
import type { Repository } from '../repository.ts';
import { syncOf } from './flux-sync.ts';

/** The clusters of a repository of Flux; each is the folder of its files. */
export interface Clusters {
  /** Returns the cluster of a file. */
  of(file: string): string | undefined;
  /** Returns a function that reports whether a file belongs to no other cluster. */
  isShared(cluster: string): (found: { file: string }) => boolean;
}

/** Returns a path, and the folders that it is in, the root first. */
export function foldersOf(path: string): string[] {
  const steps = path.split('/');
  return ['', ...steps.map((_, index) => steps.slice(0, index + 1).join('/'))];
}

export function clustersIn({ manifestsWith, objectsOf }: Repository): Clusters {
  /** The folders that Kustomizations deploy, by the file of the Kustomization. */
  const declaring = ['kustomize.toolkit.fluxcd.io/', 'fluxcd.controlplane.io/'].flatMap((word) => manifestsWith(word));
  const deployed = [...new Set(declaring)].map((file) => {
    const paths = objectsOf(file).map(({ object }) =>
      object.kind === 'FluxInstance' ? syncOf(object)?.path : getAt(object, ['spec', 'path']),
    );
    return { file, folders: paths.flatMap((path) => (typeof path === 'string' ? (resolvePath('', path) ?? []) : [])) };
  });
  // `flux bootstrap` writes a Kustomization into the folder that it deploys; the outermost one counts.
  const own = deployed.flatMap(({ file, folders }) => folders.filter((folder) => isBelow(file, folder)));
  const roots = new Set(own);
  /** The folders beside that of a cluster that declare Kustomizations, and that the cluster does not deploy. */
  const othersOf = (cluster: string): string[] => {
    const parent = parentOf(cluster);
    const start = parent === '' ? 0 : parent.length + 1;
    const beside = deployed.flatMap(({ file }) =>
      isBelow(file, parent) && !isBelow(file, cluster) && file.includes('/', start)
        ? [file.slice(0, file.indexOf('/', start))]
        : [],
    );
    const ours = deployed.flatMap(({ file, folders }) => (isBelow(file, cluster) ? folders : []));
    return [...new Set(beside)].filter((one) => !ours.some((path) => isBelow(path, one)));
  };
  return {
    of: (file) => foldersOf(file).find((one) => roots.has(one)),
    isShared: onceFor((cluster: string) => {
      const others = othersOf(cluster);
      return ({ file }: { file: string }): boolean => !others.some((one) => isBelow(file, one));
    }),
  };
}

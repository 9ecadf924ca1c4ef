import { addTo } from '../../../core/model/group-by.ts';
import { lazily, onceFor } from '../../../core/model/lazily.ts';
import { MAX_LINKS } from '../../../core/model/limits.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { get, getAt, listAt, listOf, textAt, textOf, type Value } from '../../../core/model/value.ts';
import { isBelow, parentOf, resolvePath } from '../../../core/text/paths.ts';
import type { Discovery } from '../application.ts';
import type { Repository } from '../repository.ts';
import { isSameRepository } from '../repository.ts';
import { type Revisions, revisionFault } from '../revisions.ts';
import { syncOf } from './flux-sync.ts';

/** A source: this repository from a folder (`root`) without what `ignore` and .sourceignore match, or why nothing is deployed from it. */
type FluxSource =
  | { isOurs: true; root: string; ignore: string; suspended?: string }
  | { isOurs: false; reason: string; source?: KubeObject; isHere?: true };

interface Named {
  file: string;
  object: KubeObject;
  /** Its place in the file. */
  index: number;
}

/** Returns a path, and the folders that it is in, the root first. */
function foldersOf(path: string): string[] {
  const steps = path.split('/');
  return ['', ...steps.map((_, index) => steps.slice(0, index + 1).join('/'))];
}

/** What objects of Flux refer to. `cluster` is the folder of the files of a cluster. */
export interface References {
  sourceOf(reference: Value | undefined, namespace: string, cluster: string): FluxSource;
  /** Returns the data of a ConfigMap; undefined for a Secret, or if it is unknown which of several it is. */
  configMap(reference: Value, namespace: string, cluster: string): Value | undefined;
  /** Returns the cluster of a file. */
  clusterOf(file: string): string | undefined;
}

/** The fields of a reference that fix a revision, in the order in which source-controller reads them, before the branch. */
const FIXED: readonly string[] = ['commit', 'name', 'semver', 'tag'];

/** Returns why a reference of a GitRepository is not this change; without one it is the branch `master`. */
function refFault(
  ref: Value | undefined,
  given: { tags?: ReadonlySet<string>; revisions?: Revisions },
): string | undefined {
  const field = FIXED.find((one) => textAt(ref, one) !== '');
  if (field === 'name') return revisionFault(textAt(ref, 'name'), given);
  if (field !== undefined) return `it deploys the revision ${textAt(ref, field)}`;
  return revisionFault(textAt(ref, 'branch') || 'master', given);
}

/** Finds what objects of Flux refer to. */
export function referencesIn(given: Discovery): References {
  const { repository, urls } = given;
  const clusters = clustersIn(repository);
  const objectsIn = (files: readonly string[], kind: string): { file: string; object: KubeObject }[] =>
    files.flatMap((file) =>
      repository.objectsOf(file).flatMap(({ object }) => (object.kind === kind ? [{ file, object }] : [])),
    );
  /** The objects of a kind in a file, by their names, and by names with namespaces. */
  const namesIn = onceFor((kind: string) =>
    onceFor((file: string) => {
      const names = new Map<string, Named[]>();
      for (const [index, one] of objectsIn([file], kind).entries()) {
        const name = nameOf(one.object);
        const named = { ...one, index };
        addTo(names, name, named);
        addTo(names, `${name}\n${namespaceOf(one.object)}`, named);
      }
      return names;
    }),
  );
  const inFile = (kind: string, file: string, name: string, namespace: string): readonly Named[] => {
    const names = namesIn(kind)(file);
    if (namespace === '') return names.get(name) ?? [];
    const found = ['', namespace].flatMap((one) => names.get(`${name}\n${one}`) ?? []);
    return found.sort((a, b) => a.index - b.index);
  };
  /** Returns all objects of a kind and name, and those below each folder. */
  const everywhere = onceFor((kind: string) =>
    onceFor((name: string) =>
      onceFor((namespace: string) => {
        const files = repository.manifestsNaming(kind, name);
        const found = files.flatMap((file) => inFile(kind, file, name, namespace));
        const below = new Map<string, Named[]>();
        for (const one of found) for (const folder of foldersOf(one.file)) addTo(below, folder, one);
        return { found, below };
      }),
    ),
  );
  /** Returns the objects of a kind and name: those of a cluster, or else those of no other cluster. */
  const named = (kind: string, name: string, namespace: string, cluster: string): readonly KubeObject[] => {
    const { found, below } = everywhere(kind)(name)(namespace);
    const near = below.get(cluster) ?? [];
    const kept = near.length > 0 || found.length === 0 ? near : found.filter(clusters.isShared(cluster));
    return kept.map(({ object }) => object);
  };
  const artifacts = onceFor((name: string) =>
    generators().flatMap(({ file, object }) => {
      const folder = artifactFolder(object, name);
      return folder === undefined ? [] : [{ file, folder }];
    }),
  );
  /** Returns the GitRepository that a FluxInstance declares. */
  const instanceSource = (name: string, namespace: string, cluster: string): KubeObject | undefined => {
    const files = repository.manifestsWith('FluxInstance').filter((file) => isBelow(file, cluster));
    for (const { object } of objectsIn(files, 'FluxInstance')) {
      const sync = syncOf(object);
      if (sync?.name === name && sync.namespace === namespace && sync.kind === 'GitRepository')
        return { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', spec: sync.source };
    }
    return undefined;
  };
  const generators = lazily(() => objectsIn(repository.manifestsWith('ArtifactGenerator'), 'ArtifactGenerator'));
  const sourceOf = (
    reference: Value | undefined,
    namespace: string,
    cluster: string,
    seen: readonly string[] = [],
  ): FluxSource => {
    const kind = textAt(reference, 'kind');
    const name = textAt(reference, 'name');
    const from = textAt(reference, 'namespace') || namespace;
    if (kind === 'ExternalArtifact') {
      const found = artifacts(name);
      const copied = (found.find(({ file }) => isBelow(file, cluster)) ?? found[0])?.folder;
      if (copied === undefined || seen.includes(name) || seen.length === MAX_LINKS)
        return { isOurs: false, reason: `its source is the ExternalArtifact ${name}` };
      const source = sourceOf(copied.source, from, cluster, [...seen, name]);
      return source.isOurs ? { ...source, root: copied.root } : source;
    }
    if (kind === '') return { isOurs: false, reason: 'it refers to no source' };
    if (kind !== 'GitRepository') {
      const [other] = named(kind, name, from, cluster);
      const reason = `its source is ${kind}, not a GitRepository`;
      return { isOurs: false, reason, ...(other && { source: other }) };
    }
    const [source = instanceSource(name, from, cluster)] = named(kind, name, from, cluster);
    if (source === undefined) return { isOurs: true, root: '', ignore: '' };
    const url = textOf(getAt(source, ['spec', 'url']));
    if (!isSameRepository(url, urls)) return { isOurs: false, reason: 'its source is another repository', source };
    const ref = getAt(source, ['spec', 'ref']);
    const other = refFault(ref, given);
    if (other !== undefined) return { isOurs: false, reason: other, source, isHere: true };
    return { isOurs: true, root: '', ignore: textOf(getAt(source, ['spec', 'ignore'])) };
  };
  return {
    sourceOf,
    configMap(reference, namespace, cluster) {
      // Values of Secrets would appear in objects that are shown.
      if (get(reference, 'kind') !== 'ConfigMap') return undefined;
      const found = named('ConfigMap', textAt(reference, 'name'), namespace, cluster);
      return found.length === 1 ? (get(found[0] ?? null, 'data') ?? {}) : undefined;
    },
    clusterOf: clusters.of,
  };
}

function clustersIn({ manifestsWith, objectsOf }: Repository) {
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
    of: (file: string): string | undefined => foldersOf(file).find((one) => roots.has(one)),
    /** Returns a function that reports whether a file belongs to no other cluster. */
    isShared: onceFor((cluster: string) => {
      const others = othersOf(cluster);
      return ({ file }: { file: string }): boolean => !others.some((one) => isBelow(file, one));
    }),
  };
}

/** https://fluxcd.io/flux/components/source/artifactgenerators/: the folder whose files keep their paths. */
function artifactFolder(generator: Value, name: string): { root: string; source: Value } | undefined {
  const artifact = listOf(getAt(generator, ['spec', 'artifacts'])).find((one) => get(one, 'name') === name) ?? null;
  const copies = listAt(artifact, 'copy').map((copy) => {
    const [, alias, from = ''] = /^@([^/]+)\/(?:(.+)\/)?\*\*$/.exec(textAt(copy, 'from')) ?? [];
    const [, to = ''] = /^@artifact\/(.*?)\/?$/.exec(textAt(copy, 'to')) ?? [];
    if (alias === undefined || listAt(copy, 'exclude').length > 0) return undefined;
    if (to === '') return { alias, root: from };
    return `/${from}`.endsWith(`/${to}`) ? { alias, root: from.slice(0, -to.length - 1) } : undefined;
  });
  const [first] = copies;
  const isOne = copies.every((one) => one !== undefined && one.root === first?.root && one.alias === first.alias);
  const sources = listOf(getAt(generator, ['spec', 'sources']));
  const source = sources.find((one) => get(one, 'alias') === first?.alias);
  return isOne && first !== undefined && source !== undefined ? { root: first.root, source } : undefined;
}

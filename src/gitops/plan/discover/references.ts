import { lazily, onceFor } from '../../../core/model/lazily.ts';
import { MAX_LINKS } from '../../../core/model/limits.ts';
import type { KubeObject } from '../../../core/model/object.ts';
import { get, getAt, listAt, listOf, textAt, textOf, type Value } from '../../../core/model/value.ts';
import { isBelow } from '../../../core/text/paths.ts';
import type { Discovery } from '../application.ts';
import type { Repository } from '../repository.ts';
import { isSameRepository } from '../repository.ts';
import { type Revisions, revisionFault } from '../revisions.ts';
import { clustersIn } from './clusters.ts';
import { syncOf } from './flux-sync.ts';
import { createFindNamed, objectsIn } from './named.ts';

/** A source: this repository from a folder (`root`) without what `ignore` and .sourceignore match, or why nothing is deployed from it. */
type FluxSource =
  | { isOurs: true; root: string; ignore: string }
  | { isOurs: false; reason: string; source?: KubeObject; isHere?: true };

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

/** The folder whose files an artifact has, and the source that it copies them from. */
interface ArtifactFolder {
  root: string;
  source: Value;
}

interface FoundArtifact {
  file: string;
  folder: ArtifactFolder;
}

/** Finds what objects of Flux refer to. */
export function referencesIn(given: Discovery): References {
  const { repository } = given;
  const clusters = clustersIn(repository);
  const named = createFindNamed(repository, clusters);
  const artifacts = createFindArtifacts(repository);
  const gitSource = (name: string, namespace: string, cluster: string): FluxSource => {
    const [source = instanceSource(name, namespace, cluster, repository)] = named(
      'GitRepository',
      name,
      namespace,
      cluster,
    );
    return source === undefined ? { isOurs: true, root: '', ignore: '' } : ofRepository(source, given);
  };
  const sourceOf = (
    reference: Value | undefined,
    namespace: string,
    cluster: string,
    seen: readonly string[] = [],
  ): FluxSource => {
    const kind = textAt(reference, 'kind');
    const name = textAt(reference, 'name');
    const from = textAt(reference, 'namespace') || namespace;
    switch (kind) {
      case 'ExternalArtifact': {
        const copied = nearestArtifact(artifacts(name), cluster);
        if (copied === undefined || seen.includes(name) || seen.length === MAX_LINKS)
          return { isOurs: false, reason: `its source is the ExternalArtifact ${name}` };
        const source = sourceOf(copied.source, from, cluster, [...seen, name]);
        return source.isOurs ? { ...source, root: copied.root } : source;
      }
      case 'GitRepository':
        return gitSource(name, from, cluster);
      case '':
        return { isOurs: false, reason: 'it refers to no source' };
      default:
        return ofOtherKind(kind, named(kind, name, from, cluster)[0]);
    }
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

/** Returns a source that is no GitRepository. */
function ofOtherKind(kind: string, source: KubeObject | undefined): FluxSource {
  const reason = `its source is ${kind}, not a GitRepository`;
  return source === undefined ? { isOurs: false, reason } : { isOurs: false, reason, source };
}

function ofRepository(source: KubeObject, given: Discovery): FluxSource {
  const url = textOf(getAt(source, ['spec', 'url']));
  if (!isSameRepository(url, given.urls)) {
    return { isOurs: false, reason: 'its source is another repository', source };
  }
  const isSuspended = getAt(source, ['spec', 'suspend']) === true;
  // Its Kustomizations and HelmReleases keep the commit that it had (source-controller: gitrepository_controller.go).
  const fault = isSuspended ? 'its GitRepository is suspended' : refFault(getAt(source, ['spec', 'ref']), given);
  if (fault !== undefined) return { isOurs: false, reason: fault, source, isHere: true };
  return { isOurs: true, root: '', ignore: textOf(getAt(source, ['spec', 'ignore'])) };
}

/** Returns the GitRepository that a FluxInstance declares. */
function instanceSource(
  name: string,
  namespace: string,
  cluster: string,
  repository: Repository,
): KubeObject | undefined {
  const files = repository.manifestsWith('FluxInstance').filter((file) => isBelow(file, cluster));
  for (const { object } of objectsIn(files, 'FluxInstance', repository)) {
    const sync = syncOf(object);
    if (sync?.name === name && sync.namespace === namespace && sync.kind === 'GitRepository')
      return { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'GitRepository', spec: sync.source };
  }
  return undefined;
}

/** Returns a function that finds the artifacts of a name that have the files of one folder. */
function createFindArtifacts(repository: Repository): (name: string) => readonly FoundArtifact[] {
  const generators = lazily(() =>
    objectsIn(repository.manifestsWith('ArtifactGenerator'), 'ArtifactGenerator', repository),
  );
  return onceFor((name) => {
    const found: FoundArtifact[] = [];
    for (const { file, object } of generators()) {
      const folder = artifactFolder(object, name);
      if (folder !== undefined) found.push({ file, folder });
    }
    return found;
  });
}

/** Returns the artifact of a cluster, or else the first one. */
function nearestArtifact(found: readonly FoundArtifact[], cluster: string): ArtifactFolder | undefined {
  const own = found.find(({ file }) => isBelow(file, cluster)) ?? found[0];
  return own?.folder;
}

/** https://fluxcd.io/flux/components/source/artifactgenerators/: the folder whose files keep their paths. */
function artifactFolder(generator: Value, name: string): ArtifactFolder | undefined {
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

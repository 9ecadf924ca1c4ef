import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { equal, get, getAt, textAt, textOf, type Value, type ValueMap } from '../../../core/model/value.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { type Application, applicationAt, applicationKey, type DiscoverOptions, type Source } from '../application.ts';
import { baseOf, isBelow, joinPath, parentOf, resolvePath } from '../files.ts';
import { filesOf } from '../files-of.ts';
import { fluxParts, kustomizationIn, NotListed, readKustomization } from '../kustomization.ts';
import { type KindIndex, manifestPaths, type Repository } from '../repository.ts';
import type { ApplicationVersion } from '../version.ts';
import { readApplicationSet } from './application-set.ts';
import { isPartial, isPinned, readApplication } from './argocd.ts';
import { artifactFolder, type FluxSources, objectsNamed, readFluxKustomization, readHelmRelease } from './flux.ts';
import { isSameRepository } from './repository-url.ts';

/** Renders an application, which may contain further ones. */
export type Render = (application: Application) => ApplicationVersion;

const GITOPS = /\b(argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\//;
const RELEASE = /\bhelm\.toolkit\.fluxcd\.io\//;

/** An object that declares applications, with the file or the application that contains it. */
interface Declaration {
  object: KubeObject;
  place: string;
  /** Its file, if no rendering changed it. */
  file?: string;
  applications: readonly Application[];
}

export interface Declared {
  applications: Application[];
  /** The ApplicationSets, by `namespace/name`. */
  sets: ReadonlySet<string>;
  /** The places whose applications are unknown, because they are not rendered. */
  unread: ReadonlySet<string>;
  /** The files that are parts of something rendered, with the place of its applications. */
  built: ReadonlyMap<string, string>;
}

/**
 * Returns the Applications, ApplicationSets and Kustomizations of a repository: those in files, and those that overlays,
 * charts and other applications render. A file that an overlay builds, or that is a patch, declares nothing itself.
 */
export function declaredApplications(
  repository: Repository,
  kinds: KindIndex,
  options: DiscoverOptions,
  render: Render,
): Declared {
  const read = declarationReader(repository, options);
  const { parts, overlays } = kustomizationsOf(repository);
  const { tree } = repository;
  const built = new Map<string, string>();
  const found: Declaration[] = [];
  const unread: Application[] = [];
  const failed = new Set<string>();
  const build = (application: Application, files: ReadonlySet<string>, isOwn: boolean): void => {
    const version = render(application);
    const place = placeBelow(application);
    // Files of what cannot be built here are read as they are; those of what is rejected declare nothing.
    if (!version.isForeign) for (const file of files) built.set(file, place);
    if (version.error === undefined) {
      const cluster = application.deployment.controller === 'Flux' ? application.deployment.cluster : undefined;
      for (const { object } of version.objects) for (const one of read(object, place, { cluster })) found.push(one);
      return;
    }
    failed.add(place);
    if (!isOwn) return;
    const reason = `its applications are not read: ${version.error}`;
    const none: Source = { type: 'none', path: application.path, reason };
    unread.push(version.isForeign ? { ...application, sources: [none] } : application);
  };
  const inFiles = manifestPaths(tree)
    .filter((path) => !parts.has(path) && chartOf(path, repository) === undefined)
    .filter((file) => isGitops(file, repository) || RELEASE.test(tree.text(file) ?? ''))
    .flatMap((file) => repository.objectsOf(file).flatMap(({ object }) => read(object, file, { file })));
  const foldersOf = (source: Source): string[] =>
    source.type === 'kustomize' && source.flux ? fluxParts(source.path, repository).folders : [];
  const deployed = new Set(
    inFiles.flatMap((one) =>
      one.applications.flatMap(({ sources }) => sources.flatMap((source) => [source.path, ...foldersOf(source)])),
    ),
  );
  for (const folder of overlays.filter((one) => !deployed.has(one))) {
    const source: Source = { type: 'kustomize', path: folder, functions: true, plugin: undefined };
    build(applicationAt('kustomize', folder || '.', folder, source), reachedFiles(folder, repository), true);
  }
  for (const path of chartsOf(repository).filter((one) => !deployed.has(one))) {
    const source: Source = { type: 'helm', path, arguments: ['template', baseOf(path)], values: [], plugin: undefined };
    build(applicationAt('helm', path || '.', path, source), new Set(), true);
  }
  const isLeft = ({ file }: Declaration): boolean => file === undefined || !built.has(file);
  const queue = [...found, ...inFiles];
  const done = new Set<string>();
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!isLeft(next)) continue;
    for (const application of next.applications) {
      if (application.sources.some(({ type }) => type === 'fails')) failed.add(placeBelow(application));
      const key = toJsonText([
        application.sources as unknown as Value,
        application.deployment.namespace,
        application.name,
      ]);
      if (done.has(key) || !application.sources.some((source) => isRendered(source, repository))) continue;
      const files = filesOf(application, repository, kinds);
      if (![...files].some((file) => isGitops(file, repository))) continue;
      done.add(key);
      const before = found.length;
      build(application, reachedOf(application, repository), false);
      for (const one of found.slice(before)) queue.push(one);
    }
  }
  const left = withoutCopies([...found, ...inFiles].filter(isLeft));
  const sets = new Set(
    left.flatMap(({ object }) =>
      object.kind === 'ApplicationSet' ? [`${namespaceOf(object)}/${nameOf(object)}`] : [],
    ),
  );
  return { applications: [...left.flatMap((one) => one.applications), ...unread], sets, unread: failed, built };
}

/** Returns the place of the applications that an application renders. */
export const placeBelow = ({ kind, name, path, place, deployment: { controller, cluster } }: Application): string =>
  place === '' ? path || '.' : `${kind} ${name} of ${controller === 'Argo CD' ? place : cluster}`;

/** Reports whether a file may declare what is deployed from this repository. */
function isGitops(path: string, { tree }: Repository): boolean {
  const text = tree.text(path) ?? '';
  return GITOPS.test(text) || (RELEASE.test(text) && text.includes('GitRepository'));
}

/** A source whose objects are not those in its files. */
function isRendered(source: Source, repository: Repository): boolean {
  const { type, path } = source;
  if (type !== 'kustomize') return type === 'helm' || type === 'package';
  if (source.edits ?? source.variables ?? source.metadata) return true;
  const isFolder = repository.tree.folder(path) !== undefined;
  if (kustomizationIn(path, repository) === undefined) return isFolder;
  try {
    readKustomization(path, repository, source.flux);
    return false;
  } catch (error) {
    if (error instanceof NotListed) return isFolder;
    throw error;
  }
}

const clusterOf = ({ applications: [first] }: Declaration): string | undefined => first?.deployment.cluster;

/** Removes what is declared twice with the same content, once in files and once by what renders them. */
function withoutCopies(declarations: readonly Declaration[]): Declaration[] {
  const kept: Declaration[] = [];
  const known = new Map<string, Declaration[]>();
  for (const one of declarations) {
    const key = applicationKey({ kind: one.object.kind, namespace: namespaceOf(one.object), name: nameOf(one.object) });
    const alike = known.get(key) ?? [];
    known.set(key, [...alike, one]);
    // Several clusters may have equal ones.
    const isCopy = alike.some(
      (other) =>
        equal(one.object, other.object) &&
        (one.file === undefined
          ? other.file !== undefined || clusterOf(one) === clusterOf(other)
          : other.file === undefined),
    );
    if (!isCopy) kept.push(one);
  }
  return kept;
}

/** Returns a function that reads an object that declares applications, from a file or rendered in a cluster of Flux. */
function declarationReader(
  repository: Repository,
  options: DiscoverOptions,
): (object: KubeObject, place: string, from: { file?: string; cluster?: string | undefined }) => Declaration[] {
  const clusters = clusterFolders(repository);
  const known = new Map<string, KubeObject | undefined>();
  const sourceNamed = (kind: string, name: string, namespace: string, cluster: string): KubeObject | undefined => {
    const key = toJsonText([kind, name, namespace, cluster]);
    if (!known.has(key)) known.set(key, objectsNamed(kind, name, { namespace, cluster }, repository)[0]);
    return known.get(key);
  };
  const sourceOf: FluxSources = (reference, namespace, cluster) => {
    const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
    const from = textAt(reference, 'namespace') || namespace;
    if (kind === 'ExternalArtifact') {
      const generator = artifactGenerators(repository, cluster).find((one) => artifactFolder(one, name) !== undefined);
      const copied = generator === undefined ? undefined : artifactFolder(generator, name);
      if (copied === undefined) return { isOurs: false, reason: `its source is the ExternalArtifact ${name}` };
      const source = sourceOf(copied.source, from, cluster);
      return source.isOurs ? { isOurs: true, root: copied.root } : source;
    }
    if (kind === '') return { isOurs: false, reason: 'it refers to no source' };
    if (kind !== 'GitRepository') return { isOurs: false, reason: `its source is ${kind}, not a GitRepository` };
    const source = sourceNamed(kind, name, from, cluster);
    if (source === undefined) return { isOurs: true, root: '' };
    const url = textOf(getAt(source, ['spec', 'url']));
    if (!isSameRepository(url, options.urls)) return { isOurs: false, reason: 'its source is another repository' };
    const ref = getAt(source, ['spec', 'ref']);
    const pin = ['tag', 'semver', 'commit', 'name'].map((key) => textAt(ref, key)).find((one) => one !== '');
    const isFixed = pin !== undefined && (textAt(ref, 'name') !== pin || isPinned(pin, options.tags));
    return isFixed ? { isOurs: false, reason: `it deploys the revision ${pin}` } : { isOurs: true, root: '' };
  };
  const applicationsOf = (object: KubeObject, place: string, cluster: string): Application[] | undefined => {
    const { group, kind } = groupVersionKind(object);
    if (group === 'argoproj.io' && kind === 'Application') {
      return isPartial(object) ? [] : [readApplication(object, place, repository, options)];
    }
    if (group === 'argoproj.io' && kind === 'ApplicationSet') {
      return get(object, 'spec') === undefined || getAt(object, ['spec', 'generators']) === undefined
        ? []
        : readApplicationSet(object, place, repository, options);
    }
    const at = { place, cluster };
    if (group === 'kustomize.toolkit.fluxcd.io' && kind === 'Kustomization') {
      if (getAt(object, ['spec', 'sourceRef']) === undefined) return [];
      return [readFluxKustomization(object, at, repository, sourceOf)];
    }
    if (group !== 'helm.toolkit.fluxcd.io' || kind !== 'HelmRelease') return undefined;
    const isWhole = [['chartRef'], ['chart', 'spec', 'chart']].some((path) => getAt(object, ['spec', ...path]));
    return isWhole ? [readHelmRelease(object, at, repository, sourceOf)] : [];
  };
  return (object, place, { file, cluster }) => {
    const at = cluster ?? clusters.find((one) => isBelow(file ?? place, one)) ?? (file ? parentOf(file) : place);
    const applications = applicationsOf(object, place, at);
    return applications === undefined || (applications.length === 0 && object.kind !== 'ApplicationSet')
      ? []
      : [{ object, place, applications, ...(file !== undefined && { file }) }];
  };
}

/** Returns the ArtifactGenerators of a repository, those of a cluster first. */
function artifactGenerators({ tree, objectsOf }: Repository, cluster: string): KubeObject[] {
  const files = manifestPaths(tree).filter((path) => tree.text(path)?.includes('ArtifactGenerator'));
  const sorted = [
    ...files.filter((file) => isBelow(file, cluster)),
    ...files.filter((file) => !isBelow(file, cluster)),
  ];
  return sorted
    .flatMap((file) => objectsOf(file).map(({ object }) => object))
    .filter(({ kind }) => kind === 'ArtifactGenerator');
}

/** Returns the folders that a Kustomization inside of them deploys, as `flux bootstrap` writes it; outermost first. */
function clusterFolders({ tree, objectsOf }: Repository): string[] {
  const folders = manifestPaths(tree)
    .filter((path) => /kustomize\.toolkit\.fluxcd\.io\//.test(tree.text(path) ?? ''))
    .flatMap((path) =>
      objectsOf(path).flatMap(({ object }) => {
        const given = getAt(object, ['spec', 'path']);
        const folder = typeof given === 'string' ? resolvePath('', given) : undefined;
        return folder !== undefined && isBelow(path, folder) ? [folder] : [];
      }),
    );
  return [...new Set(folders)].sort((a, b) => a.length - b.length);
}

/**
 * Returns the files that are parts of kustomizations, such as patches, and the folders of the outermost kustomizations
 * that change what they list, if they list Applications.
 */
function kustomizationsOf(repository: Repository): { parts: ReadonlySet<string>; overlays: string[] } {
  const { tree } = repository;
  const folders = [
    ...new Set(tree.paths.filter((path) => /(^|\/)[Kk]ustomization(\.ya?ml)?$/.test(path)).map(parentOf)),
  ];
  const parts = new Set<string>();
  const listed = new Set<string>();
  const own = folders.filter((folder) => {
    const entries = kustomizationIn(folder, repository);
    for (const part of entries?.parts ?? []) parts.add(resolvePath(folder, part) ?? '');
    for (const one of [...(entries?.resources ?? []), ...(entries?.components ?? [])]) {
      const path = resolvePath(folder, one);
      if (path !== undefined && path !== folder) listed.add(path);
    }
    const { value } = entries ?? {};
    return value !== undefined && value.kind !== 'Component' && isKustomize(value);
  });
  const overlays = own.filter(
    (folder) =>
      !listed.has(folder) &&
      isRendered({ type: 'kustomize', path: folder, functions: true, plugin: undefined }, repository) &&
      [...reachedFiles(folder, repository)].some(
        (file) => isGitops(file, repository) && chartOf(file, repository) === undefined,
      ),
  );
  return { parts, overlays };
}

/** Kustomizations of Flux have the same kind, and may have the same file name. */
const isKustomize = ({ apiVersion }: ValueMap): boolean =>
  typeof apiVersion !== 'string' || apiVersion.startsWith('kustomize.config.k8s.io/');

/** Returns the files that a kustomization lists, recursively. */
function reachedFiles(
  folder: string,
  repository: Repository,
  found = new Set<string>(),
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(folder)) return found;
  seen.add(folder);
  const entries = kustomizationIn(folder, repository);
  // kustomize rejects a folder without a kustomization.
  if (entries === undefined)
    for (const file of repository.tree.folder(folder)?.files ?? []) found.add(joinPath(folder, file));
  for (const one of [...(entries?.resources ?? []), ...(entries?.components ?? [])]) {
    const path = resolvePath(folder, one);
    if (path === undefined) continue;
    if (repository.tree.has(path)) found.add(path);
    else reachedFiles(path, repository, found, seen);
  }
  return found;
}

function reachedOf({ sources }: Application, repository: Repository): Set<string> {
  const found = new Set<string>();
  for (const source of sources) {
    if (source.type !== 'kustomize') continue;
    const parts = source.flux ? fluxParts(source.path, repository) : { files: [], folders: [source.path] };
    for (const file of parts.files) found.add(file);
    for (const folder of parts.folders) reachedFiles(folder, repository, found);
  }
  return found;
}

/** Returns the folder of the Helm chart of which a file is a template. */
function chartOf(path: string, { tree }: Repository): string | undefined {
  for (let at = path.lastIndexOf('/templates/'); at > 0; at = path.lastIndexOf('/templates/', at - 1)) {
    if (tree.has(`${path.slice(0, at)}/Chart.yaml`)) return path.slice(0, at);
  }
  return undefined;
}

/** Returns the outermost charts that render Applications. */
function chartsOf(repository: Repository): string[] {
  const { tree } = repository;
  const files = tree.paths.filter((path) => /\/templates\/.*\.ya?ml$/.test(path));
  const makes = files.filter(
    (path) => /^kind: Application(Set)?$/m.test(tree.text(path) ?? '') && isGitops(path, repository),
  );
  return [...new Set(makes.flatMap((path) => chartOf(path, repository) ?? []))].filter(
    (path) => !path.includes('/charts/'),
  );
}

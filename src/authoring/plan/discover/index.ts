import { groupKind, groupVersionKind, type InputObject } from '../../../core/model/object.ts';
import { getAt, type ValueMap } from '../../../core/model/value.ts';
import { type Application, applicationKey, type DiscoverOptions } from '../application.ts';
import { parentOf, readPath } from '../files.ts';
import { filesOf } from '../files-of.ts';
import { runsFunction } from '../kustomization.ts';
import { definitionsFor, type KindIndex, manifestPaths, type Repository } from '../repository.ts';
import { readApplicationSet } from './application-set.ts';
import { KUSTOMIZATION_FILES, readApplication } from './argocd.ts';
import { readFluxKustomization } from './flux.ts';
import { findKptPackages } from './kpt.ts';
import { listedApplications } from './listed.ts';
import { isSameRepository } from './repository-url.ts';
import { textOf } from './values.ts';

const GITOPS = /\b(argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\//;

/**
 * Finds what is deployed from a repository: Applications and ApplicationSets of Argo CD, Kustomizations of Flux, and
 * entries of a render-rgd.yaml; of other files, kustomizations and kpt packages that run render-rgd, and folders with
 * instances or ResourceSets. Sorted by kind and name. Includes what cannot be rendered, with the reason.
 */
export function discover(repository: Repository, kinds: KindIndex, options: DiscoverOptions): Application[] {
  const deployed = gitopsApplications(repository, options);
  const claimed = new Set(deployed.flatMap((one) => [...filesOf(one, repository, kinds)]));
  const add = (found: readonly Application[]): Application[] => {
    for (const one of found) for (const file of filesOf(one, repository, kinds)) claimed.add(file);
    return [...found];
  };
  const isFree = (file: string): boolean => !claimed.has(file);
  const all = [
    ...deployed,
    ...add(listedApplications(repository, options)),
    ...add(functionKustomizations(repository, isFree)),
    ...add(
      findKptPackages(repository, options).filter(({ path }) => isFree(path === '' ? 'Kptfile' : `${path}/Kptfile`)),
    ),
    ...folders(repository, options, kinds, isFree),
  ];
  const byKey = new Map(all.map((one) => [applicationKey(one), one]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function gitopsApplications(repository: Repository, options: DiscoverOptions): Application[] {
  const paths = manifestPaths(repository.tree).filter((path) => GITOPS.test(repository.tree.text(path) ?? ''));
  const objects = paths.flatMap((path) => repository.objectsOf(path));
  const urlOf = sourceUrls(repository);
  return objects.flatMap(({ object }: InputObject): Application[] => {
    const { group, kind } = groupVersionKind(object);
    if (group === 'argoproj.io' && kind === 'Application') return [readApplication(object, repository.tree, options)];
    if (group === 'argoproj.io' && kind === 'ApplicationSet') return readApplicationSet(object, repository, options);
    if (group !== 'kustomize.toolkit.fluxcd.io' || kind !== 'Kustomization') return [];
    const isOurs = (reference: ValueMap): boolean => {
      const url = urlOf.get(`${textOf(reference.kind)}/${textOf(reference.name)}`);
      return textOf(reference.kind) === 'GitRepository' && (url === undefined || isSameRepository(url, options.urls));
    };
    return [readFluxKustomization(object, repository.tree, isOurs)];
  });
}

/** Returns the URLs of the sources of Flux, by kind and name. */
function sourceUrls({ tree, objectsOf }: Repository): ReadonlyMap<string, string> {
  const paths = manifestPaths(tree).filter((path) => /\bsource\.toolkit\.fluxcd\.io\//.test(tree.text(path) ?? ''));
  return new Map(
    paths
      .flatMap((path) => objectsOf(path))
      .map(({ object }) => [
        `${object.kind}/${textOf(getAt(object, ['metadata', 'name']))}`,
        textOf(getAt(object, ['spec', 'url'])),
      ]),
  );
}

function functionKustomizations(repository: Repository, isFree: (file: string) => boolean): Application[] {
  const files = repository.tree.paths.filter(
    (path) => KUSTOMIZATION_FILES.some((name) => path === name || path.endsWith(`/${name}`)) && isFree(path),
  );
  return files
    .map(parentOf)
    .filter((folder) => runsFunction(folder, repository))
    .map((path) => ({
      kind: 'kustomize',
      name: path || '.',
      path,
      sources: [{ type: 'kustomize', path, functions: true, plugin: undefined }],
    }));
}

/** Returns the topmost folders that contain files with instances or ResourceSets. */
function folders(
  repository: Repository,
  options: DiscoverOptions,
  kinds: KindIndex,
  isFree: (file: string) => boolean,
): Application[] {
  const defined = [...kinds].filter(([, files]) => files.some(({ isRgd }) => isRgd)).map(([kind]) => kind);
  const names = ['ResourceSet', ...new Set(defined.map((kind) => kind.slice(0, kind.indexOf('.'))))];
  const mentions = new RegExp(
    `\\bkind["']?:\\s*["']?(${names.map((name) => name.replace(/\W/g, '\\$&')).join('|')})\\b`,
  );
  const isToRender = ({ object }: InputObject): boolean => {
    const kind = groupKind(groupVersionKind(object));
    return defined.includes(kind) || kind === 'ResourceSet.fluxcd.controlplane.io';
  };
  const readable = new Set(
    readPath(repository.tree, '', { exclude: options.settings.exclude }).map(({ file }) => file),
  );
  const holding = manifestPaths(repository.tree).filter(
    (path) =>
      readable.has(path) &&
      isFree(path) &&
      mentions.test(repository.tree.text(path) ?? '') &&
      repository.objectsOf(path).some(isToRender),
  );
  const all = new Set(holding.map(parentOf));
  const isBelow = (path: string): boolean =>
    [...all].some((other) => other !== path && (other === '' || path.startsWith(`${other}/`)));
  return [...all]
    .filter((path) => !isBelow(path))
    .map((path) => {
      const own = new Set(readPath(repository.tree, path).map(({ file }) => file));
      const used = [...own].filter((file) => mentions.test(repository.tree.text(file) ?? ''));
      const wanted = used.flatMap((file) =>
        repository.objectsOf(file).map(({ object }) => groupKind(groupVersionKind(object))),
      );
      const definitions = definitionsFor(wanted, path, kinds).filter((file) => !own.has(file));
      const { settings } = options;
      const beside = settings.definitions.length > 0 ? settings.definitions : definitions;
      return {
        kind: 'folder',
        name: path || '.',
        path,
        sources: [{ type: 'package', path, settings: { ...settings, definitions: beside } }],
      };
    });
}

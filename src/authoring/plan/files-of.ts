import { groupKind, groupVersionKind } from '../../core/model/object.ts';
import { isMap, type Value } from '../../core/model/value.ts';
import { readFunctionConfig } from '../../render/options/index.ts';
import type { FoundText } from '../input/index.ts';
import type { Application, PackageSettings, Source } from './application.ts';
import { KUSTOMIZATION_FILES } from './discover/argocd.ts';
import { joinPath, readPath, resolvePath, wholePath } from './files.ts';
import { NeedsKustomize, readKustomization } from './kustomization.ts';
import { definitionsFor, type KindIndex, type Repository } from './repository.ts';

/**
 * Returns every file from which an application is rendered: if none of them changed, the application did not change.
 */
export function filesOf(application: Application, repository: Repository, kinds: KindIndex): Set<string> {
  return new Set(application.sources.flatMap((source) => [...sourceFiles(source, repository, kinds)]));
}

function sourceFiles(source: Source, repository: Repository, kinds: KindIndex): Iterable<string> {
  const { tree } = repository;
  switch (source.type) {
    case 'package':
      return [...names(readPath(tree, source.path, source.settings)), ...besideFiles(source.settings, repository)];
    case 'manifests': {
      const own = manifestTexts(source, repository);
      return [...names(own), ...definitionsOf(names(own), source.path, repository, kinds)];
    }
    case 'kustomize': {
      const own = [...kustomizationFiles(source.path, repository)];
      const definitions = source.plugin === undefined ? definitionsOf(own, source.path, repository, kinds) : [];
      return [...own, ...definitions, ...besideFiles(source.plugin, repository)];
    }
    case 'helm':
      return [...allBelow(source.path, repository), ...source.values, ...besideFiles(source.plugin, repository)];
    case 'none':
      return allBelow(source.path, repository);
  }
}

const names = (found: readonly FoundText[]): string[] => found.map(({ file }) => file);

function besideFiles(settings: PackageSettings | undefined, { tree }: Repository): string[] {
  if (settings === undefined) return [];
  const { definitions, observed, openapi, inputsFrom, defaults } = settings;
  const paths = [...definitions, ...observed, openapi, inputsFrom, defaults].filter((path) => path !== '');
  return paths.flatMap((path) => names(readPath(tree, path, settings)));
}

/** Returns the manifests of a directory source of Argo CD; a glob matches the path below the directory. */
export function manifestTexts(source: Source & { type: 'manifests' }, { tree }: Repository): FoundText[] {
  const { path, include, exclude, recurse } = source;
  const below = (file: string): string => (path === '' ? file : file.slice(path.length + 1));
  const included = include === '' ? () => true : wholePath(include);
  const excluded = exclude.map(wholePath);
  return readPath(tree, path, { recurse }).filter(
    ({ file }) => included(below(file)) && !excluded.some((test) => test(below(file))),
  );
}

/** Returns the files of RGDs and CRDs beside manifests, whose kinds a controller in the cluster knows. */
function definitionsOf(own: readonly string[], folder: string, { objectsOf }: Repository, kinds: KindIndex): string[] {
  const used = own.flatMap((file) => objectsOf(file).map(({ object }) => groupKind(groupVersionKind(object))));
  return definitionsFor(used, folder, kinds);
}

function kustomizationFiles(folder: string, repository: Repository): Iterable<string> {
  try {
    const { files, config } = readKustomization(folder, repository);
    const { settings } = readFunctionConfig(config);
    const beside = [...settings.definitions, ...settings.observed, settings.defaults]
      .filter(Boolean)
      .flatMap((path) => resolvePath(folder, path) ?? []);
    return [...files, ...beside.flatMap((path) => names(readPath(repository.tree, path)))];
  } catch (error) {
    if (!(error instanceof NeedsKustomize)) throw error;
    return referencedFiles(folder, repository);
  }
}

/** Returns all files of a folder, and all files that its kustomizations refer to by path: more than kustomize reads. */
function referencedFiles(folder: string, repository: Repository): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (at: string): void => {
    if (seen.has(at)) return;
    seen.add(at);
    for (const file of allBelow(at, repository)) files.add(file);
    for (const name of KUSTOMIZATION_FILES) {
      for (const { object } of repository.objectsOf(joinPath(at, name))) {
        for (const path of textsIn(object)) {
          const found = resolvePath(at, path);
          if (found === undefined) continue;
          if (repository.tree.has(found)) files.add(found);
          else if (repository.tree.folder(found) !== undefined && found !== '') visit(found);
        }
      }
    }
  };
  visit(folder);
  return files;
}

function textsIn(value: Value): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isMap(value) ? Object.values(value).flatMap(textsIn) : [];
}

const allBelow = (folder: string, { tree }: Repository): string[] =>
  folder === '' ? [] : tree.paths.filter((path) => path === folder || path.startsWith(`${folder}/`));

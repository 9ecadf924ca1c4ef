import { attempt } from '../../core/model/attempt.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKind, groupVersionKind } from '../../core/model/object.ts';
import { listAt, textAt, textsIn, type ValueMap } from '../../core/model/value.ts';
import { isBelow, joinPath, resolvePath } from '../../core/text/paths.ts';
import { type FoundText, pathsBeside } from '../../describe/input/index.ts';
import { patternTest } from '../../languages/glob/index.ts';
import { readFunctionConfig } from '../../render/options/index.ts';
import type { Application, PackageSettings, Source } from './application.ts';
import { BySource } from './by-source.ts';
import { ignoreFiles, readPath } from './files.ts';
import { kustomizationIn, partsOf, readKustomization } from './kustomization.ts';
import { definitionsFor, NotRendered, type Repository } from './repository.ts';

/** The files of the sources of a repository. */
const known = new WeakMap<Repository, BySource<ReadonlySet<string>>>();

/** Returns every file that an application reads: if none changed, it did not change. */
export function filesOf({ sources }: Application, repository: Repository): ReadonlySet<string> {
  const bySource = getOrCompute(known, repository, () => new BySource());
  const all = sources.map((source) => bySource.getOrCompute(source, () => filesOfSource(source, repository)));
  const [only] = all;
  return only !== undefined && all.length === 1 ? only : new Set(all.flatMap((files) => [...files]));
}

function filesOfSource(source: Source, repository: Repository): ReadonlySet<string> {
  const ignore = 'ignore' in source ? source.ignore : undefined;
  if (ignore === undefined) return new Set(filesIn(source, repository));
  // For Flux those of the artifact, and what decides which files it has.
  return new Set([...filesIn(source, repository.artifact(ignore)), ...ignoreFiles(repository.tree)]);
}

/** Returns the files of a source, whatever source-controller leaves out. */
export function filesIn(source: Source, repository: Repository): Iterable<string> {
  const { tree } = repository;
  switch (source.type) {
    case 'package':
      return [...names(readPath(tree, source.path, source.settings)), ...besideFiles(source.settings, repository)];
    case 'manifests': {
      const own = names(manifestTexts(source, repository));
      return [...own, ...definitionsOf(own, source.path, repository)];
    }
    case 'kustomize': {
      const { files, folders } = partsOf(source, repository);
      const edited = source.edits ? referencedFiles(source.path, repository, source.edits.fields) : [];
      const built = folders.flatMap((folder) => [...kustomizationFiles(folder, repository)]);
      const own = [...files, ...built, ...edited];
      const definitions = source.plugin === undefined ? definitionsOf(own, source.path, repository) : [];
      return [...own, ...definitions, ...besideFiles(source.plugin, repository)];
    }
    case 'helm':
      return [...chartFiles(source.path, repository), ...source.values, ...besideFiles(source.plugin, repository)];
    case 'none':
    case 'fails':
      return allBelow(source.path, repository);
  }
}

const names = (found: readonly FoundText[]): string[] => found.map(({ file }) => file);

function besideFiles(settings: PackageSettings | undefined, { tree }: Repository): string[] {
  const paths = settings === undefined ? [] : pathsBeside(settings);
  return paths.flatMap((path) => names(readPath(tree, path, settings)));
}

/** A file with this text is no manifest for Argo CD. */
const SKIPPED = '+argocd:skip-file-rendering';

export function manifestTexts(source: Source & { type: 'manifests' }, { tree }: Repository): FoundText[] {
  const { path, include, exclude, recurse } = source;
  if (tree.isLink(path)) return [];
  const isMatched = (glob: string): ((file: string) => boolean) => {
    const test = patternTest(glob, { matchesSlash: true, braces: true });
    return (file) => test(path === '' ? file : file.slice(path.length + 1));
  };
  const included = include === '' ? () => true : isMatched(include);
  const excluded = exclude === '' ? () => false : isMatched(exclude);
  return readPath(tree, path, { recurse, asArgoCd: true }).filter(
    ({ file, text }) => included(file) && !excluded(file) && !text.includes(SKIPPED),
  );
}

/** Returns the files of RGDs and CRDs beside manifests, whose kinds a controller in the cluster knows. */
function definitionsOf(own: readonly string[], folder: string, repository: Repository): string[] {
  const used = own.flatMap((file) =>
    repository.objectsOf(file).map(({ object }) => groupKind(groupVersionKind(object))),
  );
  return definitionsFor(used, folder, repository);
}

function kustomizationFiles(folder: string, repository: Repository): Iterable<string> {
  const read = attempt(() => readKustomization(folder, repository), NotRendered);
  if (read === undefined) return referencedFiles(folder, repository);
  const { settings } = readFunctionConfig(read.config);
  const beside = [...settings.definitions, ...settings.observed, settings.defaults]
    .filter(Boolean)
    .flatMap((path) => resolvePath(folder, path) ?? []);
  return [...read.files, ...beside.flatMap((path) => names(readPath(repository.tree, path)))];
}

/** Returns all files of a folder, and all files that its kustomizations refer to by path: more than kustomize reads. */
function referencedFiles(folder: string, repository: Repository, edits?: ValueMap): Set<string> {
  const { tree } = repository;
  const files = new Set<string>();
  const seen = new Set([tree.real(folder)]);
  // A set keeps the order of what is added while it is read.
  for (const at of seen) {
    for (const file of allBelow(at, repository)) files.add(file);
    const { value = null } = kustomizationIn(at, repository) ?? {};
    const edited = at === tree.real(folder) && edits ? textsIn(edits) : [];
    for (const path of [...textsIn(value), ...edited].flatMap(({ text }) => pathsIn(text, at))) {
      if (tree.has(path)) files.add(path);
      else if (tree.folder(path) !== undefined && path !== '') seen.add(tree.real(path));
    }
  }
  return files;
}

/** Returns the paths that a text may be. An entry of a generator has a key before its path. */
function pathsIn(text: string, folder: string): string[] {
  const found: string[] = [];
  for (const written of [text, text.slice(text.indexOf('=') + 1)]) {
    const path = resolvePath(folder, written);
    if (path !== undefined) found.push(path);
  }
  return found;
}

/** Returns the files of a chart and of its dependencies by `file://`, each chart once. */
function chartFiles(folder: string, repository: Repository): string[] {
  const { tree } = repository;
  const seen = new Set([tree.real(folder)]);
  const files: string[] = [];
  for (const at of seen) {
    for (const file of allBelow(at, repository)) files.push(file);
    for (const path of dependenciesOf(at, repository)) seen.add(tree.real(path));
  }
  return files;
}

/** Returns the folders of the dependencies of a chart by `file://`. */
function dependenciesOf(folder: string, repository: Repository): string[] {
  const dependencies = ['Chart.yaml', 'requirements.yaml'].flatMap((name) => {
    const [document] = repository.documentsOf(joinPath(folder, name));
    return listAt(document?.object, 'dependencies');
  });
  const found: string[] = [];
  for (const one of dependencies) {
    const url = textAt(one, 'repository');
    const path = /^file:\/\//i.test(url) ? resolvePath(folder, url.slice(7)) : undefined;
    if (path !== undefined) found.push(path);
  }
  return found;
}

function allBelow(folder: string, { tree }: Repository): string[] {
  const at = tree.real(folder);
  return folder === '' ? [] : tree.paths.filter((path) => isBelow(path, at));
}

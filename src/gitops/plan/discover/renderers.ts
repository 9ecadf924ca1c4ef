import { attempt } from '../../../core/model/attempt.ts';
import { isKustomizationFile } from '../../../core/model/kustomization.ts';
import { groupKindOf } from '../../../core/model/object.ts';
import type { ValueMap } from '../../../core/model/value.ts';
import { joinPath, parentOf, resolvePath } from '../../../core/text/paths.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { type Application, kustomizeAt, type Source } from '../application.ts';
import { manifestTexts } from '../files-of.ts';
import { kustomizationIn, partsOf, readKustomization } from '../kustomization.ts';
import type { Repository } from '../repository.ts';
import { NotRendered } from '../repository.ts';
import { DECLARING } from './admission.ts';

const GITOPS = /\b(argoproj\.io|kustomize\.toolkit\.fluxcd\.io)\//;
export const RELEASE = /\bhelm\.toolkit\.fluxcd\.io\//;

/** Reports whether a file may declare what is deployed from this repository. */
export function isGitops(path: string, { tree }: Repository): boolean {
  const text = tree.text(path) ?? '';
  return GITOPS.test(text) || text.includes('FluxInstance') || (RELEASE.test(text) && text.includes('GitRepository'));
}

export function isRendered(source: Source, repository: Repository): boolean {
  const { type, path } = source;
  if (type === 'manifests') {
    const files = manifestTexts(source, repository).map(({ file }) => file);
    return rendersApplications(files, repository);
  }
  if (type !== 'kustomize') return type === 'helm' || type === 'package';
  if (source.edits ?? source.variables ?? source.metadata) return true;
  const isFolder = repository.tree.folder(path) !== undefined;
  if (!isFolder) return false;
  if (kustomizationIn(path, repository) === undefined) return true;
  const listed = attempt(() => readKustomization(path, repository, source.flux), NotRendered);
  return listed === undefined || listed.config !== undefined || rendersApplications(listed.files, repository);
}

/** Reports whether a controller in the cluster expands an object of some files to what declares applications. */
function rendersApplications(files: readonly string[], repository: Repository): boolean {
  return files
    .flatMap((file) => repository.objectsOf(file))
    .some(({ object }) => {
      const kind = groupKindOf(object);
      if (kind === RESOURCE_SET) {
        const text = toJsonText(object.spec ?? null);
        return GITOPS.test(text) || RELEASE.test(text);
      }
      return repository.kinds.has(kind) && reachesDeclaring(kind, repository);
    });
}

const RESOURCE_SET = 'ResourceSet.fluxcd.controlplane.io';

/** Reports whether an RGD renders objects that declare applications, directly or by further RGDs. */
function reachesDeclaring(start: string, { kinds }: Repository): boolean {
  const seen = new Set([start]);
  // A set keeps the order of what is added while it is read.
  for (const kind of seen) {
    if (DECLARING.includes(kind) || kind === RESOURCE_SET) return true;
    for (const { isRgd, uses } of kinds.get(kind) ?? []) {
      if (!isRgd) continue;
      for (const used of uses) seen.add(used);
    }
  }
  return false;
}

/** The files that overlays build, and the folders of the outermost overlays. */
export interface Kustomizations {
  parts: ReadonlySet<string>;
  overlays: readonly string[];
}

/** Returns parts of kustomizations, such as patches, and the outermost ones that change Applications that they list. */
export function kustomizationsOf(repository: Repository): Kustomizations {
  const { tree } = repository;
  const folders = new Set(tree.paths.filter(isKustomizationFile).map(parentOf));
  const parts = new Set<string>();
  const listed = new Set<string>();
  const own = [...folders].filter((folder) => {
    const entries = kustomizationIn(folder, repository);
    for (const part of entries?.parts ?? []) parts.add(resolvePath(folder, part) ?? '');
    for (const one of entries?.listed ?? []) {
      const path = resolvePath(folder, one);
      if (path !== undefined && path !== folder) listed.add(path);
    }
    const { value } = entries ?? {};
    return value !== undefined && value.kind !== 'Component' && isKustomize(value);
  });
  const overlays = own.filter(
    (folder) =>
      !listed.has(folder) &&
      isRendered(kustomizeAt(folder), repository) &&
      [...reachedFiles(folder, repository)].some(
        (file) => isGitops(file, repository) && chartOf(file, repository) === undefined,
      ),
  );
  return { parts, overlays };
}

/** Kustomizations of Flux have the same kind, and may have the same file name. */
const isKustomize = ({ apiVersion }: ValueMap): boolean =>
  typeof apiVersion !== 'string' || apiVersion.startsWith('kustomize.config.k8s.io/');

function reachedFiles(folder: string, repository: Repository, found = new Set<string>()): Set<string> {
  const seen = new Set([repository.tree.real(folder)]);
  // A set keeps the order of what is added while it is read.
  for (const at of seen) {
    const entries = kustomizationIn(at, repository);
    // kustomize rejects a folder without a kustomization.
    if (entries === undefined)
      for (const file of repository.tree.folder(at)?.files ?? []) found.add(joinPath(at, file));
    for (const one of entries?.listed ?? []) {
      const path = resolvePath(at, one);
      if (path === undefined) continue;
      if (repository.tree.has(path)) found.add(path);
      else seen.add(repository.tree.real(path));
    }
  }
  return found;
}

/** Returns the files whose objects an application applies, as they are written or built by kustomize. */
export function appliedFiles(application: Application, repository: Repository): Set<string> {
  const found = reachedOf(application, repository);
  for (const source of application.sources) {
    if (source.type !== 'manifests') continue;
    for (const { file } of manifestTexts(source, repository)) found.add(file);
  }
  return found;
}

export function reachedOf({ sources }: Application, repository: Repository): Set<string> {
  const found = new Set<string>();
  for (const source of sources) {
    if (source.type !== 'kustomize') continue;
    const parts = partsOf(source, repository);
    for (const file of parts.files) found.add(file);
    for (const folder of parts.folders) reachedFiles(folder, repository, found);
  }
  return found;
}

export function chartOf(path: string, { tree }: Repository): string | undefined {
  for (let at = path.lastIndexOf('/templates/'); at > 0; at = path.lastIndexOf('/templates/', at - 1)) {
    if (tree.has(`${path.slice(0, at)}/Chart.yaml`)) return path.slice(0, at);
  }
  return undefined;
}

export function chartsOf(repository: Repository): string[] {
  const { tree } = repository;
  const files = tree.paths.filter((path) => path.includes('/templates/') && /\.ya?ml$/.test(path));
  const makes = files.filter(
    (path) => /^kind: Application(Set)?$/m.test(tree.text(path) ?? '') && isGitops(path, repository),
  );
  return [...new Set(makes.flatMap((path) => chartOf(path, repository) ?? []))].filter(
    (path) => !path.includes('/charts/'),
  );
}

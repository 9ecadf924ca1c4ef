import { Collector } from '../../core/diagnostics/index.ts';
import { annotationOf, type Document, isKubeObject } from '../../core/model/object.ts';
import { isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { isKustomizationFolder, KUSTOMIZATION_FILES } from './discover/argocd.ts';
import { textsOf } from './discover/values.ts';
import { joinPath, resolvePath } from './files.ts';
import type { Repository } from './repository.ts';

/** The content of a kustomization, as far as it is read without kustomize. */
export interface Kustomization {
  documents: readonly Document[];
  /** Every file that was read. */
  files: readonly string[];
  /** The functionConfig of render-rgd, of the outermost kustomization. */
  config: Value | undefined;
}

/** Fields that change only the order. */
const PLAIN = ['apiVersion', 'kind', 'metadata', 'resources', 'transformers', 'sortOptions'];

/** Thrown if only kustomize can determine the output; the message gives the reason. */
export class NeedsKustomize extends Error {}

/**
 * Reads a kustomization that only lists: files, other such folders, and render-rgd as its only transformer.
 * @throws NeedsKustomize
 */
export function readKustomization(folder: string, repository: Repository): Kustomization {
  const files = new Set<string>();
  const { documents, transformers } = listed(folder, repository, files, true);
  const configs = transformers.filter(isOurFunction);
  if (configs.length !== transformers.length) throw new NeedsKustomize('it has other transformers');
  if (configs.length > 1) throw new NeedsKustomize('it runs render-rgd more than once');
  return { documents, files: [...files], config: configs[0] };
}

/** Reports whether a kustomization lists render-rgd as a transformer. */
export function runsFunction(folder: string, repository: Repository): boolean {
  try {
    const { transformers } = kustomizationAt(folder, repository, new Set());
    return transformers.flatMap((entry) => configsOf(entry, folder, repository, new Set())).some(isOurFunction);
  } catch (error) {
    if (error instanceof NeedsKustomize) return false;
    throw error;
  }
}

interface Listed {
  documents: readonly Document[];
  transformers: readonly Value[];
}

function listed(folder: string, repository: Repository, files: Set<string>, isOutermost: boolean): Listed {
  const { value, transformers } = kustomizationAt(folder, repository, files);
  const other = Object.keys(value).find((key) => !PLAIN.includes(key));
  if (other !== undefined) throw new NeedsKustomize(`${other} of its kustomization`);
  if (!isOutermost && transformers.length > 0) throw new NeedsKustomize('a base has transformers');
  const documents = textsOf(value.resources).flatMap((name): readonly Document[] => {
    const path = resolvePath(folder, name);
    if (path === undefined || name.includes('://'))
      throw new NeedsKustomize(`it reads ${name}, outside of the repository`);
    if (!repository.tree.has(path)) return listed(path, repository, files, false).documents;
    return documentsAt(path, repository, files);
  });
  return { documents, transformers: transformers.flatMap((one) => configsOf(one, folder, repository, files)) };
}

function kustomizationAt(
  folder: string,
  repository: Repository,
  files: Set<string>,
): { value: ValueMap; transformers: readonly string[] } {
  if (!isKustomizationFolder(repository.tree, folder)) throw new NeedsKustomize(`${folder} has no kustomization.yaml`);
  const name = KUSTOMIZATION_FILES.find((one) => repository.tree.has(joinPath(folder, one))) ?? '';
  const [document] = documentsAt(joinPath(folder, name), repository, files);
  const value = document?.object;
  if (!isMap(value)) throw new NeedsKustomize('its kustomization cannot be read');
  return { value, transformers: textsOf(value.transformers) };
}

/** Returns the configurations of a transformer: inline, in a file, or listed by a separate kustomization. */
function configsOf(entry: string, folder: string, repository: Repository, files: Set<string>): Value[] {
  const path = resolvePath(folder, entry);
  if (path !== undefined && repository.tree.has(path))
    return documentsAt(path, repository, files).map(({ object }) => object);
  if (path !== undefined && repository.tree.folder(path) !== undefined) {
    return listed(path, repository, files, false).documents.map(({ object }) => object);
  }
  const text = { file: joinPath(folder, 'kustomization.yaml'), text: entry };
  return repository.parse([text], new Collector(), false).map(({ object }) => object);
}

function documentsAt(path: string, { tree, parse }: Repository, files: Set<string>): Document[] {
  const text = tree.text(path);
  if (text === undefined) throw new NeedsKustomize(`it reads ${path}, which cannot be read`);
  files.add(path);
  return parse([{ file: path, text }], new Collector(), false);
}

const FUNCTION = 'config.kubernetes.io/function';

/** Reports whether a functionConfig runs render-rgd, as an executable or as an image. */
function isOurFunction(config: Value): boolean {
  if (!isKubeObject(config)) return false;
  const how = annotationOf(config, FUNCTION);
  return how !== undefined && /(^|[\s/"'])render-rgd(\.js)?([\s:@"']|$)/m.test(how);
}

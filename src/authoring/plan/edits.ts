import { get, isMap, listOf, setKey, textsOf, type Value, type ValueMap } from '../../core/model/value.ts';
import { baseOf, resolvePath } from '../../core/text/paths.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { fluxParts, kustomizationFile, kustomizationIn } from './kustomization.ts';
import { rejected } from './not-rendered.ts';
import type { Repository } from './repository.ts';

/** What a controller changes in a kustomization before it builds it: fields of its own object. */
export interface Edits {
  by: 'Argo CD' | 'Flux';
  fields: ValueMap;
}

/** A file that a tool reads instead of the one in the repository. */
export interface EditedFile {
  name: string;
  text: string;
}

/** Returns the edited kustomization of a folder. @throws NotRendered if the controller rejects it */
export function editKustomization(folder: string, { by, fields }: Edits, repository: Repository): EditedFile {
  const { tree } = repository;
  const file = kustomizationFile(folder, repository);
  const found = kustomizationIn(folder, repository)?.value;
  if (file === undefined && by === 'Argo CD') throw rejected(`${folder} has no kustomization`);
  if (file !== undefined && found === undefined) throw rejected(`${file} is no kustomization`);
  const edited: ValueMap = { ...(found ?? generated(folder, repository)) };
  const set = (field: string, value: Value | undefined, as = field): void => {
    if (value !== undefined && value !== '') setKey(edited, as, value);
  };
  const add = (field: string, items: readonly Value[]): void =>
    set(field, items.length === 0 ? undefined : [...listOf(edited[field]), ...items]);
  for (const field of ['namePrefix', 'nameSuffix'] as const) set(field, fields[field]);
  set('namespace', by === 'Flux' ? fields.targetNamespace : fields.namespace);
  add('patches', listOf(fields.patches));
  const isThere = (component: string): boolean => {
    const at = resolvePath(folder, component);
    return at !== undefined && tree.folder(at) !== undefined;
  };
  const known = by === 'Flux' ? [] : textsOf(edited.components);
  const components = textsOf(fields.components).filter(
    (one) => !known.includes(one) && (fields.ignoreMissingComponents !== true || isThere(one)),
  );
  add('components', components);
  const images = by === 'Flux' ? listOf(fields.images).filter(isMap) : textsOf(fields.images).map(imageOf);
  set('images', images.length === 0 ? undefined : withImages(listOf(edited.images), images, by));
  if (by === 'Flux') {
    add('patchesStrategicMerge', listOf(fields.patchesStrategicMerge).map(toJsonText));
    const patches = listOf(fields.patchesJson6902);
    add(
      'patchesJson6902',
      patches.map((one) => (isMap(one) ? { ...one, patch: toJsonText(one.patch ?? null) } : one)),
    );
    set('buildMetadata', fields.buildMetadata);
  } else {
    const replicas = listOf(fields.replicas).map((one) => ({
      name: get(one, 'name') ?? '',
      count: BigInt(String(get(one, 'count') ?? 0)),
    }));
    const names = replicas.map((one) => one.name);
    const others = listOf(edited.replicas).filter((one) => !names.includes(get(one, 'name') ?? ''));
    set('replicas', replicas.length === 0 ? undefined : [...others, ...replicas]);
    addCommon(edited, fields);
  }
  return { name: baseOf(file ?? 'kustomization.yaml'), text: toJsonText(edited) };
}

/** The kustomization that kustomize-controller generates for a folder without one. */
function generated(folder: string, repository: Repository): ValueMap {
  const { files, folders } = fluxParts(folder, repository);
  const relative = (path: string): string => (folder === '' ? path : path.slice(folder.length + 1));
  const resources = [...files, ...folders].map(relative);
  return { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
}

/** Reads `[NAME=]NEW-NAME[:TAG][@DIGEST]`, as `kustomize edit set image` does; `*` keeps what is there. */
function imageOf(text: string): ValueMap {
  const cut = text.indexOf('=');
  const [name, rest] = cut < 0 ? ['', text] : [text.slice(0, cut), text.slice(cut + 1)];
  const [, image = '', tag = '', digest = ''] = /^(.*?)(?::([^:/@]+))?(?:@(.+))?$/s.exec(rest) ?? [];
  return {
    name: name || image,
    ...(name !== '' && { newName: image }),
    ...(tag !== '' && { newTag: tag }),
    ...(digest !== '' && { digest }),
  };
}

/** Sets images by their name: Argo CD replaces an entry, and Flux merges it; a new tag or digest replaces both. */
function withImages(old: readonly Value[], images: readonly ValueMap[], by: Edits['by']): Value[] {
  const merged = [...old];
  for (const image of images) {
    const at = merged.findIndex((one) => get(one, 'name') === image.name);
    const was = merged[at];
    if (!isMap(was)) merged.push(image);
    else if (by === 'Argo CD') {
      const preserved = Object.entries(image).map(([key, value]) => [key, value === '*' ? (was[key] ?? '') : value]);
      merged[at] = Object.fromEntries(preserved) as ValueMap;
    } else {
      const { newTag, digest, ...rest } = was;
      const kept = image.newTag === undefined && image.digest === undefined;
      merged[at] = {
        ...rest,
        ...(kept && { ...(newTag !== undefined && { newTag }), ...(digest !== undefined && { digest }) }),
        ...image,
      };
    }
  }
  return merged;
}

/** Adds labels and annotations, as `kustomize edit add` does, which rejects those that are there. */
function addCommon(edited: ValueMap, fields: ValueMap): void {
  for (const [field, force, what] of [
    ['commonLabels', 'forceCommonLabels', 'label'],
    ['commonAnnotations', 'forceCommonAnnotations', 'annotation'],
  ] as const) {
    const given = fields[field];
    if (!isMap(given) || Object.keys(given).length === 0) continue;
    if (field === 'commonLabels' && fields.labelWithoutSelector === true) {
      const includeTemplates = fields.labelIncludeTemplates === true;
      setKey(edited, 'labels', [...listOf(edited.labels), { pairs: given, includeSelectors: false, includeTemplates }]);
      continue;
    }
    const was = edited[field];
    const known = isMap(was) ? was : {};
    const twice = Object.keys(given).find((key) => get(known, key) !== undefined);
    if (twice !== undefined && fields[force] !== true)
      throw rejected(`its kustomization has the ${what} ${twice} already`);
    setKey(edited, field, { ...known, ...given });
  }
}

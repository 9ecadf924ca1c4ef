import { nameOf, namespaceOf } from '../../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  listAt,
  mergeMaps,
  setKey,
  textAt,
  textOf,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import { joinPath, resolvePath } from '../../../core/text/paths.ts';
import { type Application, type Discovery, kustomizeAt, type Source, sourceAt } from '../application.ts';
import type { Written } from '../elsewhere.ts';
import { hasKustomization } from '../kustomization.ts';
import { isSameRepository, NotRendered, rejected } from '../repository.ts';
import { revisionFault } from '../revisions.ts';
import { type Context, checkFields, helmSource, isEmpty, pluginSource, referencedValues } from './argocd-builds.ts';
import { argocdDeployment } from './deployment.ts';
import { yamlValue } from './parameters.ts';
import { specFault } from './spec-faults.ts';

/** Reports whether an Application is only a part of one, such as a patch. */
export function isPartial(application: ValueMap): boolean {
  const spec = get(application, 'spec');
  const isSource = (source: Value): boolean => ['repoURL', 'path', 'chart'].some((key) => textAt(source, key) !== '');
  return !isMap(get(spec, 'destination')) || !sourcesOf(spec).some(isSource) || nameOf(application) === '';
}

/** Returns the sources of the spec of an Application that Argo CD reads. */
export function sourcesOf(spec: Value | undefined): readonly Value[] {
  const many = get(spec, 'sources');
  // The input of the source hydrator, which writes its output to another branch.
  const dry = getAt(spec, ['sourceHydrator', 'drySource']);
  return isMap(dry) ? [dry] : Array.isArray(many) && many.length > 0 ? many : [get(spec, 'source') ?? null];
}

/** https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/; `set` generates it. */
export function readApplication(application: ValueMap, place: string, given: Discovery, set?: ValueMap): Application {
  // A source with a ref and no path contains values for others.
  const all = sourcesOf(get(application, 'spec'));
  const wanted = all.filter((source) => textAt(source, 'ref') === '' || get(source, 'path') !== undefined);
  const name = nameOf(application);
  const deployment = argocdDeployment(application, set);
  const context = { ...given, name, namespace: deployment.namespace, sources: all };
  const fault = specFault(application);
  const sources: Source[] =
    fault === undefined
      ? wanted.map((source) => readSource(source, context))
      : [{ type: 'fails', path: '', reason: `Argo CD does not sync it (InvalidSpecError): ${fault}` }];
  const path = sources[0]?.path ?? '';
  return { kind: 'Application', name, namespace: namespaceOf(application), place, path, sources, deployment };
}

const TYPES = ['kustomize', 'helm', 'directory', 'plugin'];

function readSource(source: Value, context: Context): Source {
  const given = textAt(source, 'path');
  const path = resolvePath('', given);
  return sourceAt(path ?? given, () => sourceOf(source, given, path, context));
}

function sourceOf(source: Value, given: string, path: string | undefined, context: Context): Source {
  const folder = folderOf(source, given, path, context);
  const whole = withOverrides(source, folder, context);
  const types = TYPES.filter((type) => !isEmpty(get(whole, type) ?? null, type));
  const [type = '', second] = types;
  if (second !== undefined) throw rejected(`it has several types of source: ${types.join(', ')}`);
  return sourceOfType(type, get(whole, type) ?? null, folder, context);
}

/** Returns the folder of a source. @throws {NotRendered} if it is elsewhere, or if Argo CD rejects it */
function folderOf(source: Value, given: string, path: string | undefined, context: Context): string {
  const { urls, allowOutwardLinks } = context;
  const { tree } = context.repository;
  const elsewhere = (reason: string): NotRendered => new NotRendered(reason, 'none', writtenSource(source, context));
  const chart = textAt(source, 'chart');
  const url = textAt(source, 'repoURL');
  if (chart !== '') throw elsewhere(`the chart ${chart} is in another repository`);
  if (!isSameRepository(url, urls)) throw elsewhere(`its source is another repository: ${url}`);
  const revision = textAt(source, 'targetRevision');
  const other = revisionFault(revision, context);
  if (other !== undefined) throw elsewhere(other);
  const { outwardLink } = tree;
  if (outwardLink !== undefined && allowOutwardLinks !== true)
    throw rejected(`${outwardLink} is a link out of the repository, for which Argo CD rejects all of it`);
  if (path === undefined || given.startsWith('/')) throw rejected(`its path ${given} is not below the repository`);
  if (tree.folder(path) === undefined) {
    throw revision !== '' && revision !== 'HEAD'
      ? elsewhere(`its source is the revision ${revision}, and this one lacks its path`)
      : rejected(`its path ${given} ${tree.has(path) ? 'is no folder' : 'does not exist'}`);
  }
  return path;
}

/** Returns a source of a type; '' if the files decide it. */
function sourceOfType(type: string, own: Value, path: string, context: Context): Source {
  const { tree } = context.repository;
  if (type === 'plugin') return pluginSource(own, path, context);
  if (type === 'kustomize') {
    checkFields('kustomize', own);
    return { type, path, functions: true, edits: { by: 'Argo CD', fields: isMap(own) ? own : {} } };
  }
  // Argo CD does not look into a folder that is a link.
  const isLooked = type === '' && !tree.isLink(path);
  // The setting kustomize.buildOptions of an administrator is not in the repository.
  if (isLooked && hasKustomization(path, context.repository)) return kustomizeAt(path);
  if (type === 'helm' || (isLooked && tree.has(joinPath(path, 'Chart.yaml')))) return helmSource(own, path, context);
  const folder = tree.folder(path);
  const jsonnet = folder?.files.find((file) => file.endsWith('.jsonnet'));
  if (jsonnet !== undefined) throw new NotRendered(`it evaluates ${joinPath(path, jsonnet)}`);
  return {
    type: 'manifests',
    path,
    recurse: get(own, 'recurse') === true,
    include: textAt(own, 'include'),
    exclude: textAt(own, 'exclude'),
  };
}

/** Returns all that the repository says about a source that is elsewhere, with its values files that are here. */
function writtenSource(source: Value, context: Context): Written {
  const { helm = null, chart: _, targetRevision, ...rest }: ValueMap = isMap(source) ? source : {};
  const { values = null, valuesObject = null, parameters = null, ...others }: ValueMap = isMap(helm) ? helm : {};
  const files = listAt(helm, 'valueFiles').flatMap((file) => referencedValues(textOf(file), context) ?? []);
  const texts = files.map((file) => readValues(context.repository.tree.text(file) ?? ''));
  const inline = typeof values === 'string' ? readValues(values) : values;
  return {
    chart: textAt(source, 'chart'),
    version: textOf(targetRevision ?? null),
    values: mergedValues([...texts, inline, valuesObject], parameters),
    rest: { ...rest, helm: others },
    path: isSameRepository(textAt(source, 'repoURL'), context.urls)
      ? (resolvePath('', textAt(source, 'path')) ?? '')
      : '',
    files,
  };
}

/** Merges values as helm does; what is no map is kept beside the others. */
function mergedValues(values: readonly Value[], parameters: Value): Value {
  let merged: ValueMap = {};
  for (const one of values) {
    if (isMap(one)) merged = mergeMaps(merged, one);
    else if (one !== null) merged = { ...merged, '': one };
  }
  return parameters === null ? merged : { ...merged, parameters };
}

function readValues(text: string): Value {
  const read = yamlValue(text);
  return 'fault' in read ? text : read.value;
}

/** Merges the files with which Argo CD Image Updater and others override a source. */
function withOverrides(source: Value, path: string, { name, repository: { tree } }: Context): Value {
  let merged = source;
  for (const file of ['.argocd-source.yaml', `.argocd-source-${name}.yaml`]) {
    const text = tree.text(joinPath(path, file));
    if (text === undefined) continue;
    const patch = yamlValue(text);
    if ('fault' in patch) throw rejected(`${joinPath(path, file)}: ${patch.fault}`);
    merged = mergePatch(merged, patch.value);
  }
  return merged;
}

function mergePatch(value: Value, patch: Value): Value {
  if (!isMap(patch)) return patch;
  const merged: ValueMap = isMap(value) ? { ...value } : {};
  for (const [key, item] of Object.entries(patch)) {
    if (item === null) delete merged[key];
    else setKey(merged, key, mergePatch(get(merged, key) ?? null, item));
  }
  return merged;
}

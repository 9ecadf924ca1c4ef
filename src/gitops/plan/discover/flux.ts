import { textDigest } from '../../../core/digest/hashes.ts';
import { nameOf, namespaceOf } from '../../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  listAt,
  mapOf,
  mergeMaps,
  setKey,
  textAt,
  textOf,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import { isBelow, joinPath, resolvePath } from '../../../core/text/paths.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { type Application, type ChartBuild, sourceAt } from '../application.ts';
import type { Variables } from '../edits.ts';
import type { Written } from '../elsewhere.ts';
import type { Repository } from '../repository.ts';
import { NotRendered, rejected } from '../repository.ts';
import { fluxDeployment, releaseDeployment } from './deployment.ts';
import { yamlValue } from './parameters.ts';
import type { References } from './references.ts';

/** Where an object of Flux is: the file that declares it, and the folder of the files of its cluster. */
export interface FluxContext {
  place: string;
  cluster: string;
  repository: Repository;
  references: References;
}

const EDITS = [
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'images',
  'components',
  'ignoreMissingComponents',
  'namePrefix',
  'nameSuffix',
  'targetNamespace',
  'buildMetadata',
];

/** Reads a Kustomization of Flux (https://fluxcd.io/flux/components/kustomize/kustomizations/). */
export function readFluxKustomization(kustomization: ValueMap, given: FluxContext): Application {
  const { place, cluster, repository, references } = given;
  const spec = get(kustomization, 'spec');
  const written = textAt(spec, 'path');
  const named = { name: nameOf(kustomization), namespace: namespaceOf(kustomization), place };
  const deployment = fluxDeployment(kustomization, cluster);
  const from = references.sourceOf(get(spec, 'sourceRef'), named.namespace, cluster);
  // A path never leaves the root.
  const path = resolvePath('', `${from.isOurs ? from.root : ''}/${written}`);
  const source = sourceAt(path ?? written, () => {
    if (!from.isOurs)
      throw new NotRendered(from.reason, 'none', writtenKustomization(spec ?? null, from.source, from.isHere === true));
    if (path === undefined) throw new NotRendered(`${written} is outside the repository`);
    if (repository.artifact(from.ignore).tree.folder(path) === undefined)
      throw rejected(`its path ${written} does not exist`);
    const edits = EDITS.filter((field) => !isEmpty(get(spec, field)));
    const fields = Object.fromEntries(edits.map((field) => [field, get(spec, field) ?? null])) as ValueMap;
    const variables = variablesOf(kustomization, cluster, references);
    const metadata = get(spec, 'commonMetadata');
    return {
      type: 'kustomize',
      path,
      functions: false,
      flux: true,
      ignore: from.ignore,
      ...(edits.length > 0 && { edits: { by: 'Flux', fields } }),
      ...(isMap(get(spec, 'decryption')) && { decrypts: true as const }),
      ...(variables && { variables }),
      ...(isMap(metadata) && { metadata }),
    };
  });
  return { kind: 'Kustomization', ...named, path: path ?? written, sources: [source], deployment };
}

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the variables of `spec.postBuild`: its own win over those of ConfigMaps of the repository. */
function variablesOf(kustomization: ValueMap, cluster: string, references: References): Variables | undefined {
  const build = get(get(kustomization, 'spec'), 'postBuild');
  if (!isMap(build)) return undefined;
  const values: Record<string, string> = {};
  const unread: string[] = [];
  const take = (data: Value | undefined): void => {
    for (const [key, value] of isMap(data) ? Object.entries(data) : [])
      if (typeof value === 'string') setKey(values, key, value.replaceAll('\n', ''));
  };
  for (const one of listAt(build, 'substituteFrom')) {
    const data = references.configMap(one, namespaceOf(kustomization), cluster);
    if (data !== undefined) take(data);
    else if (get(one, 'optional') !== true || get(one, 'kind') !== 'ConfigMap') unread.push(titleOfReference(one));
  }
  take(build.substitute);
  return { values, unread };
}

const titleOfReference = (reference: Value): string => `${textAt(reference, 'kind')} ${textAt(reference, 'name')}`;

/** https://fluxcd.io/flux/components/helm/helmreleases/; CRDs count only if `spec.upgrade.crds` updates them. */
export function readHelmRelease(release: ValueMap, given: FluxContext): Application {
  const { place, cluster, repository, references } = given;
  const spec = get(release, 'spec') ?? null;
  const chart = get(get(spec, 'chart'), 'spec') ?? null;
  const named = { name: nameOf(release), namespace: namespaceOf(release), place };
  const deployment = releaseDeployment(release, cluster);
  const reference = get(spec, 'chartRef') ?? get(chart, 'sourceRef');
  const from = references.sourceOf(reference, named.namespace, cluster);
  const inSource = (file: string): string | undefined => resolvePath('', `${from.isOurs ? from.root : ''}/${file}`);
  const written = textAt(chart, 'chart');
  const path = inSource(written);
  const source = sourceAt(path ?? written, () => {
    if (!from.isOurs) throw new NotRendered(from.reason, 'none', writtenRelease(release, given, from.source));
    const { tree } = repository.artifact(from.ignore);
    if (path === undefined || !tree.has(joinPath(path, 'Chart.yaml')))
      throw rejected(`its chart ${written} does not exist`);
    if (tree.links && [...tree.links.keys()].some((link) => isBelow(link, path)))
      throw new NotRendered('its chart has links, which source-controller leaves out');
    if (!isEmpty(get(spec, 'postRenderers'))) throw new NotRendered('its spec.postRenderers is not read');
    const files = listAt(chart, 'valuesFiles').map((file) => inSource(textOf(file)) ?? textOf(file));
    const defaults = defaultsOfChart(files, tree, get(chart, 'ignoreMissingValuesFiles') === true);
    const metadata = get(spec, 'commonMetadata');
    const build = buildOf(chart, path, files, tree);
    return {
      type: 'helm',
      path,
      arguments: helmArguments(spec, named.name, deployment.namespace),
      values: [],
      inline: toJsonText(valuesOfRelease(spec, named.namespace, given)),
      ...(files.length > 0 && { defaults: toJsonText(defaults) }),
      ...(isMap(metadata) && { metadata }),
      ...(build && { build }),
    };
  });
  return { kind: 'HelmRelease', ...named, path: source.path, sources: [source], deployment };
}

/** Returns what decides whether a changed chart is deployed. With `reconcileStrategy: Revision`, each commit is. */
function buildOf(
  chart: Value,
  path: string,
  valuesFiles: readonly string[],
  tree: Repository['tree'],
): ChartBuild | undefined {
  if (textAt(chart, 'reconcileStrategy') === 'Revision') return undefined;
  const own = readValues(tree.text(joinPath(path, 'Chart.yaml')) ?? '') ?? {};
  const identity: ValueMap = { spec: chart, name: own.name ?? null, version: own.version ?? null };
  return { identity, valuesFiles };
}

/** Returns the map in a text of values; undefined if it is not one. */
function readValues(text: string): ValueMap | undefined {
  const read = yamlValue(text);
  if ('fault' in read) return undefined;
  return isMap(read.value) ? read.value : {};
}

/** Returns what the files of `spec.chart.spec.valuesFiles` set, which take the place of the values of the chart. */
function defaultsOfChart(files: readonly string[], tree: Repository['tree'], ignoresMissing: boolean): ValueMap {
  const isThere = (file: string): boolean => tree.has(file);
  const missing = files.find((file) => !isThere(file));
  if (missing !== undefined && !ignoresMissing) throw rejected(`its values file ${missing} does not exist`);
  let defaults: ValueMap = {};
  for (const file of files.filter(isThere)) {
    const read = readValues(tree.text(file) ?? '');
    if (read === undefined) throw rejected(`its values file ${file} is not a map`);
    defaults = mergeMaps(defaults, read);
  }
  return defaults;
}

/** Returns what `spec.valuesFrom` and `spec.values` set; the later one wins. */
function valuesOfRelease(spec: Value, namespace: string, { references, cluster }: FluxContext): ValueMap {
  let values: ValueMap = {};
  for (const one of listAt(spec, 'valuesFrom')) {
    const name = titleOfReference(one);
    if (!isEmpty(get(one, 'targetPath'))) throw new NotRendered('a targetPath in its spec.valuesFrom is not read');
    const data = references.configMap(one, namespace, cluster);
    if (data === undefined) throw new NotRendered(`its values are in the ${name}, which is not read`);
    const text = get(data, textAt(one, 'valuesKey') || 'values.yaml');
    if (text === undefined && get(one, 'optional') === true) continue;
    const read = typeof text === 'string' ? readValues(text) : undefined;
    if (read === undefined) throw rejected(`the ${name} lacks its values`);
    values = mergeMaps(values, read);
  }
  const own = get(spec, 'values');
  return isMap(own) ? mergeMaps(values, own) : values;
}

/** Returns the arguments of helm that render what helm-controller applies. */
function helmArguments(spec: Value, name: string, namespace: string): readonly string[] {
  const upgrade = get(spec, 'upgrade') ?? null;
  const args = ['template'];
  if (get(upgrade, 'crds') === 'CreateReplace') args.push('--include-crds');
  if (get(get(spec, 'test'), 'enable') !== true) args.push('--skip-tests');
  if (get(upgrade, 'disableSchemaValidation') === true) args.push('--skip-schema-validation');
  if (namespace !== '') args.push(`--namespace=${namespace}`);
  args.push(releaseName(spec, name));
  return args;
}

/** The fields that decide when something is applied, and not what. */
const TIMES: readonly string[] = ['interval', 'retryInterval', 'timeout'];

function withoutTimes(value: Value | undefined): Value {
  if (!isMap(value)) return value ?? null;
  const kept: ValueMap = {};
  for (const [key, item] of Object.entries(value)) if (!TIMES.includes(key)) setKey(kept, key, item);
  return kept;
}

/** Returns the revision of a source elsewhere. */
function revisionOf(source: ValueMap | undefined): string {
  const ref = getAt(source ?? null, ['spec', 'ref']);
  const named = ['commit', 'digest', 'name', 'semver', 'tag', 'branch'].map((field) => textAt(ref, field));
  return named.find((one) => one !== '') ?? '';
}

/** Returns all that the repository says about a Kustomization of another source. */
function writtenKustomization(spec: Value, source: ValueMap | undefined, isOwn: boolean): Written {
  const rest = { spec: withoutTimes(spec), source: withoutRevision(source) };
  return {
    chart: '',
    version: revisionOf(source),
    values: null,
    rest,
    path: isOwn ? (resolvePath('', textAt(spec, 'path')) ?? '') : '',
    files: [],
  };
}

function withoutRevision(source: ValueMap | undefined): Value {
  const spec = withoutTimes(get(source, 'spec'));
  if (!isMap(spec)) return spec;
  const { ref: _, ...rest } = spec;
  return rest;
}

/** Returns all that the repository says about a HelmRelease whose chart is elsewhere. */
function writtenRelease(release: ValueMap, given: FluxContext, source: ValueMap | undefined): Written {
  const { chart = null, values = null, ...rest }: ValueMap = mapOf(withoutTimes(get(release, 'spec')));
  const { chart: name, version, ...others }: ValueMap = mapOf(withoutTimes(get(chart, 'spec')));
  let merged: ValueMap = {};
  for (const one of listAt(rest, 'valuesFrom')) {
    const data = given.references.configMap(one, namespaceOf(release), given.cluster);
    const text = get(data, textAt(one, 'valuesKey') || 'values.yaml');
    const read = typeof text === 'string' ? yamlValue(text) : undefined;
    if (read !== undefined && !('fault' in read) && isMap(read.value)) merged = mergeMaps(merged, read.value);
    else if (text !== undefined) setKey(merged, textAt(one, 'name'), text);
  }
  return {
    chart: textOf(name ?? null) || textAt(get(get(release, 'spec'), 'chartRef'), 'name'),
    version: textOf(version ?? null) || revisionOf(source),
    values: isMap(values) ? mergeMaps(merged, values) : merged,
    rest: { ...rest, chart: others, source: withoutRevision(source) },
    path: '',
    files: [],
  };
}

const MOST_OF_NAME = 53;

function releaseName(spec: Value, name: string): string {
  const target = textAt(spec, 'targetNamespace');
  const full = textAt(spec, 'releaseName') || (target === '' ? name : `${target}-${name}`);
  return full.length <= MOST_OF_NAME ? full : `${full.slice(0, 40)}-${textDigest(full, 12)}`;
}

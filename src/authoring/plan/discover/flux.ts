import { textDigest } from '../../../core/digest/hex.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  listAt,
  listOf,
  setKey,
  textAt,
  textOf,
  textsOf,
  type Value,
  type ValueMap,
} from '../../../core/model/value.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { Application, Source } from '../application.ts';
import { isBelow, joinPath, parentOf, resolvePath } from '../files.ts';
import { manifestPaths, type Repository } from '../repository.ts';
import type { Variables } from '../substitute.ts';
import { fluxDeployment, releaseDeployment } from './deployment.ts';
import { yamlValue } from './template-functions.ts';

/** Fields with which Flux changes a kustomization. */
const EDITS =
  'patches patchesStrategicMerge patchesJson6902 images components ignoreMissingComponents namePrefix nameSuffix targetNamespace buildMetadata'.split(
    ' ',
  );

/** A source: this repository from a folder (`root`), or why nothing is deployed from it. */
type FluxSource = { isOurs: true; root: string } | { isOurs: false; reason: string };

/** Returns the source that an object of Flux refers to. */
export type FluxSources = (reference: Value | undefined, namespace: string, cluster: string) => FluxSource;

/**
 * Reads a Kustomization of Flux (https://fluxcd.io/flux/components/kustomize/kustomizations/). `place` is the file that
 * declares it, and `cluster` the folder of the files of its cluster.
 */
export function readFluxKustomization(
  kustomization: ValueMap,
  { place, cluster }: { place: string; cluster: string },
  repository: Repository,
  sourceOf: FluxSources,
): Application {
  const { tree } = repository;
  const spec = get(kustomization, 'spec');
  const given = textAt(spec, 'path');
  const named = { name: nameOf(kustomization), namespace: namespaceOf(kustomization), place };
  const deployment = fluxDeployment(kustomization, cluster);
  const from = sourceOf(get(spec, 'sourceRef'), named.namespace, cluster);
  // A path never leaves the root.
  const path = resolvePath('', `${from.isOurs ? from.root : ''}/${given}`);
  return { kind: 'Kustomization', ...named, path: path ?? given, sources: [source()], deployment };

  function source(): Source {
    const none = (reason: string): Source => ({ type: 'none', path: path ?? given, reason });
    if (!from.isOurs) return { type: 'none', path: '', reason: from.reason, elsewhere: given };
    if (path === undefined) return none(`${given} is outside the repository`);
    if (tree.folder(path) === undefined) return { type: 'fails', path, reason: `its path ${given} does not exist` };
    const edits = EDITS.filter((field) => !isEmpty(get(spec, field)));
    const fields = Object.fromEntries(edits.map((field) => [field, get(spec, field) ?? null])) as ValueMap;
    const variables = variablesOf(kustomization, cluster, repository);
    const metadata = get(spec, 'commonMetadata');
    return {
      ...{ type: 'kustomize', path, functions: false, plugin: undefined, flux: true },
      ...(edits.length > 0 && { edits: { by: 'Flux', fields } }),
      ...(variables && { variables }),
      ...(isMap(metadata) && { metadata }),
    };
  }
}

const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns the variables of `spec.postBuild`: its own win over those of ConfigMaps of the repository. */
function variablesOf(kustomization: ValueMap, cluster: string, repository: Repository): Variables | undefined {
  const build = getAt(kustomization, ['spec', 'postBuild']);
  if (!isMap(build)) return undefined;
  const { substitute, substituteFrom } = build;
  const values: Record<string, string> = {};
  const unread: string[] = [];
  const take = (data: Value | undefined): void => {
    for (const [key, value] of isMap(data) ? Object.entries(data) : [])
      if (typeof value === 'string') values[key] = value.replaceAll('\n', '');
  };
  for (const one of listOf(substituteFrom)) {
    const data = configMap(one, namespaceOf(kustomization), cluster, repository);
    if (data !== undefined) take(data);
    else if (get(one, 'optional') !== true || get(one, 'kind') !== 'ConfigMap') unread.push(titleOfReference(one));
  }
  take(substitute);
  return { values, unread };
}

const titleOfReference = (reference: Value): string => `${textAt(reference, 'kind')} ${textAt(reference, 'name')}`;

/** Returns the data of a ConfigMap of the repository; undefined if it is unknown which of several, or a Secret. */
function configMap(reference: Value, namespace: string, cluster: string, repository: Repository): Value | undefined {
  // Values of Secrets would appear in objects that are shown.
  if (get(reference, 'kind') !== 'ConfigMap') return undefined;
  const found = objectsNamed('ConfigMap', textAt(reference, 'name'), { namespace, cluster }, repository);
  return found.length === 1 ? (get(found[0] ?? null, 'data') ?? {}) : undefined;
}

/** Returns the objects of a kind and name in the repository: those of a cluster, or else those of no other cluster. */
export function objectsNamed(
  kind: string,
  name: string,
  { namespace, cluster }: { namespace: string; cluster: string },
  repository: Repository,
): KubeObject[] {
  const { tree, objectsOf } = repository;
  const found = manifestPaths(tree)
    .filter((file) => [kind, name].every((word) => tree.text(file)?.includes(word)))
    .flatMap((file) => objectsOf(file).map(({ object }) => ({ file, object })))
    .filter(
      ({ object }) =>
        object.kind === kind &&
        nameOf(object) === name &&
        (namespace === '' || ['', namespace].includes(namespaceOf(object))),
    );
  const near = found.filter(({ file }) => isBelow(file, cluster));
  if (near.length > 0 || found.length === 0) return near.map(({ object }) => object);
  const others = otherClusters(cluster, repository);
  return found.filter(({ file }) => !others.some((one) => isBelow(file, one))).map(({ object }) => object);
}

/** Returns the folders beside that of a cluster that declare Kustomizations, and that the cluster does not deploy. */
function otherClusters(cluster: string, { tree, objectsOf }: Repository): string[] {
  const files = manifestPaths(tree).filter((file) => tree.text(file)?.includes('kustomize.toolkit.fluxcd.io/'));
  const deployed = files
    .filter((file) => isBelow(file, cluster))
    .flatMap((file) => objectsOf(file).map(({ object }) => resolvePath('', textOf(getAt(object, ['spec', 'path'])))));
  const parent = parentOf(cluster);
  const start = parent === '' ? 0 : parent.length + 1;
  const beside = files
    .filter((file) => isBelow(file, parent) && !isBelow(file, cluster) && file.includes('/', start))
    .map((file) => file.slice(0, file.indexOf('/', start)));
  return [...new Set(beside)].filter((one) => !deployed.some((path) => path !== undefined && isBelow(path, one)));
}

/**
 * Reads a HelmRelease of Flux with a chart of this repository (https://fluxcd.io/flux/components/helm/helmreleases/).
 * The CRDs of its chart count only if `spec.upgrade.crds` updates them.
 */
export function readHelmRelease(
  release: ValueMap,
  { place, cluster }: { place: string; cluster: string },
  repository: Repository,
  sourceOf: FluxSources,
): Application {
  const { tree } = repository;
  const spec = get(release, 'spec') ?? null;
  const chart = getAt(spec, ['chart', 'spec']) ?? null;
  const named = { name: nameOf(release), namespace: namespaceOf(release), place };
  const deployment = releaseDeployment(release, cluster);
  const source = sourceAt();
  return { kind: 'HelmRelease', ...named, path: source.path, sources: [source], deployment };

  function sourceAt(): Source {
    const reference = get(spec, 'chartRef') ?? get(chart, 'sourceRef');
    const from = sourceOf(reference, named.namespace, cluster);
    if (!from.isOurs) return { type: 'none', path: '', reason: from.reason, elsewhere: toJsonText(spec) };
    const inSource = (file: string): string | undefined => resolvePath('', `${from.root}/${file}`);
    const given = textAt(chart, 'chart');
    const path = inSource(given);
    if (path === undefined || !tree.has(joinPath(path, 'Chart.yaml')))
      return { type: 'fails', path: path ?? given, reason: `its chart ${given} does not exist` };
    const none = (reason: string): Source => ({ type: 'none', path, reason });
    if (tree.links && [...tree.links.keys()].some((link) => isBelow(link, path)))
      return none('its chart has links, which source-controller leaves out');
    if (!isEmpty(get(spec, 'postRenderers'))) return none('its spec.postRenderers is not read');
    const files = textsOf(get(chart, 'valuesFiles')).map((file) => inSource(file) ?? file);
    const isThere = (file: string): boolean => tree.has(file);
    const missing = files.find((file) => !isThere(file));
    if (missing !== undefined && get(chart, 'ignoreMissingValuesFiles') !== true)
      return { type: 'fails', path, reason: `its values file ${missing} does not exist` };
    let [defaults, values]: [ValueMap, ValueMap] = [{}, {}];
    const readValues = (text: string): ValueMap | undefined => {
      const read = yamlValue(text);
      return 'fault' in read ? undefined : isMap(read.value) ? read.value : {};
    };
    for (const file of files.filter(isThere)) {
      const read = readValues(tree.text(file) ?? '');
      if (read === undefined) return { type: 'fails', path, reason: `its values file ${file} is not a map` };
      defaults = merged(defaults, read);
    }
    for (const one of listAt(spec, 'valuesFrom')) {
      const name = titleOfReference(one);
      if (!isEmpty(get(one, 'targetPath'))) return none('a targetPath in its spec.valuesFrom is not read');
      const data = configMap(one, named.namespace, cluster, repository);
      if (data === undefined) return none(`its values are in the ${name}, which is not read`);
      const text = get(data, textAt(one, 'valuesKey') || 'values.yaml');
      if (text === undefined && get(one, 'optional') === true) continue;
      const read = typeof text === 'string' ? readValues(text) : undefined;
      if (read === undefined) return { type: 'fails', path, reason: `the ${name} lacks its values` };
      values = merged(values, read);
    }
    const own = get(spec, 'values');
    if (isMap(own)) values = merged(values, own);
    const flag = (isSet: boolean, option: string): string[] => (isSet ? [option] : []);
    const upgrade = get(spec, 'upgrade') ?? null;
    const metadata = get(spec, 'commonMetadata');
    const args = [
      'template',
      ...flag(get(upgrade, 'crds') === 'CreateReplace', '--include-crds'),
      ...flag(getAt(spec, ['test', 'enable']) !== true, '--skip-tests'),
      ...flag(get(upgrade, 'disableSchemaValidation') === true, '--skip-schema-validation'),
      ...(deployment.namespace === '' ? [] : [`--namespace=${deployment.namespace}`]),
      releaseName(spec, named.name),
    ];
    return {
      ...{ type: 'helm', path, arguments: args, values: [], inline: toJsonText(values), plugin: undefined },
      ...(files.length > 0 && { defaults: toJsonText(defaults) }),
      ...(isMap(metadata) && { metadata }),
    };
  }
}

/** The longest name of a release. */
const MOST_OF_NAME = 53;

function releaseName(spec: Value, name: string): string {
  const target = textAt(spec, 'targetNamespace');
  const full = textAt(spec, 'releaseName') || (target === '' ? name : `${target}-${name}`);
  return full.length <= MOST_OF_NAME ? full : `${full.slice(0, 40)}-${textDigest(full, 12)}`;
}

/** Merges values as Helm does: a map into a map; else the newer one wins. */
function merged(values: ValueMap, newer: ValueMap): ValueMap {
  const all: ValueMap = { ...values };
  for (const [key, value] of Object.entries(newer)) {
    const was = get(all, key);
    setKey(all, key, isMap(was) && isMap(value) ? merged(was, value) : value);
  }
  return all;
}

/**
 * Returns the folder whose files have the same paths in an artifact of an ArtifactGenerator, which copies folders
 * (https://fluxcd.io/flux/components/source/artifactgenerators/), with the source of the copies.
 */
export function artifactFolder(generator: Value, name: string): { root: string; source: Value } | undefined {
  const artifact = listOf(getAt(generator, ['spec', 'artifacts'])).find((one) => get(one, 'name') === name) ?? null;
  const copies = listAt(artifact, 'copy').map((copy) => {
    const [, alias, from = ''] = /^@([^/]+)\/(?:(.+)\/)?\*\*$/.exec(textAt(copy, 'from')) ?? [];
    const [, to = ''] = /^@artifact\/(.*?)\/?$/.exec(textAt(copy, 'to')) ?? [];
    if (alias === undefined || !isEmpty(get(copy, 'exclude'))) return undefined;
    if (to === '') return { alias, root: from };
    return `/${from}`.endsWith(`/${to}`) ? { alias, root: from.slice(0, -to.length - 1) } : undefined;
  });
  const [first] = copies;
  const isOne = copies.every((one) => one !== undefined && one.root === first?.root && one.alias === first.alias);
  const sources = listOf(getAt(generator, ['spec', 'sources']));
  const source = sources.find((one) => get(one, 'alias') === first?.alias);
  return isOne && first !== undefined && source !== undefined ? { root: first.root, source } : undefined;
}

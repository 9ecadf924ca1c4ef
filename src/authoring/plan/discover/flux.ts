import { nameOf, namespaceOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../../../core/model/value.ts';
import type { Application, Source } from '../application.ts';
import { resolvePath } from '../files.ts';
import { manifestPaths, type Repository } from '../repository.ts';
import type { Variables } from '../substitute.ts';
import { fluxDeployment } from './deployment.ts';
import { textOf } from './values.ts';

/** Fields with which Flux changes a kustomization. */
const EDITS = [
  ...['patches', 'patchesStrategicMerge', 'patchesJson6902', 'images', 'components', 'ignoreMissingComponents'],
  ...['namePrefix', 'nameSuffix', 'targetNamespace', 'buildMetadata'],
];

/** The source of a Kustomization: this repository, or why it is not deployed from it. */
export type FluxSource = { isOurs: true } | { isOurs: false; reason: string };

/**
 * Reads a Kustomization of Flux (https://fluxcd.io/flux/components/kustomize/kustomizations/). `place` is the file that
 * declares it, and `cluster` the folder of the files of its cluster.
 */
export function readFluxKustomization(
  kustomization: ValueMap,
  { place, cluster }: { place: string; cluster: string },
  repository: Repository,
  sourceOf: (sourceRef: ValueMap) => FluxSource,
): Application {
  const { tree } = repository;
  const spec = get(kustomization, 'spec');
  const given = textOf(get(spec, 'path'));
  // A path never leaves the root.
  const path = resolvePath('', given.replace(/^\//, ''));
  const named = { name: nameOf(kustomization), namespace: namespaceOf(kustomization), place };
  const deployment = fluxDeployment(kustomization, cluster);
  return { kind: 'Kustomization', ...named, path: path ?? given, sources: [source()], deployment };

  function source(): Source {
    const none = (reason: string): Source => ({ type: 'none', path: path ?? given, reason });
    const reference = get(spec, 'sourceRef');
    const from = isMap(reference)
      ? sourceOf(reference)
      : { isOurs: false as const, reason: 'it has no spec.sourceRef' };
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
  let isComplete = true;
  const take = (data: Value | undefined): void => {
    for (const [key, value] of isMap(data) ? Object.entries(data) : [])
      if (typeof value === 'string') values[key] = value.replaceAll('\n', '');
  };
  for (const one of Array.isArray(substituteFrom) ? substituteFrom : []) {
    const name = textOf(get(one, 'name'));
    // Values of Secrets would appear in objects that are shown.
    const isReadable = get(one, 'kind') === 'ConfigMap';
    const found = isReadable ? configMaps(name, namespaceOf(kustomization), repository) : [];
    const near = found.filter(({ file }) => cluster === '' || file.startsWith(`${cluster}/`));
    const [only, second] = near.length > 0 ? near : found;
    if (only === undefined || second !== undefined) isComplete = false;
    else take(get(only.object, 'data'));
  }
  take(substitute);
  return { values, isComplete };
}

function configMaps(name: string, namespace: string, repository: Repository): { file: string; object: ValueMap }[] {
  const { tree, objectsOf } = repository;
  return manifestPaths(tree)
    .filter((file) => tree.text(file)?.includes('ConfigMap') && tree.text(file)?.includes(name))
    .flatMap((file) => objectsOf(file).map(({ object }) => ({ file, object })))
    .filter(
      ({ object }) =>
        object.kind === 'ConfigMap' && nameOf(object) === name && ['', namespace].includes(namespaceOf(object)),
    );
}

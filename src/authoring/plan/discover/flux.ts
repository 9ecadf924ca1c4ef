import { nameOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, type ValueMap } from '../../../core/model/value.ts';
import type { Application, Source } from '../application.ts';
import { type FileTree, resolvePath } from '../files.ts';
import { isKustomizationFolder } from './argocd.ts';
import { textOf } from './values.ts';

/** Fields with which Flux changes the output of kustomize. */
const CHANGES = ['patches', 'images', 'components', 'namePrefix', 'nameSuffix', 'commonMetadata', 'targetNamespace'];

/** Reads a Kustomization of Flux (https://fluxcd.io/flux/components/kustomize/kustomizations/). */
export function readFluxKustomization(
  kustomization: ValueMap,
  tree: FileTree,
  isOurs: (sourceRef: ValueMap) => boolean,
): Application {
  const name = nameOf(kustomization);
  const spec = get(kustomization, 'spec');
  const given = textOf(get(spec, 'path'));
  const path = resolvePath('', given.replace(/^\//, ''));
  return { kind: 'Kustomization', name, path: path ?? given, sources: [source()] };

  function source(): Source {
    const none = (reason: string): Source => ({ type: 'none', path: path ?? given, reason });
    const reference = get(spec, 'sourceRef');
    if (path === undefined) return none(`${given} is outside the repository`);
    if (!isMap(reference) || !isOurs(reference)) return none('its source is another repository');
    const change = CHANGES.find((field) => get(spec, field) !== undefined);
    if (change !== undefined) return none(`spec.${change} of the Kustomization changes what kustomize builds`);
    if (
      getAt(spec, ['postBuild', 'substitute']) !== undefined ||
      getAt(spec, ['postBuild', 'substituteFrom']) !== undefined
    ) {
      return none('spec.postBuild of the Kustomization changes what kustomize builds');
    }
    if (isKustomizationFolder(tree, path)) return { type: 'kustomize', path, functions: false, plugin: undefined };
    return { type: 'manifests', path, recurse: true, include: '', exclude: [] };
  }
}

import { type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import { get, listAt, textAt, type Value } from '../../../core/model/value.ts';
import { type Application, applicationAt } from '../application.ts';
import { type FluxContext, readFluxKustomization } from './flux.ts';
import { syncOf } from './flux-sync.ts';

/** Reads a FluxInstance: the operator applies a source and a Kustomization, besides the controllers of Flux. */
export function readFluxInstance(instance: KubeObject, given: FluxContext): Application[] {
  const sync = syncOf(instance);
  if (sync === undefined) return [controllersOf(instance, given.place)];
  const { name, namespace, kind, path } = sync;
  const sourceRef: Value = { kind, name };
  const kustomization = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name, namespace },
    spec: { interval: '10m0s', path, prune: true, sourceRef },
  };
  const application = readFluxKustomization(kustomization, given);
  if (!patchesSync(instance)) return [application];
  const reason = `a patch of the FluxInstance ${nameOf(instance)} may change it`;
  return [{ ...application, sources: [{ type: 'none', path: application.path, reason }] }];
}

/** Reports whether `spec.kustomize.patches` may change the source or the Kustomization (flux-operator: builder/build.go). */
function patchesSync(instance: KubeObject): boolean {
  const patches = listAt(get(get(instance, 'spec'), 'kustomize'), 'patches');
  return patches.some((patch) => {
    const kind = textAt(get(patch, 'target'), 'kind');
    // A kind is a regular expression.
    return !/^\(?[A-Za-z]+(\|[A-Za-z]+)*\)?$/.test(kind) || kind.split(/[()|]/).some((one) => SYNC_KINDS.includes(one));
  });
}

const SYNC_KINDS: readonly string[] = ['Kustomization', 'GitRepository', 'OCIRepository', 'Bucket'];

/** The controllers of Flux that an instance without a source installs. */
function controllersOf(instance: KubeObject, place: string): Application {
  const source = {
    type: 'none',
    path: '',
    reason: 'the manifests of the controllers of Flux are not rendered',
  } as const;
  return { ...applicationAt('FluxInstance', nameOf(instance), '', source), namespace: namespaceOf(instance), place };
}

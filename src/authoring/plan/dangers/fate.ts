import { annotationOf, groupVersionKind, type KubeObject } from '../../../core/model/object.ts';
import { getAt } from '../../../core/model/value.ts';
import type { Deployment, Fate } from '../application.ts';

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
const HELM_POLICY = 'helm.sh/resource-policy';
const FLUX = 'kustomize.toolkit.fluxcd.io';

/**
 * Returns what happens in the cluster to an object that is no longer rendered; `event` says whether the application
 * stays, and its controller prunes the object, or is deleted itself.
 */
export function fateOf(
  object: KubeObject,
  { controller, onPrune, onDelete }: Deployment,
  event: 'prune' | 'delete',
): Fate {
  const general = event === 'prune' ? onPrune : onDelete;
  if (controller === '' || general.word === 'suspended') return general;
  if (controller === 'Helm') return isKept(object) ? kept(`${HELM_POLICY}: keep`) : general;
  return (controller === 'Flux' ? byFlux(object) : byArgoCd(object, general, event)) ?? general;
}

const kept = (why: string): Fate => ({ word: 'kept', why });
const isKept = (object: KubeObject): boolean => annotationOf(object, HELM_POLICY) === 'keep';

function byFlux(object: KubeObject): Fate | undefined {
  for (const [name, value] of Object.entries({ prune: 'disabled', reconcile: 'disabled', ssa: 'Ignore' })) {
    const key = `${FLUX}/${name}`;
    const label = getAt(object, ['metadata', 'labels', key]);
    if ([annotationOf(object, key), label].includes(value)) return kept(`${key}: ${value}`);
  }
  return undefined;
}

/** The option of an object wins over that of its Application. */
function byArgoCd(object: KubeObject, general: Fate, event: 'prune' | 'delete'): Fate | undefined {
  if (general.word === 'orphaned') return undefined;
  const options = (annotationOf(object, SYNC_OPTIONS) ?? '').split(',').map((option) => option.trim());
  const key = event === 'prune' ? 'Prune=' : 'Delete=';
  const own = options.find((option) => option.startsWith(key));
  if (own === `${key}false`) return kept(own);
  if (event === 'delete' && isKept(object)) return kept(`${HELM_POLICY}: keep`);
  const { group, kind } = groupVersionKind(object);
  if (event === 'delete' && group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition') {
    return kept('Argo CD deletes no CRDs with an Application');
  }
  if (own === undefined) return undefined;
  return { word: 'deleted', why: own === `${key}confirm` ? own : '' };
}

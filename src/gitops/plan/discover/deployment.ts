import { DELETION_POLICY, SYNC_OPTIONS } from '../../../core/model/keys.ts';
import { annotationOf, groupVersionKind, type KubeObject, namespaceOf } from '../../../core/model/object.ts';
import { get, getAt, textAt, textOf, textsOf, type Value, type ValueMap } from '../../../core/model/value.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { Deployment, Fate } from '../application.ts';

const settingsAt = (object: ValueMap, paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    paths.flatMap((path) => {
      const value = getAt(object, path.split('.'));
      return value === undefined || value === null ? [] : [[path, toJsonText(value)]];
    }),
  );

const fate = (word: Fate['word'], why: string): Fate => ({ word, why });

export function argocdDeployment(application: ValueMap, set: ValueMap | undefined): Deployment {
  const spec = get(application, 'spec');
  const destination = get(spec, 'destination');
  const options = textsOf(getAt(spec, ['syncPolicy', 'syncOptions']));
  const finalizers = textsOf(getAt(application, ['metadata', 'finalizers']));
  const fields = ['spec.project', 'spec.syncPolicy.automated', 'spec.syncPolicy.syncOptions', 'metadata.finalizers'];
  const policy = set && (getAt(set, ['spec', 'syncPolicy']) ?? null);
  const sync = textAt(policy, 'applicationsSync');
  const deleted = onDelete(policy, finalizers, options);
  const isSkipped = annotationOf(application, SKIP) === 'true';
  const pruned = options.includes('Prune=false') ? fate('kept', 'Prune=false of the Application') : fate('deleted', '');
  return {
    controller: 'Argo CD',
    cluster: textAt(destination, 'server') || textAt(destination, 'name'),
    namespace: textAt(destination, 'namespace'),
    settings: { ...settingsAt(application, fields), ...(isSkipped && { [`metadata.annotations.${SKIP}`]: '"true"' }) },
    onPrune: isSkipped ? fate('suspended', SKIP) : pruned,
    onDelete: ['create-only', 'create-update'].includes(sync) ? fate('kept', `applicationsSync: ${sync}`) : deleted,
    ...(set && { onSetDelete: deleted }),
  };
}

const SKIP = 'argocd.argoproj.io/skip-reconcile';

function onDelete(policy: Value | undefined, finalizers: readonly string[], options: readonly string[]): Fate {
  const cascades = finalizers.some((one) => one.startsWith('resources-finalizer.argocd.argoproj.io'));
  const preserves = get(policy, 'preserveResourcesOnDeletion') === true;
  // The controller adds the finalizer to generated Applications without finalizers.
  const isCompleted = policy !== undefined && finalizers.length === 0 && !preserves;
  if (!cascades && !isCompleted) {
    return fate('orphaned', preserves ? 'preserveResourcesOnDeletion' : 'the Application has no resources-finalizer');
  }
  return options.includes('Delete=false') ? fate('kept', 'Delete=false of the Application') : fate('deleted', '');
}

export function fluxDeployment(kustomization: ValueMap, cluster: string): Deployment {
  const spec = get(kustomization, 'spec');
  const fields = ['prune', 'suspend', 'deletionPolicy', 'force', 'serviceAccountName'].map((field) => `spec.${field}`);
  const remote = textOf(getAt(spec, ['kubeConfig', 'secretRef', 'name']));
  const isSuspended = get(spec, 'suspend') === true;
  const pruned = get(spec, 'prune') === true ? fate('deleted', '') : fate('orphaned', 'spec.prune is not true');
  const policy = textAt(spec, 'deletionPolicy');
  const deleted = policy === 'Orphan' ? fate('orphaned', 'deletionPolicy: Orphan') : fate('deleted', '');
  const removed = policy === '' || policy === 'MirrorPrune' ? pruned : deleted;
  return {
    controller: 'Flux',
    cluster: remote === '' ? cluster : `${cluster} (kubeConfig ${remote})`,
    namespace: textAt(spec, 'targetNamespace'),
    settings: settingsAt(kustomization, fields),
    onPrune: isSuspended ? fate('suspended', 'spec.suspend') : pruned,
    onDelete: isSuspended ? fate('orphaned', 'spec.suspend') : removed,
  };
}

export function releaseDeployment(release: ValueMap, cluster: string): Deployment {
  const like = fluxDeployment(release, cluster);
  // There is no spec.prune.
  const deleted = like.onPrune.word !== 'suspended' && { onPrune: fate('deleted', ''), onDelete: fate('deleted', '') };
  return { ...like, ...deleted, controller: 'Helm', namespace: like.namespace || namespaceOf(release) };
}

const HELM_POLICY = 'helm.sh/resource-policy';
const FLUX = 'kustomize.toolkit.fluxcd.io';

/** Returns what happens to an object that is no longer rendered, if its application stays (prune) or goes (delete). */
export function fateOf(
  object: KubeObject,
  { controller, onPrune, onDelete }: Deployment,
  event: 'prune' | 'delete',
): Fate {
  const general = event === 'prune' ? onPrune : onDelete;
  if (controller === '' || general.word === 'suspended') return general;
  if (controller === 'Helm') return isKept(object) ? kept(`${HELM_POLICY}: keep`) : general;
  const own = controller === 'Flux' ? byFlux(object) : byArgoCd(object, general, event);
  const isOrphaned = own?.word === 'kept' && annotationOf(object, DELETION_POLICY) === 'Orphaned';
  return isOrphaned ? fate('orphaned', 'deletionPolicy: Orphaned') : (own ?? general);
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

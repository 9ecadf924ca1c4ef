import { COMPARE_OPTIONS, DELETION_POLICY, HELM_HOOK, HOOK } from '../../core/model/keys.ts';
import { annotationOf, generateNameOf, groupKindOf, type KubeObject } from '../../core/model/object.ts';
import { fluxKey, fluxMarks } from '../../kubernetes/kustomization/index.ts';
import type { Deployment, Fate } from './application.ts';
import { syncOption } from './sync-options.ts';

/** What a change does with an object: its application no longer has it, is deleted itself, or has a new version of it. */
type Event = 'prune' | 'delete' | 'change' | 'create';

interface Situation {
  object: KubeObject;
  deployment: Deployment;
  event: Event;
  rest: Rest;
}

/** What else a change does with the application of an object. */
export interface Rest {
  /** The newer version of its application has no objects at all. */
  isEmptied: boolean;
  /** Nothing makes its application differ from the cluster but objects that Argo CD does not compare. */
  isSynced: boolean;
  /** What a person must confirm first. */
  confirmations: Confirmations;
}

/**
 * What a person must confirm before Argo CD goes on: the option that requires it, and the object that has it if that is
 * another one; `undefined` if nothing waits.
 */
export interface Confirmations {
  /** One object that waits for a confirmation delays the deletion of all objects of its Application. */
  ofDeletion: (object: KubeObject, deployment: Deployment) => string | undefined;
  /** A sync stops at the wave in which it deletes an object that waits for a confirmation. */
  ofPrune: (object: KubeObject, deployment: Deployment) => string | undefined;
  /** The same for an object that a sync creates or changes. */
  ofApply: (object: KubeObject, deployment: Deployment) => string | undefined;
}

/** A rule of a controller. The first row of its controller that applies decides. */
interface Row {
  controllers: readonly Deployment['controller'][];
  events: readonly Event[];
  /** The file of the controller that has the rule. */
  source: string;
  fate: (situation: Situation) => Fate | undefined;
}

const CRD = 'CustomResourceDefinition.apiextensions.k8s.io';
const HELM_POLICY = 'helm.sh/resource-policy';

const kept = (why: string): Fate => ({ word: 'kept', why });
const deleted = (why: string): Fate => ({ word: 'deleted', why });

/** Returns the annotation of kustomize-controller that keeps an object as it is. */
function exclusionOf(object: KubeObject, exclusions: Readonly<Record<string, string>>): Fate | undefined {
  for (const [name, value] of Object.entries(exclusions)) {
    // A label or an annotation, without regard to case (fluxcd/pkg/ssa/utils: AnyInMetadata).
    const found = fluxMarks(object, name).find((mark) => mark.toLowerCase() === value.toLowerCase());
    if (found !== undefined) return kept(`${fluxKey(name)}: ${found}`);
  }
  return undefined;
}

/** What happens to an object, by its controller. Paths are those of the sources of Argo CD, Flux and helm. */
const ROWS: readonly Row[] = [
  {
    controllers: [''],
    events: ['prune', 'delete'],
    source: '',
    fate: ({ deployment, event }) => general(deployment, event),
  },
  {
    controllers: ['Argo CD', 'Flux', 'Helm'],
    events: ['prune', 'change', 'create'],
    source: 'argo-cd/controller/appcontroller.go, kustomize-controller/internal/controller/kustomization_controller.go',
    fate: ({ deployment }) => (deployment.onPrune.word === 'suspended' ? deployment.onPrune : undefined),
  },
  {
    controllers: ['Argo CD'],
    events: ['prune'],
    source: 'gitops-engine/pkg/sync/sync_context.go: getSyncTasks',
    fate: ({ object }) => (isArgoHook(object) ? kept('Argo CD prunes no hooks') : undefined),
  },
  {
    controllers: ['Argo CD'],
    events: ['prune'],
    source: 'gitops-engine/pkg/sync/sync_context.go: isPruningDisabled',
    fate: ({ object }) => (syncOption(object, 'Prune') === 'false' ? kept('Prune=false') : undefined),
  },
  {
    controllers: ['Argo CD'],
    events: ['prune'],
    source: 'argo-cd/controller/appcontroller.go: autoSync',
    fate: ({ deployment, rest }) =>
      rest.isEmptied && deployment.keepsLast ? kept('automated.allowEmpty is not true') : undefined,
  },
  {
    controllers: ['Argo CD'],
    events: ['prune'],
    source: 'argo-cd/controller/state.go: CompareAppState, argo-cd/controller/appcontroller.go: autoSync',
    fate: ({ object, rest }) =>
      rest.isSynced && isNotCompared(object) ? kept(`${NOT_COMPARED} until something else is synced`) : undefined,
  },
  {
    controllers: ['Argo CD'],
    events: ['prune'],
    source: 'gitops-engine/pkg/sync/sync_context.go: pruneObject, runTasks',
    fate: ({ object, deployment, rest }) => prunedByArgo(object, deployment, rest),
  },
  {
    controllers: ['Argo CD'],
    events: ['change', 'create'],
    source: 'gitops-engine/pkg/sync/sync_context.go: runTasks',
    fate: ({ object, deployment, rest }) => {
      const why = rest.confirmations.ofApply(object, deployment);
      return why === undefined ? undefined : { word: 'suspended', why };
    },
  },
  {
    controllers: ['Argo CD'],
    events: ['delete'],
    source: 'argo-cd/controller/appcontroller.go: finalizeApplicationDeletion',
    fate: ({ deployment: { onDelete } }) => (onDelete.word === 'orphaned' ? onDelete : undefined),
  },
  {
    controllers: ['Argo CD'],
    events: ['delete'],
    source: 'argo-cd/controller/appcontroller.go: shouldBeDeleted',
    fate: ({ object }) =>
      groupKindOf(object) === CRD ? kept('Argo CD deletes no CRDs with an Application') : undefined,
  },
  {
    controllers: ['Argo CD'],
    events: ['delete'],
    source: 'argo-cd/controller/appcontroller.go: shouldBeDeleted',
    fate: ({ object }) => (syncOption(object, 'Delete') === 'false' ? kept('Delete=false') : undefined),
  },
  {
    controllers: ['Argo CD'],
    events: ['delete'],
    source: 'argo-cd/controller/appcontroller.go: shouldBeDeleted',
    fate: ({ object }) => (isHelmKept(object) ? kept(`${HELM_POLICY}: keep`) : undefined),
  },
  {
    controllers: ['Argo CD'],
    events: ['delete'],
    source: 'argo-cd/controller/appcontroller.go: finalizeApplicationDeletion',
    fate: ({ object, deployment, rest }) => deletedByArgo(object, deployment, rest),
  },
  {
    controllers: ['Helm'],
    events: ['prune', 'delete'],
    source: 'helm/pkg/action/resource_policy.go',
    fate: ({ object }) => (isHelmKept(object) ? kept(`${HELM_POLICY}: keep`) : undefined),
  },
  {
    controllers: ['Helm'],
    events: ['prune', 'delete'],
    source: 'helm/pkg/action/hooks.go',
    fate: ({ object }) => (isHelmHook(object) ? kept('helm does not manage hooks') : undefined),
  },
  {
    controllers: ['Flux'],
    events: ['prune', 'delete'],
    source: 'kustomize-controller/internal/controller/kustomization_controller.go: deleteObjects',
    fate: ({ object }) => exclusionOf(object, { prune: 'disabled', reconcile: 'disabled', ssa: 'Ignore' }),
  },
  {
    controllers: ['Flux'],
    events: ['change', 'create'],
    source: 'kustomize-controller/internal/controller/kustomization_controller.go: apply, ExclusionSelector',
    fate: ({ object }) => exclusionOf(object, { reconcile: 'disabled', ssa: 'Ignore' }),
  },
  {
    controllers: ['Flux'],
    events: ['change'],
    source: 'kustomize-controller/internal/controller/kustomization_controller.go: apply, IfNotPresentSelector',
    fate: ({ object }) => exclusionOf(object, { ssa: 'IfNotPresent' }),
  },
  {
    controllers: ['Argo CD', 'Flux', 'Helm'],
    events: ['prune', 'delete'],
    source: 'argo-cd/controller/sync.go, kustomize-controller/internal/controller/kustomization_controller.go: prune',
    fate: ({ deployment, event }) => general(deployment, event),
  },
];

const NOT_COMPARED = 'IgnoreExtraneous';

/** Reports whether Argo CD does not compare an object that its source no longer has. */
export const isNotCompared = (object: KubeObject): boolean => listIn(object, COMPARE_OPTIONS).includes(NOT_COMPARED);

const general = ({ onPrune, onDelete }: Deployment, event: Event): Fate => (event === 'delete' ? onDelete : onPrune);

const isHelmKept = (object: KubeObject): boolean => annotationOf(object, HELM_POLICY) === 'keep';

/** The option of an object wins over that of its Application. */
function optioned(object: KubeObject, name: 'Prune' | 'Delete', general: Fate): Fate {
  if (general.why === MANUAL_PRUNE || general.word === 'suspended') return general;
  return syncOption(object, name) === undefined ? general : deleted('');
}

function prunedByArgo(object: KubeObject, deployment: Deployment, { confirmations }: Rest): Fate {
  const fate = optioned(object, 'Prune', deployment.onPrune);
  return isDeleted(fate) ? deleted(confirmations.ofPrune(object, deployment) ?? '') : fate;
}

function deletedByArgo(object: KubeObject, deployment: Deployment, { confirmations }: Rest): Fate {
  const fate = optioned(object, 'Delete', deployment.onDelete);
  return isDeleted(fate) ? deleted(confirmations.ofDeletion(object, deployment) ?? '') : fate;
}

/** Why an automated sync does not delete what its source no longer has (gitops-engine: pruneObject). */
export const MANUAL_PRUNE = 'automated.prune is not true';

/** Returns what happens to an object in the cluster; `undefined` for a change that is applied. */
export function fateOf(object: KubeObject, deployment: Deployment, event: Event, rest: Rest): Fate | undefined {
  const situation = { object, deployment, event, rest };
  for (const { controllers, events, fate } of ROWS) {
    if (!controllers.includes(deployment.controller) || !events.includes(event)) continue;
    const found = fate(situation);
    if (found === undefined) continue;
    const isOrphaned = found.word === 'kept' && annotationOf(object, DELETION_POLICY) === 'Orphaned';
    return isOrphaned && event !== 'change' ? { word: 'orphaned', why: 'deletionPolicy: Orphaned' } : found;
  }
  return undefined;
}

/** Returns what happens to an object that is no longer rendered. */
export const lossOfObject = (object: KubeObject, deployment: Deployment, event: 'prune' | 'delete', rest: Rest): Fate =>
  fateOf(object, deployment, event, rest) ?? general(deployment, event);

/**
 * Returns what happens to an object that its application no longer has. If the change sets a field that keeps the object,
 * its controller may act before that is applied.
 */
export function prunedFate(object: KubeObject, older: Deployment, newer: Deployment, rest: Rest): Fate {
  const fate = lossOfObject(object, newer, 'prune', rest);
  const earlier = lossOfObject(object, older, 'prune', rest);
  const isDeletedAtOnce = older.prunesItself && isDeleted(earlier) && earlier.why === '';
  if (isDeletedAtOnce && !isDeleted(fate)) return maybe('older', fate);
  // kustomize-controller forgets an object that it does not delete; Argo CD finds it again by its tracking id.
  const isForgotten = newer.controller === 'Flux' && older.syncsItself && earlier.word === 'orphaned';
  return isForgotten && isDeleted(fate) ? maybe('newer', earlier) : fate;
}

const isDeleted = ({ word }: Fate): boolean => word === 'deleted';

const maybe = (settings: 'older' | 'newer', otherwise: Fate): Fate => ({
  word: 'deleted',
  why: `if its controller acts with the ${settings} settings, else ${otherwise.word}: ${otherwise.why}`,
  may: true,
});

/** Reports whether the deletion of an Application of Argo CD deletes an object, once nothing waits any more. */
export function isDeletedByCascade(object: KubeObject, deployment: Deployment): boolean {
  const isExempt = groupKindOf(object) === CRD || syncOption(object, 'Delete') === 'false' || isHelmKept(object);
  return !isExempt && isDeleted(optioned(object, 'Delete', deployment.onDelete));
}

/** The types of hooks that Argo CD runs; it ignores an object with others (gitops-engine: pkg/sync/hook). */
const ARGO_HOOKS: readonly string[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'PreDelete', 'PostDelete'];

const listIn = (object: KubeObject, key: string): string[] =>
  (annotationOf(object, key) ?? '').split(',').map((one) => one.trim());

const isHelmHook = (object: KubeObject): boolean =>
  annotationOf(object, HELM_HOOK) !== undefined && annotationOf(object, HELM_HOOK) !== 'crd-install';

export function isArgoHook(object: KubeObject): boolean {
  const own = annotationOf(object, HOOK);
  if (own === undefined) return isHelmHook(object);
  return listIn(object, HOOK).some((type) => ARGO_HOOKS.includes(type));
}

/** The policies by which a hook is gone before it is created again. */
const RECREATED: readonly string[] = ['BeforeHookCreation', 'HookSucceeded', 'before-hook-creation', 'hook-succeeded'];

/** Reports whether an object is deleted before it is created again, so that each of its fields may change. */
export function isRecreated(object: KubeObject, { controller, recreates }: Deployment): boolean {
  if (generateNameOf(object) !== '') return true;
  if (controller === 'Flux') return recreates || fluxMarks(object, 'force').some((mark) => /^enabled$/i.test(mark));
  if (controller === 'Argo CD' && (recreates || isReplacedByForce(object))) return true;
  const isHook = controller === 'Helm' ? isHelmHook(object) : isArgoHook(object);
  if (!isHook) return false;
  const policies = ['argocd.argoproj.io/hook-delete-policy', 'helm.sh/hook-delete-policy']
    .filter((key) => controller !== 'Helm' || key.startsWith('helm.sh'))
    .flatMap((key) => listIn(object, key))
    .filter((one) => one !== '');
  return policies.length === 0 || policies.some((one) => RECREATED.includes(one));
}

/** Reports whether such an object is a hook or has a new name each time, so that nothing of it is lost. */
export const isNewEachTime = (object: KubeObject, { controller }: Deployment): boolean =>
  generateNameOf(object) !== '' || (controller !== 'Flux' && (isHelmHook(object) || isArgoHook(object)));

const isReplacedByForce = (object: KubeObject): boolean =>
  syncOption(object, 'Force') === 'true' && syncOption(object, 'Replace') === 'true';

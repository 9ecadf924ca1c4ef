import { titleOfReviewed } from '../../compare/diff/index.ts';
import type { Reviewed } from '../../compare/review/index.ts';
import { onceFor } from '../../core/model/lazily.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { ownWave } from '../../kubernetes/label/index.ts';
import type { Deployment } from './application.ts';
import { type Confirmations, isArgoHook, isDeletedByCascade } from './fates.ts';
import { syncOption } from './sync-options.ts';

type Option = 'Prune' | 'Delete';

/** The options that delay the deletion of an Application (argo-cd: isObjRequiresDeletionConfirmation), and a sync. */
const DELETION: readonly Option[] = ['Delete', 'Prune'];
const PRUNE: readonly Option[] = ['Prune'];

/** Returns what the change of an Application waits for, by its objects in the older version and those that it lacks now. */
export function createConfirmations(before: readonly Reviewed[], removed: readonly Reviewed[]): Confirmations {
  const deletionOf = onceFor((deployment: Deployment): string | undefined => {
    const holder = before.find(
      ({ object }) =>
        !isArgoHook(object) &&
        isDeletedByCascade(object, deployment) &&
        requirementOf(object, deployment, DELETION) !== undefined,
    );
    return holder && reasonForOthers(holder, deployment, DELETION);
  });
  const pruneOf = onceFor((deployment: Deployment) => createPruneBarrier(removed, deployment));
  return {
    ofDeletion: (object, deployment) => ownReason(object, deployment, DELETION) ?? deletionOf(deployment),
    ofPrune: (object, deployment) => {
      const barrier = pruneOf(deployment);
      if (barrier === undefined) return undefined;
      return ownReason(object, deployment, PRUNE) ?? (barrier.holdsPrune(object) ? barrier.why : undefined);
    },
    ofApply: (object, deployment) => {
      const barrier = pruneOf(deployment);
      return barrier?.holdsApply(object) === true ? barrier.why : undefined;
    },
  };
}

/** An option that requires a confirmation, of an object or of its Application. */
interface Requirement {
  option: Option;
  isOfObject: boolean;
}

/** Returns the first of some options that requires a confirmation: that of an object wins over that of its Application. */
function requirementOf(
  object: KubeObject,
  { confirms }: Deployment,
  options: readonly Option[],
): Requirement | undefined {
  for (const option of options) {
    const own = syncOption(object, option);
    if (own === 'confirm') return { option, isOfObject: true };
    if (own === undefined && confirms.includes(option)) return { option, isOfObject: false };
  }
  return undefined;
}

/** Returns why an object waits for its own confirmation. */
function ownReason(object: KubeObject, deployment: Deployment, options: readonly Option[]): string | undefined {
  const found = requirementOf(object, deployment, options);
  if (found === undefined) return undefined;
  return found.isOfObject ? `${found.option}=confirm` : `${found.option}=confirm of the Application`;
}

/** Returns why other objects wait for the confirmation of one. */
function reasonForOthers(holder: Reviewed, deployment: Deployment, options: readonly Option[]): string {
  const found = requirementOf(holder.object, deployment, options);
  if (found === undefined) return '';
  const by = found.isOfObject ? titleOfReviewed(holder) : 'the Application';
  return `${found.option}=confirm of ${by}`;
}

/** The wave of a sync that waits for a confirmation. */
interface PruneBarrier {
  why: string;
  holdsPrune: (object: KubeObject) => boolean;
  holdsApply: (object: KubeObject) => boolean;
}

/** Finds the first wave in which a sync deletes an object that waits (gitops-engine: getSyncTasks, runTasks). */
function createPruneBarrier(removed: readonly Reviewed[], deployment: Deployment): PruneBarrier | undefined {
  const pruned = removed.filter(({ object }) => !isArgoHook(object));
  const waveOf = createPruneWaves(
    pruned.map(({ object }) => object),
    deployment,
  );
  let first: { holder: Reviewed; wave: number } | undefined;
  for (const holder of pruned) {
    if (requirementOf(holder.object, deployment, PRUNE) === undefined) continue;
    const wave = waveOf(holder.object);
    if (first === undefined || wave < first.wave) first = { holder, wave };
  }
  if (first === undefined) return undefined;
  const { holder, wave } = first;
  return {
    why: reasonForOthers(holder, deployment, PRUNE),
    holdsPrune: (object) => waveOf(object) >= wave,
    holdsApply: (object) => !isArgoHook(object) && waveIn(object) >= wave,
  };
}

const waveIn = (object: KubeObject): number => ownWave(object) ?? 0;

/** Returns the waves in which objects are deleted: the reverse of those in which they were created, or the last one. */
function createPruneWaves(objects: readonly KubeObject[], { prunesLast }: Deployment): (object: KubeObject) => number {
  const waves = [...new Set(objects.map(waveIn))].sort((a, b) => a - b);
  const reversed = new Map(waves.map((wave, index) => [wave, waves[waves.length - 1 - index] ?? wave]));
  return (object) => {
    if (prunesLast || syncOption(object, 'PruneLast') === 'true') return Number.POSITIVE_INFINITY;
    const wave = waveIn(object);
    return reversed.get(wave) ?? wave;
  };
}

import { HELM_HOOK, HOOK } from '../../core/model/keys.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { get } from '../../core/model/value.ts';

/** The phases of a sync, in the order of Argo CD; `none` is for what no sync applies. */
export const PHASES = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'none'] as const;
export type Phase = (typeof PHASES)[number];

const HELM_HOOKS: Readonly<Record<string, Phase>> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
};

/**
 * Returns the first phase that applies an object (gitops-engine: sync/hook/hook.go, sync/sync_phase.go). Hooks of Helm
 * count if an object has none of Argo CD's. Hooks that run when an Application is deleted belong to no phase.
 */
export function phaseOf(object: KubeObject): Phase {
  const annotations = get(object.metadata, 'annotations');
  const ours = get(annotations ?? null, HOOK);
  const helms = get(annotations ?? null, HELM_HOOK);
  const isHook = ours !== undefined || (helms !== undefined && helms !== 'crd-install');
  if (!isHook) return 'Sync';
  const named = itemsOf(ours).filter((name) => name === 'Skip' || (PHASES as readonly string[]).includes(name));
  const phases = named.length > 0 ? named : itemsOf(helms).map((name) => HELM_HOOKS[name] ?? 'none');
  if (phases.length === 1 && phases[0] === 'Skip') return 'none';
  return PHASES.find((phase) => phases.includes(phase)) ?? 'none';
}

const itemsOf = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [];

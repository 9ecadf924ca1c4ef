/** The annotations by which Argo CD orders what it applies, its own and those of Helm that it reads. */
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
export const HOOK = 'argocd.argoproj.io/hook';
export const HELM_WEIGHT = 'helm.sh/hook-weight';
export const HELM_HOOK = 'helm.sh/hook';

export const ORDER_ANNOTATIONS: readonly string[] = [SYNC_WAVE, HOOK, HELM_WEIGHT, HELM_HOOK];

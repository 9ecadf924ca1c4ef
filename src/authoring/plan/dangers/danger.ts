import type { Text } from '../../../core/diagnostics/index.ts';

/** The codes of dangers, the worst first: each is a diagnostic code, which a render-rgd.yaml can disable. */
export const DANGERS = [
  'danger-data-loss',
  'danger-denied',
  'danger-destination',
  'danger-same-name',
  'danger-secret-deleted',
  'danger-application',
  'danger-access-wider',
  'danger-protection-removed',
  'danger-address-removed',
  'danger-host-removed',
  'danger-no-replicas',
  'breaking-change',
  'danger-immutable-field',
  'danger-volume-smaller',
  'danger-image-older',
  'danger-image-latest',
] as const;
type DangerCode = (typeof DANGERS)[number];

/** Something to review before a change is merged. */
export interface Danger {
  code: DangerCode;
  message: Text;
}

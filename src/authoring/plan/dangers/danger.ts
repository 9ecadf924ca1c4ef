import type { Text } from '../../../core/diagnostics/index.ts';

/** The codes of dangers: each is a diagnostic code, which a render-rgd.yaml can disable. */
type DangerCode =
  | 'breaking-change'
  | 'danger-data-loss'
  | 'danger-secret-deleted'
  | 'danger-immutable-field'
  | 'danger-image-latest'
  | 'danger-image-older'
  | 'danger-access-wider'
  | 'danger-no-replicas'
  | 'danger-host-removed'
  | 'danger-volume-smaller';

/** Something to review before a change is merged. */
export interface Danger {
  code: DangerCode;
  message: Text;
}

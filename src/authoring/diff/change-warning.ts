import type { Text } from '../../core/diagnostics/index.ts';

/**
 * Something to review before the change is applied. `data-loss` is about the data that the objects hold or claim,
 * `denied` about an admission policy.
 */
export interface ChangeWarning {
  kind: 'data-loss' | 'recreate' | 'denied';
  message: Text;
}

import type { Text } from '../../core/diagnostics/index.ts';

/** Something to review before the change is applied. `data-loss` is about the data that the objects hold or claim. */
export interface ChangeWarning {
  kind: 'data-loss' | 'recreate';
  message: Text;
}

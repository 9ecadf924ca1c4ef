import type { Diagnostic } from '../../core/diagnostics/index.ts';

/** Whether a diagnostic may be ignored or lowered: all but errors with which rendering fails. */
export const isSwitchable = ({ severity, code }: Diagnostic): boolean =>
  severity !== 'error' || code.startsWith('rendered-');

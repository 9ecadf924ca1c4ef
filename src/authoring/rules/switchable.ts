import type { Diagnostic } from '../../core/diagnostics/index.ts';

/** Reports whether a diagnostic may be ignored or lowered: all except errors that fail rendering. */
export const isSwitchable = ({ severity, code }: Diagnostic): boolean =>
  severity !== 'error' || code.startsWith('rendered-');

import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { counted } from '../../core/text/counted.ts';

/** Counts the diagnostics of each severity. */
export function countsOf(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number; infos: number } {
  const count = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((one) => one.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), infos: count('info') };
}

/** `3 errors and 1 warning`, or `nothing wrong`. `hidden` warnings are not printed, but counted. */
export function summaryOf(diagnostics: readonly Diagnostic[], hidden = 0): string {
  const { errors, warnings: shown } = countsOf(diagnostics);
  const warnings = shown + hidden;
  const parts = [counted(errors, 'error'), counted(warnings, 'warning')].filter((part) => !part.startsWith('0 '));
  return parts.length === 0 ? 'nothing wrong' : parts.join(' and ');
}

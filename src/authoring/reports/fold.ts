import type { Diagnostic } from '../../core/diagnostics/index.ts';

/** The maximum number of listed lines; others are counted. */
const MOST_LINES = 5;

/**
 * Keeps the first lint of each code in a file, with the number and the lines of the others. Other diagnostics are kept.
 */
export function foldLints(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    const key = keyOf(one);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return diagnostics.flatMap((one) => {
    const group = groups.get(keyOf(one) ?? '');
    if (group === undefined || group.length === 1) return [one];
    const [first, ...others] = group;
    return first === one ? [{ ...one, message: `${one.message} (${moreOf(others)})` }] : [];
  });
}

const keyOf = ({ stage, severity, code, file }: Diagnostic): string | undefined =>
  stage === 'lint' && file !== undefined ? [severity, code, file].join('\0') : undefined;

function moreOf(others: readonly Diagnostic[]): string {
  const lines = [...new Set(others.flatMap(({ line }) => line ?? []))];
  const shown = lines.slice(0, MOST_LINES).join(', ');
  const more = lines.length > MOST_LINES ? ', ...' : '';
  return `and ${others.length} more in this file, ${lines.length === 1 ? 'line' : 'lines'} ${shown}${more}`;
}

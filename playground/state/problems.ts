import type { Diagnostic } from '../../src/api/index.ts';

const placeOf = ({ code, file, line, object }: Diagnostic): string => JSON.stringify([code, file, line, object]);

/** Returns the diagnostics of a rendering, and those of a validation of the same files that it does not report. */
export function problemsOf(rendered: readonly Diagnostic[], checked: readonly Diagnostic[]): readonly Diagnostic[] {
  const known = new Set(rendered.map(placeOf));
  return [...rendered, ...checked.filter((one) => !known.has(placeOf(one)))];
}

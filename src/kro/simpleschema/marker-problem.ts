import type { Code } from '../../core/diagnostics/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';

/** What one marker found wrong. */
export interface MarkerProblem {
  code: Code;
  message: string;
  hint?: string;
  severity?: 'warning';
}

export function notBoolean(marker: string, value: string): MarkerProblem {
  return { code: 'marker-value', message: `${marker} is true or false, got: ${value}` };
}

export function notApplicable(marker: string, types: string, { type }: Schema, hint?: string): MarkerProblem {
  return withHint(
    { code: 'marker-not-applicable', message: `${marker} is for ${types} only, got type: ${type}` },
    hint,
  );
}

export const withHint = (problem: MarkerProblem, hint: string | undefined): MarkerProblem =>
  hint === undefined ? problem : { ...problem, hint };

import type { Code } from '../../diagnostics/index.ts';
import type { Schema } from '../../schema/index.ts';

/** What one marker found wrong. */
export interface Refusal {
  code: Code;
  message: string;
  hint?: string;
}

export function notBoolean(marker: string, value: string): Refusal {
  return { code: 'marker-value', message: `${marker} is true or false, got: ${value}` };
}

export function notApplicable(marker: string, types: string, { type }: Schema, hint?: string): Refusal {
  return withHint(
    { code: 'marker-not-applicable', message: `${marker} is for ${types} only, got type: ${type}` },
    hint,
  );
}

export const withHint = (refusal: Refusal, hint: string | undefined): Refusal =>
  hint === undefined ? refusal : { ...refusal, hint };

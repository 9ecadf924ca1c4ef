import { type Code, type Message, phrase, shown } from '../../core/diagnostics/index.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';

/** The error of one marker. */
export interface MarkerProblem {
  code: Code;
  message: Message;
  hint?: Message;
  severity?: 'warning';
}

export function notBoolean(marker: string, value: string): MarkerProblem {
  return { code: 'marker-value', message: phrase`${marker} is true or false, got: ${value}` };
}

export function notApplicable(marker: string, types: string, { type }: Schema, hint?: Message): MarkerProblem {
  return withHint(
    { code: 'marker-not-applicable', message: phrase`${marker} is for ${types} only, got type: ${shown(type ?? '')}` },
    hint,
  );
}

export const withHint = (problem: MarkerProblem, hint: Message | undefined): MarkerProblem =>
  hint === undefined ? problem : { ...problem, hint };

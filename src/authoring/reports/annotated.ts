import type { Diagnostic } from '../../core/diagnostics/index.ts';
import type { ReportInput } from './input.ts';

/** Selects diagnostics for annotations: documents that are not objects are included only with `--verbose`. */
export const annotated = ({ diagnostics, verbose = false }: ReportInput): readonly Diagnostic[] =>
  verbose ? diagnostics : diagnostics.filter(({ code }) => code !== 'not-an-object');

import type { Diagnostic } from '../../core/diagnostics/index.ts';
import type { ReportInput } from './input.ts';

/** What becomes an annotation of a line: documents that are no objects need nothing, so only `--verbose` shows them. */
export const annotated = ({ diagnostics, verbose = false }: ReportInput): readonly Diagnostic[] =>
  verbose ? diagnostics : diagnostics.filter(({ code }) => code !== 'not-an-object');

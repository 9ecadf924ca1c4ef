import { counted } from '../../core/text/counted.ts';
import { formatDiagnostics } from '../../yaml/locate/index.ts';
import { foldLints } from './fold.ts';
import type { ReportInput } from './input.ts';
import { summaryOf } from './summary.ts';

/** Returns the text report: the diagnostics with their lines, lints of one code in a file folded, and a summary. */
export function textReport({ diagnostics, files, sources, colors, verbose }: ReportInput): string {
  const objects = files.reduce((sum, file) => sum + file.objects.length, 0);
  const looked = `${counted(objects, 'object')} in ${counted(files.length, 'file')}`;
  const shown = verbose === true ? diagnostics : foldLints(diagnostics);
  return `${formatDiagnostics(shown, sources, colors)}${looked}: ${summaryOf(diagnostics)}\n`;
}

import { formatDiagnostics } from '../locate/index.ts';
import { counted } from '../text/counted.ts';
import type { ReportInput } from './input.ts';
import { summaryOf } from './summary.ts';

/** For people: every diagnostic with its line, and one line that sums up. */
export function textReport({ diagnostics, files, sources, colors }: ReportInput): string {
  const objects = files.reduce((sum, file) => sum + file.objects.length, 0);
  const looked = `${counted(objects, 'object')} in ${counted(files.length, 'file')}`;
  return `${formatDiagnostics(diagnostics, sources, colors)}${looked}: ${summaryOf(diagnostics)}\n`;
}

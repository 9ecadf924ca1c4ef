import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { counted } from '../../core/text/counted.ts';
import { formatDiagnostics, formatDiagnosticsJson } from '../../yaml/locate/index.ts';
import { githubReport } from './github.ts';
import type { ReportInput } from './input.ts';
import { junitReport } from './junit.ts';
import { sarifReport } from './sarif.ts';
import { summaryOf } from './summary.ts';

/** Returns the text report: the diagnostics with their lines, lints of one code in a file folded, and a summary. */
function textReport({ diagnostics, files, sources, colors, verbose, hidden = 0, instances }: ReportInput): string {
  const objects = files.reduce((sum, file) => sum + file.objects.length, 0);
  const looked = `${counted(objects, 'object')} in ${counted(files.length, 'file')}`;
  const shown = verbose === true ? diagnostics : foldLints(diagnostics);
  const { checked, all } = instances ?? { checked: 0, all: 0 };
  const unchecked = checked === all ? '' : `; ${checked} of ${all} instances checked`;
  return `${formatDiagnostics(shown, sources, colors)}${looked}: ${summaryOf(diagnostics, hidden)}${unchecked}\n`;
}

/** The maximum number of listed lines; others are counted. */
const MOST_LINES = 5;

/**
 * Keeps the first lint of each code in a file, with the number and the lines of the others. Other diagnostics are kept.
 */
function foldLints(diagnostics: readonly Diagnostic[]): Diagnostic[] {
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

/** Reports for programs contain every diagnostic. */
const complete =
  (write: (input: ReportInput) => string) =>
  (input: ReportInput): string =>
    write({ ...input, diagnostics: input.complete ?? input.diagnostics });

const writers = {
  text: textReport,
  json: complete(({ diagnostics }) => formatDiagnosticsJson(diagnostics)),
  sarif: complete(sarifReport),
  github: githubReport,
  junit: complete(junitReport),
} as const satisfies Record<string, (input: ReportInput) => string>;

export type ReportFormat = keyof typeof writers;

/** Returns the report in one format, including its last line break; '' if it is empty. */
export const writeReport = (format: ReportFormat, input: ReportInput): string => writers[format](input);

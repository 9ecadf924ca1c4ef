import { formatDiagnosticsJson } from '../../yaml/locate/index.ts';
import { githubReport } from './github.ts';
import type { ReportInput } from './input.ts';
import { junitReport } from './junit.ts';
import { sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

/** What a program reads has every diagnostic: it counts for itself. */
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

/** text, json, sarif, github, junit. */
export const reportFormats = Object.keys(writers) as readonly ReportFormat[];

/** The report in one format, complete with its last line break; '' where the format has nothing to say. */
export const writeReport = (format: ReportFormat, input: ReportInput): string => writers[format](input);

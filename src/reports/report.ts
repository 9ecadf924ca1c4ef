import { formatDiagnosticsJson } from '../locate/index.ts';
import { githubReport } from './github.ts';
import type { ReportInput } from './input.ts';
import { junitReport } from './junit.ts';
import { sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

const writers = {
  text: textReport,
  json: ({ diagnostics }: ReportInput) => formatDiagnosticsJson(diagnostics),
  sarif: sarifReport,
  github: githubReport,
  junit: junitReport,
} as const satisfies Record<string, (input: ReportInput) => string>;

export type ReportFormat = keyof typeof writers;

/** text, json, sarif, github, junit. */
export const reportFormats = Object.keys(writers) as readonly ReportFormat[];

/** The report in one format, complete with its last line break; '' where the format has nothing to say. */
export const writeReport = (format: ReportFormat, input: ReportInput): string => writers[format](input);

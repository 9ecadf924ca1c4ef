import { formatDiagnosticsJson } from '../../yaml/locate/index.ts';
import { githubReport } from './github.ts';
import type { ReportInput } from './input.ts';
import { junitReport } from './junit.ts';
import { sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

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

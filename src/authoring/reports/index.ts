export type { FileReport, ReportInput } from './input.ts';
export { DIAGNOSTICS_PAGE } from './page.ts';
export { type ReportFormat, writeReport } from './report.ts';
export { countsOf } from './summary.ts';

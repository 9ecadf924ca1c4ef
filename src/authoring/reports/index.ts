export type { FileReport, ReportInput } from './input.ts';
export { DIAGNOSTICS_PAGE } from './page.ts';
export { countsOf, type ReportFormat, writeReport } from './report.ts';

export { diagnosticsSchema } from './diagnostics-schema.ts';
export { DIAGNOSTICS_PAGE, type FileReport, type ReportInput, type SourceFix } from './input.ts';
export { countsOf, type ReportFormat, writeReport } from './report.ts';
export { unreadReports } from './unread.ts';
export { UNSEEN, verdictOf } from './verdict.ts';

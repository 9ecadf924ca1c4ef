export { formatDiagnostics, formatDiagnosticsJson } from './format.ts';
export { createLocator, type Locator, locationOf } from './locate.ts';
export { toDiagnostic } from './resolve.ts';
export { diagnosticsOf, shownReports, toDiagnostics } from './shown.ts';

export { diagnosticsOf, shownReports, toDiagnostic, toDiagnostics } from './diagnostics.ts';
export { formatDiagnostics, formatDiagnosticsJson } from './format.ts';
export { createLocator, type Locator, locationOf } from './locate.ts';

export { brief } from './brief.ts';
export { type Code, codeEntries, codeEntry, type Stage } from './codes.ts';
export { Collector, MAX_ERRORS } from './collector.ts';
export { conceal, concealSecrets, quotesNothing, UNSAID, withoutValuesOf } from './conceal.ts';
export { condense, wanted } from './condense.ts';
export {
  DIAGNOSTIC_FIELDS,
  type Diagnostic,
  hasErrors,
  isError,
  type Problem,
  type Report,
  type Severity,
} from './diagnostic.ts';
export { type Reporter, reportAgain, reporterFor } from './reporter.ts';
export { waitsLast } from './waits-last.ts';

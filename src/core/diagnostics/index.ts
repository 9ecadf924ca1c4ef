export { type Code, codes, type Stage } from './codes.ts';
export { Collector, MAX_ERRORS } from './collector.ts';
export { condense, condenseWith, wanted } from './condense.ts';
export { withoutConsequences } from './consequences.ts';
export {
  DIAGNOSTIC_FIELDS,
  type Diagnostic,
  hasErrors,
  isError,
  type Listed,
  type Problem,
  type Related,
  type RelatedPlace,
  type Report,
  type Severity,
} from './diagnostic.ts';
export type { Foldable } from './listed.ts';
export {
  composeText,
  format,
  HIDDEN,
  joinTexts,
  Message,
  phrase,
  phraseIf,
  publicText,
  quote,
  shown,
  shownIf,
  type Text,
} from './message.ts';
export { isPending, pendingLast } from './pending.ts';
export { hideValues, redact, redactSecrets, show, UNSAID } from './redact.ts';
export { type Reporter, reportAgain, reporterFor, shownNamespaceOf, shownTitleOf, titleText } from './reporter.ts';
export { toReport } from './to-report.ts';

export type { Hint, Remedy, RemedyKind, RemedyOf } from '../text/hint.ts';
export { askFor, hint } from '../text/hint.ts';
export { ARGUMENTS, ARGUMENTS_OF_CODES, type ArgumentName } from './arguments.ts';
export * from './diagnostic.ts';
export { condense, condenseByObject, condenseWith, type Foldable } from './fold.ts';
export { joinReports, wanted, withoutConsequences } from './lists.ts';
export * from './message.ts';
export { isPending, pendingLast } from './pending.ts';
export { hideValues, redact, redactSecrets, show, UNSAID } from './redact.ts';
export { nothingFound, toReport, unplaced, worded } from './report.ts';
export { type Reporter, reportAgain, reporterFor } from './reporter.ts';
export {
  addressText,
  fullTitle,
  type HiddenTitle,
  hiddenTitleOf,
  hiddenTitleOfRendered,
  hidesName,
  namespaceText,
  nameText,
  shownNamespaceOf,
  shownTitleOf,
  titleText,
} from './title.ts';

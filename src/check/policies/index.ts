export { compilePolicies } from './compile.ts';
export { DecisionLedger } from './decisions.ts';
export { policyEnvironment } from './environment.ts';
export { type PolicyInput, type UserOptions, userOf } from './input.ts';
export type { Operation } from './match.ts';
export { isPolicy, isPolicyKind, mayAlsoReject } from './read.ts';
export { Denials, type Denied, denialText, fieldOf, problemOf, Undecided, withOrigin } from './report.ts';
export { inspectPolicy, policyScope } from './types.ts';

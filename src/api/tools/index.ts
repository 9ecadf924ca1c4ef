/** The tools for authors as a library: the commands for RGDs other than rendering. */

export type { ChangeWarning } from '../../authoring/diff/index.ts';
export type {
  Evaluated,
  ExplainedExpression,
  ExplainedField,
  ExplainedInstance,
  ExplainedNode,
  ExplainedSet,
  Explanation,
  Location,
  Origin,
  Verdict,
} from '../../authoring/explain/index.ts';
export type { Coverage, CoverageItem, ExpectedDiagnostic, Measure } from '../../authoring/golden/index.ts';
export type { Picture, PictureNode, State } from '../../authoring/graph/index.ts';
export type { Code as DiagnosticCode, Diagnostic, Severity, Stage } from '../../core/diagnostics/index.ts';
export type { VersionsInput } from '../package.ts';
export type {
  JsonValue,
  KubernetesObject,
  ObjectSource,
  RenderInput,
  RenderOptions,
  Source,
  TextSource,
} from '../types.ts';
export { type AllowedChange, type CompatInput, type CompatOptions, type CompatResult, compat } from './compat.ts';
export {
  type DiffOptions,
  type DiffResult,
  type DiffSide,
  diff,
  type FieldDiff,
  formatDiff,
  type ObjectDiff,
} from './diff.ts';
export { type ExplainQuestion, type ExplainResult, explain, formatExplanation } from './explain.ts';
export { type DrawOptions, formatGraph, type GraphOptions, type GraphResult, graph } from './graph.ts';
export * from './offers.ts';
export * from './test.ts';

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
export * from './ask.ts';
export * from './compare.ts';

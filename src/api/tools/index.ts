/** The tools for authors as a library: the commands for RGDs other than rendering. */

export type { ExtractReport, FieldReport } from '../../author/extract/index.ts';
export type { ExpectedDiagnostic } from '../../author/golden/index.ts';
export type { ChangeWarning } from '../../compare/diff/index.ts';
export type { Code as DiagnosticCode, Diagnostic, Severity, Stage } from '../../core/diagnostics/index.ts';
export type { Coverage, CoverageItem, Measure } from '../../describe/coverage/index.ts';
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
} from '../../describe/explain/index.ts';
export type { Picture, PictureNode, State } from '../../describe/graph/index.ts';
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
export * from './extract.ts';

import { type Code, type Message, type Problem, phrase } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import type { KubernetesRelease } from '../../core/model/render.ts';
import type { Path } from '../../core/model/value.ts';
import type { InputUse } from '../../flux/index.ts';
import type { CompiledExpression, Graph, GraphNode } from '../../kro/compile/index.ts';
import type { Definition } from '../../kro/definition/index.ts';
import type { CelType, CheckedExpression, Expr } from '../../languages/cel/index.ts';

/** A valid RGD, with all of its expressions. */
export interface Subject {
  graph: Graph;
  definition: Definition;
  /** The release of Kubernetes; undefined if a cluster's document has its kinds. */
  release: KubernetesRelease | undefined;
  expressions: readonly LintedExpression[];
  /** The instances in the package, as written, and those that other RGDs render. */
  instances: readonly KubeObject[];
}

export interface LintedExpression {
  expression: CompiledExpression;
  checked: CheckedExpression;
  place: NodePart;
  /** The node; undefined in the status. */
  node: GraphNode | undefined;
}

export type NodePart = 'template' | 'includeWhen' | 'forEach' | 'readyWhen' | 'status';

/** Allowed input that is probably not intended. */
export type LintProblem = Omit<Problem, 'code' | 'severity'> & { node?: GraphNode | undefined };

export type Lint = (subject: Subject) => Iterable<LintProblem>;

export const typeOf = ({ checked }: LintedExpression, expr: Expr): CelType =>
  checked.types.get(expr.id) ?? { kind: 'dyn' };

/** Returns a finding at an offset in an expression. */
export const at = (
  { expression, node }: Pick<LintedExpression, 'expression' | 'node'>,
  { offset }: { offset: number },
  message: Message,
  hint?: Message,
): LintProblem => ({
  message: phrase`${message}`,
  path: expression.path,
  offset: expression.offset + offset,
  node,
  ...(hint === undefined ? {} : { hint: phrase`${hint}` }),
});

export const insideTemplate = ({ expression: { path }, place }: LintedExpression): Path | undefined =>
  place === 'template' ? path.slice(4) : undefined;

export type LintCode = Extract<Code, `lint-${string}`>;

/** Lints of ResourceSets; all others are of RGDs. */
export type SetLintCode = 'lint-unread-input';

export type SetLint = (use: InputUse) => Iterable<Omit<LintProblem, 'node'>>;

import type { Overload } from '../library.ts';
import type { ParsedExpression } from '../parse/index.ts';
import type { CelType } from '../types.ts';

/** The meaning of a name. */
export type Resolved =
  | { kind: 'variable'; name: string }
  | { kind: 'local'; name: string }
  | { kind: 'type'; type: CelType };

/** A type-checked expression, with the results for each node, by node id. */
export interface CheckedExpression {
  readonly parsed: ParsedExpression;
  /** The type of the whole expression. */
  readonly type: CelType;
  readonly types: ReadonlyMap<number, CelType>;
  /** The possible overloads of a call: one, unless dyn arguments leave several. */
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  /** Identifiers, and selections that form a qualified name. */
  readonly names: ReadonlyMap<number, Resolved>;
}

export interface ResolvedCall {
  readonly name: string;
  /** The target is a namespace (`lists` in `lists.range(3)`), not an argument. */
  readonly namespaced: boolean;
  readonly overloads: readonly Overload[];
}

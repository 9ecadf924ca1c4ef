import type { Overload } from '../library.ts';
import type { ParsedExpression } from '../parse/index.ts';
import type { CelType } from '../types.ts';

/** What a name stands for. */
export type Resolved =
  | { kind: 'variable'; name: string }
  | { kind: 'local'; name: string }
  | { kind: 'type'; type: CelType };

/** An expression whose types are right, with what was found out about each node, by node id. */
export interface CheckedExpression {
  readonly parsed: ParsedExpression;
  /** The type of the whole. */
  readonly type: CelType;
  readonly types: ReadonlyMap<number, CelType>;
  /** The overloads that a call may turn out to be: one, unless dyn arguments leave it open. */
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  /** Identifiers, and selections that spell a qualified name. */
  readonly names: ReadonlyMap<number, Resolved>;
}

export interface ResolvedCall {
  readonly name: string;
  /** The target is a namespace (`lists` in `lists.range(3)`), not an argument. */
  readonly namespaced: boolean;
  readonly overloads: readonly Overload[];
}

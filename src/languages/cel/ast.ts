/**
 * The syntax tree of an expression. Macros are expanded into comprehensions, as in cel-go, so that the checker has one
 * kind of loop; `Comprehension.macro` keeps the meaning of the loop, which the planner runs instead.
 */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension;

interface Node {
  /** Unique in its expression, from 0. */
  readonly id: number;
  /** The displayed position, in UTF-16 units of the source. */
  readonly offset: number;
  /** The height of the tree below, 1 for a leaf. */
  readonly height: number;
}

export type LiteralValue =
  | { readonly type: 'null'; readonly value: null }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly literal: LiteralValue;
}

/** A name; with a leading dot it is resolved outside of every comprehension. */
export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** `a.b`; `a.?b` when optional; `has(a.b)` when a test. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly optional: boolean;
  readonly test: boolean;
}

/** A function or operator (`_+_`, `_[_]`, `_[?_]`, `_?_:_`); `&&` and `||` take two or more arguments. */
export interface Call extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly { readonly value: Expr; readonly optional: boolean }[];
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

/** `type.name{field: value}`. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: Expr; readonly optional: boolean }[];
}

/** What a comprehension does, in terms of its own sub-expressions. */
export type MacroPlan =
  | { readonly does: 'all' | 'exists' | 'existsOne'; readonly predicate: Expr }
  | { readonly does: 'list'; readonly filter: Expr | undefined; readonly transform: Expr }
  | { readonly does: 'map'; readonly filter: Expr | undefined; readonly transform: Expr }
  | { readonly does: 'mapEntry'; readonly filter: Expr | undefined; readonly transform: Expr }
  /** `written`: by `cel.bind`, not by another macro with a variable of its own. */
  | { readonly does: 'bind'; readonly written: boolean };

export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  /** The value in a two-variable comprehension; `variable` is then the index or key. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
  readonly macro: MacroPlan;
}

/** Returns `a`, `a.b`, `.a.b` as one name; `undefined` for others. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.optional || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** The sub-expressions, in the order in which the checker visits them. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements.map((element) => element.value);
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}

/** The sub-expressions as written: the parts of a macro instead of its loop. What a variable stands for comes first. */
export function writtenParts(expr: Expr): readonly Expr[] {
  if (expr.kind !== 'comprehension') return children(expr);
  const { macro } = expr;
  if (macro.does === 'bind') return [expr.init, expr.result];
  const parts = 'predicate' in macro ? [macro.predicate] : [macro.filter, macro.transform];
  return [expr.range, ...parts.filter((part) => part !== undefined)];
}

/** Returns an expression and all of its sub-expressions, in the order of `children`. */
export function* subExpressions(expr: Expr): Generator<Expr> {
  yield expr;
  for (const child of children(expr)) yield* subExpressions(child);
}

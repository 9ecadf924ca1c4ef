import type { Hint, Remedy } from '../../core/text/hint.ts';

/** The syntax tree of an expression. A macro that is a loop is one node, unlike in cel-go, which expands it. */
export type Expr = Literal | Ident | Select | Call | ListExpr | MapExpr | StructExpr | Comprehension | Bind;

/** A node without what the parser adds. */
export type Parts = Expr extends infer E ? (E extends Expr ? Omit<E, keyof Node> : never) : never;

interface Node {
  /** Unique in its expression, from 0. */
  readonly id: number;
  /** The displayed position, in UTF-16 units of the source. */
  readonly offset: number;
  /** The text of the node in the source. */
  readonly start: number;
  readonly end: number;
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

/** A loop over the items of a list or the entries of a map, which creates a boolean, a list or a map. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly does: 'all' | 'exists' | 'existsOne' | 'list' | 'map' | 'mapEntry';
  readonly range: Expr;
  readonly variable: string;
  /** The value in a two-variable comprehension; `variable` is then the index or key. */
  readonly variable2: string | undefined;
  readonly filter: Expr | undefined;
  /** The condition, or what an item becomes. */
  readonly body: Expr;
}

/** A name for a value in another expression; the value is evaluated on first use. */
export interface Bind extends Node {
  readonly kind: 'bind';
  readonly name: string;
  readonly init: Expr;
  readonly body: Expr;
  /** By `cel.bind`, not by another macro with a variable of its own. */
  readonly written: boolean;
}

/** Returns `a`, `a.b`, `.a.b` as one name; `undefined` for others. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.optional || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** The sub-expressions. What a variable stands for comes first. */
export function children(expr: Expr | Parts): readonly Expr[] {
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
      return expr.filter === undefined ? [expr.range, expr.body] : [expr.range, expr.filter, expr.body];
    case 'bind':
      return [expr.init, expr.body];
  }
}

/** Returns an expression and all of its sub-expressions, in the order of `children`. */
export function* subExpressions(expr: Expr): Generator<Expr> {
  yield expr;
  for (const child of children(expr)) yield* subExpressions(child);
}

/** An error of an expression that is known before it runs. */
export interface CelIssue {
  message: string;
  /** Counts UTF-16 units from the start of the expression. */
  offset: number;
  hint?: Hint;
  /** What to do, besides what the hint says. */
  remedies?: readonly Remedy[];
  /** Whether the message may quote a literal of the expression. Others have only names and types. */
  mayQuoteLiteral?: boolean;
}

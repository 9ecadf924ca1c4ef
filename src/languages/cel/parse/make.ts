import { children, type Expr, type Parts } from '../ast.ts';
import { CelSyntaxError, type TokenStream } from './lexer.ts';

export interface ParseLimits {
  /** The nesting of parentheses, brackets, braces, calls and unary operators. */
  maxDepth: number;
  /** The height of the syntax tree, including operator chains such as `a + b + c`. */
  maxHeight: number;
  /** In code points. */
  maxLength: number;
  maxNodes: number;
}

/** The state of one parse. */
export interface Parser {
  readonly tokens: TokenStream;
  readonly limits: ParseLimits;
  /** Missing parts become holes, names or fields that are ''. */
  readonly recovers: boolean;
  depth: number;
  /** The number of created nodes. */
  nodes: number;
}

/** Creates a node that ends with the last token that was read, and limits the height of the tree for later steps. */
export function make(p: Parser, offset: number, parts: Parts, start = offset): Expr {
  let height = 1;
  for (const part of children(parts)) height = Math.max(height, part.height + 1);
  const { maxHeight } = p.limits;
  if (height > maxHeight) throw new CelSyntaxError(`expression is nested too deeply (limit ${maxHeight})`, offset);
  return { id: p.nodes++, offset, start, end: p.tokens.end(), height, ...parts };
}

export const operation = (p: Parser, offset: number, name: string, args: readonly Expr[], start = offset): Expr =>
  make(p, offset, { kind: 'call', name, target: undefined, args }, start);

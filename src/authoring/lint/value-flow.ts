import { type Expr, qualifiedName } from '../../languages/cel/index.ts';

/** Functions whose value depends on their receiver and arguments. */
const USES_ALL_ARGUMENTS = new Set([
  ...['_+_', '_-_', '_*_', '_/_', '_%_', '-_', 'string', 'int', 'uint', 'double', 'dyn'],
  ...['format', 'join', 'optional.of', 'or', 'orValue', 'value'],
]);

/** Functions whose value depends on their receiver only. */
const USES_TARGET = new Set(['lowerAscii', 'upperAscii', 'trim', 'replace', 'reverse', 'value']);

/** Returns the name of a function with its namespace: `lists.range`. */
export function functionName(expr: Extract<Expr, { kind: 'call' }>): string {
  const prefix = expr.target === undefined ? undefined : qualifiedName(expr.target);
  return prefix === 'lists' || prefix === 'optional' || prefix === 'hash' || prefix === 'json' || prefix === 'sets'
    ? `${prefix}.${expr.name}`
    : expr.name;
}

/**
 * Returns the parts of an expression of which its value consists: not conditions, nor parts that are only compared,
 * counted or used as a key. `scope` contains the meaning of variables that are bound inside.
 */
export function* valueParts(expr: Expr, scope: ReadonlyMap<string, Expr> = new Map()): Iterable<Expr> {
  yield expr;
  switch (expr.kind) {
    case 'ident': {
      const bound = scope.get(expr.name);
      if (bound !== undefined) yield* valueParts(bound);
      return;
    }
    case 'list':
      for (const { value } of expr.elements) yield* valueParts(value, scope);
      return;
    case 'comprehension':
      if (expr.macro.does === 'bind') {
        yield* valueParts(expr.result, new Map([...scope, [expr.accumulator, expr.init]]));
      } else if (expr.macro.does === 'list') yield* valueParts(expr.macro.transform, scope);
      return;
    case 'call': {
      const name = functionName(expr);
      const [, yes, no] = expr.args;
      if (name === '_?_:_' && yes !== undefined && no !== undefined) {
        yield* valueParts(yes, scope);
        yield* valueParts(no, scope);
      } else if (USES_ALL_ARGUMENTS.has(name) || name.startsWith('hash.')) {
        if (expr.target !== undefined && !name.includes('.')) yield* valueParts(expr.target, scope);
        for (const arg of expr.args) yield* valueParts(arg, scope);
      } else if (USES_TARGET.has(name) && expr.target !== undefined) yield* valueParts(expr.target, scope);
      return;
    }
    default:
  }
}

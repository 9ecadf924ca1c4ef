import type {
  Call,
  Comprehension,
  Expr,
  Ident,
  ListExpr,
  Literal,
  LiteralValue,
  MacroPlan,
  MapEntry,
  Select,
} from '../ast.ts';

/** An error that ends parsing; it is not visible outside of this folder. */
export class CelSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/** The parts of a comprehension besides its position. */
export interface Loop {
  range: Expr;
  variable: string;
  variable2?: string;
  accumulator: string;
  init: Expr;
  condition: Expr;
  step: Expr;
  result: Expr;
  macro: MacroPlan;
}

/** Creates syntax nodes with ids, and limits the height of the tree for later steps. */
export interface NodeFactory {
  literal(offset: number, literal: LiteralValue): Literal;
  ident(offset: number, name: string): Ident;
  select(offset: number, operand: Expr, field: string, how: 'plain' | 'optional' | 'test'): Select;
  call(offset: number, name: string, args: readonly Expr[], target?: Expr): Call;
  list(offset: number, elements: ListExpr['elements']): ListExpr;
  map(offset: number, entries: readonly MapEntry[]): Expr;
  struct(offset: number, name: string, fields: readonly { name: string; value: Expr; optional: boolean }[]): Expr;
  comprehension(offset: number, loop: Loop): Comprehension;
  /** Returns the number of created nodes. */
  count(): number;
}

export function nodeFactory(maxHeight: number): NodeFactory {
  let count = 0;
  const base = (offset: number, parts: readonly (Expr | undefined)[]) => {
    let height = 0;
    for (const part of parts) if (part !== undefined && part.height > height) height = part.height;
    if (height >= maxHeight) throw new CelSyntaxError(`expression is nested too deeply (limit ${maxHeight})`, offset);
    return { id: count++, offset, height: height + 1 };
  };
  return {
    literal: (offset, literal) => ({ kind: 'literal', ...base(offset, []), literal }),
    ident: (offset, name) => ({ kind: 'ident', ...base(offset, []), name }),
    select: (offset, operand, field, how) => ({
      kind: 'select',
      ...base(offset, [operand]),
      operand,
      field,
      optional: how === 'optional',
      test: how === 'test',
    }),
    call: (offset, name, args, target) => ({ kind: 'call', ...base(offset, [target, ...args]), name, target, args }),
    list: (offset, elements) => ({
      kind: 'list',
      ...base(
        offset,
        elements.map(({ value }) => value),
      ),
      elements,
    }),
    map: (offset, entries) => ({
      kind: 'map',
      ...base(
        offset,
        entries.flatMap(({ key, value }) => [key, value]),
      ),
      entries,
    }),
    struct: (offset, name, fields) => ({
      kind: 'struct',
      ...base(
        offset,
        fields.map(({ value }) => value),
      ),
      name,
      fields,
    }),
    comprehension: (offset, loop) => ({
      kind: 'comprehension',
      ...base(offset, [loop.range, loop.init, loop.condition, loop.step, loop.result]),
      ...loop,
      variable2: loop.variable2,
    }),
    count: () => count,
  };
}

import {
  type CelType,
  children,
  DYN,
  type Expr,
  type InspectedExpression,
  subExpressions,
  tokenize,
} from '../../languages/cel/index.ts';

export interface NameAt {
  expr: Expr;
  name: string;
  /** In UTF-16 units of the source; `end` is after it. */
  offset: number;
  end: number;
  /** `field` is after a dot. */
  role: 'variable' | 'local' | 'field' | 'function' | 'method';
  type: CelType;
  /** The part before the dot. */
  operand: Expr | undefined;
}

/** Returns every name of an expression, in order, without those of expanded macros. */
export function namesIn({ parsed, types, loops }: InspectedExpression): NameAt[] {
  const found = new Map<string, NameAt>();
  const put = (one: Omit<NameAt, 'end' | 'type'>): void => {
    const key = `${one.offset} ${one.name}`;
    if (/^[@#]/.test(one.name) || found.has(key)) return;
    const quoted = parsed.source[one.offset] === '`' ? 2 : 0;
    found.set(key, { ...one, end: one.offset + one.name.length + quoted, type: types.get(one.expr.id) ?? DYN });
  };
  const visit = (expr: Expr, locals: ReadonlyMap<string, CelType>): void => {
    if (expr.kind === 'ident') {
      const name = expr.name.replace(/^\./, '');
      put({ expr, name, offset: expr.offset, role: locals.has(name) ? 'local' : 'variable', operand: undefined });
    } else if (expr.kind === 'select') {
      put({ expr, name: expr.field, offset: expr.offset, role: 'field', operand: expr.operand });
    } else if (expr.kind === 'call' && /^\.?[A-Za-z]/.test(expr.name)) {
      const role = expr.target === undefined ? 'function' : 'method';
      put({ expr, name: expr.name.replace(/^\./, ''), offset: expr.offset, role, operand: expr.target });
    }
    const [first, ...others] = children(expr);
    const isLoop = expr.kind === 'comprehension' || expr.kind === 'bind';
    const macro = isLoop ? macroAt(parsed.source, expr.offset) : undefined;
    if (macro !== undefined) put({ expr, name: macro, offset: expr.offset, role: 'method', operand: first });
    if (first !== undefined) visit(first, locals);
    const inner = isLoop ? new Map([...locals, ...(loops.get(expr.id) ?? [])]) : locals;
    for (const child of others) visit(child, inner);
  };
  visit(parsed.root, new Map());
  return [...found.values()].sort((a, b) => a.offset - b.offset);
}

const macroAt = (source: string, offset: number): string | undefined =>
  /^[A-Za-z]\w*/.exec(source.slice(offset, offset + 60))?.[0];

/** Returns the name at an offset, or directly before it. */
export const nameAt = (names: readonly NameAt[], offset: number): NameAt | undefined =>
  names.find((one) => offset >= one.offset && offset < one.end) ?? names.find((one) => offset === one.end);

/** Returns the variables of comprehensions that are visible at an offset. */
export function localsAt({ parsed, loops }: InspectedExpression, offset: number): ReadonlyMap<string, CelType> {
  const locals = new Map<string, CelType>();
  const tokens = tokenize(parsed.source, { recovers: true });
  for (const expr of subExpressions(parsed.root)) {
    const open = loops.has(expr.id) ? tokens.findIndex((one) => one.offset >= expr.offset && one.text === '(') : -1;
    const from = tokens[open];
    const to = tokens[closing(tokens, open)];
    if (from === undefined || offset <= from.offset || (to !== undefined && offset > to.offset)) continue;
    for (const [name, type] of loops.get(expr.id) ?? []) if (!/^[@#]/.test(name)) locals.set(name, type);
  }
  return locals;
}

/** Returns the index of the token that closes a bracket; -1 if none does. */
export function closing(tokens: readonly { text: string }[], open: number): number {
  let depth = 0;
  return tokens.findIndex(({ text }, index) => {
    if (index < open) return false;
    if (/^[([{]$/.test(text)) depth += 1;
    else if (/^[)\]}]$/.test(text)) depth -= 1;
    return depth === 0;
  });
}

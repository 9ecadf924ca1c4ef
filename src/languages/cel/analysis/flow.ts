import { EACH, type Read, type Source, type Step } from '../../../core/model/read.ts';
import { type Call, type Comprehension, children, type Expr, qualifiedName } from '../ast.ts';
import { rawFieldName } from '../types.ts';

/*
 * What the value of an expression comes from. Every tool asks here, without running the expression: the order of nodes,
 * pending values, values of Secrets, explanations and lints.
 */

/** The sources of a sub-expression; a computed value has none. */
export interface Flow {
  readonly sources: readonly Source[];
  /** The sources of the elements, if the list is a literal in the expression. */
  readonly elements?: Flow;
}

const NOWHERE: Flow = { sources: [] };

function union(flows: readonly Flow[]): Flow {
  const sources = flows.flatMap((flow) => flow.sources);
  const elements = flows.flatMap((flow) => flow.elements ?? []);
  return elements.length === 0 ? { sources } : { sources, elements: union(elements) };
}

/** Moves a flow to the position of a name that stands for it. */
const movedTo = (offset: number, { sources, elements }: Flow): Flow => ({
  sources: sources.map((source) => ({ ...source, offset })),
  ...(elements && { elements: movedTo(offset, elements) }),
});

/** Adds a step: into a field, or into the elements. */
export function into(flow: Flow, step: Step, optional: boolean): Flow {
  const sources = flow.sources.map((source): Source => {
    const { path, needed } = source;
    const isNeeded = !optional && needed === path.length;
    return { ...source, path: [...path, step], needed: isNeeded ? needed + 1 : needed };
  });
  return typeof step === 'string' || flow.elements === undefined ? { sources } : union([{ sources }, flow.elements]);
}

/** An expression as a start, and the fields and literal indexes from there: `a.b[0]`, `f(x).c`. */
interface Chain {
  start: Expr;
  path: readonly (string | number)[];
  /** No step is optional, or a test of existence. */
  isPlain: boolean;
}

export function chainOf(expr: Expr): Chain {
  const path: (string | number)[] = [];
  let isPlain = true;
  let start = expr;
  for (let step = stepOf(start); step !== undefined; step = stepOf(start)) {
    path.push(step.key);
    isPlain &&= step.isPlain;
    start = step.operand;
  }
  return { start, path: path.reverse(), isPlain };
}

function stepOf(expr: Expr): { operand: Expr; key: string | number; isPlain: boolean } | undefined {
  if (expr.kind === 'select') return { operand: expr.operand, key: expr.field, isPlain: !expr.optional && !expr.test };
  const [operand, index] = isIndex(expr) ? expr.args : [];
  const key = literalIndex(index);
  return operand === undefined || key === undefined
    ? undefined
    : { operand, key, isPlain: expr.kind === 'call' && expr.name === '_[_]' };
}

const isIndex = (expr: Expr): expr is Call => expr.kind === 'call' && (expr.name === '_[_]' || expr.name === '_[?_]');

/** Returns the key or index of a literal; `undefined` for other expressions. */
function literalIndex(expr: Expr | undefined): string | number | undefined {
  const value = expr?.kind === 'literal' ? expr.literal.value : undefined;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Reports whether a name occurs in an expression; with a leading dot it is the same name. */
export const mentions = (expr: Expr, name: string): boolean =>
  (expr.kind === 'ident' && expr.name.replace(/^\./, '') === name) || children(expr).some((one) => mentions(one, name));

interface Reads {
  reads: readonly Read[];
  value: Flow;
}

type Scope = ReadonlyMap<string, Flow>;

/**
 * Traces values through an expression: a variable of a comprehension stands for the elements of its list, so that
 * `subnets.map(s, s.status.id)` reads `subnets[*].status.id`. A value that is passed to a function is read completely.
 */
export function readsIn(expression: Expr, scope: Scope = new Map()): Reads {
  const tracer = new ReadTracer();
  const value = tracer.visit(expression, scope);
  return { reads: tracer.reads, value };
}

/** Collects the reads of an expression, while it follows where the values of its parts come from. */
class ReadTracer {
  readonly reads: Read[] = [];

  /** Returns where the value of an expression comes from. */
  visit(expr: Expr, names: Scope): Flow {
    switch (expr.kind) {
      case 'ident': {
        const bound = names.get(expr.name);
        if (bound !== undefined) return movedTo(expr.offset, bound);
        return { sources: [{ root: expr.name.replace(/^\./, ''), path: [], needed: 0, offset: expr.offset }] };
      }
      case 'select': {
        const field = into(this.visit(expr.operand, names), rawFieldName(expr.field), expr.optional);
        if (!expr.test) return field;
        this.#look(field, false, true);
        return NOWHERE;
      }
      case 'call':
        return this.#call(expr, names);
      case 'list': {
        const elements = expr.elements.map(({ value }) => this.visit(value, names));
        return { sources: [], elements: union(elements) };
      }
      case 'comprehension':
        return this.#loop(expr, names);
      case 'bind':
        return this.visit(expr.body, new Map(names).set(expr.name, this.visit(expr.init, names)));
      default:
        for (const child of children(expr)) this.#consume(child, names);
        return NOWHERE;
    }
  }

  /** Adds the reads of a value: of all of it, or of its existence. */
  #look(flow: Flow, whole: boolean, tested = false): void {
    for (const source of flow.sources) {
      const needed = tested ? Math.min(source.needed, Math.max(0, source.path.length - 1)) : source.needed;
      this.reads.push({ ...source, needed, whole });
    }
    if (flow.elements !== undefined) this.#look(flow.elements, whole, tested);
  }

  /** Reads the value of an expression completely: what is computed from it has no source. */
  #consume(expr: Expr, names: Scope): Flow {
    this.#look(this.visit(expr, names), true);
    return NOWHERE;
  }

  #call(expr: Call, names: Scope): Flow {
    const [first, second, third] = expr.args;
    const { target } = expr;
    if (isIndex(expr) && first !== undefined && second !== undefined) return this.#index(expr, first, second, names);
    if (expr.name === '_?_:_' && first !== undefined && second !== undefined && third !== undefined) {
      this.#consume(first, names);
      return union([this.visit(second, names), this.visit(third, names)]);
    }
    if (expr.name === '@sortByAssociatedKeys' && target !== undefined && first !== undefined) {
      this.#consume(first, names);
      return this.visit(target, names);
    }
    if (HANDS_ON.has(expr.name)) return union(operands(expr).map((operand) => this.visit(operand, names)));
    if (ONE_ELEMENT.has(expr.name) && target !== undefined) return into(this.visit(target, names), EACH, true);
    if (expr.name === 'size') return this.#size(expr, names);
    for (const operand of operands(expr)) {
      if (expr.name === 'hasValue') this.#look(this.visit(operand, names), false, true);
      else this.#consume(operand, names);
    }
    return NOWHERE;
  }

  #index(expr: Call, list: Expr, at: Expr, names: Scope): Flow {
    const index = literalIndex(at);
    if (index === undefined) this.#consume(at, names);
    return into(this.visit(list, names), index ?? EACH, expr.name === '_[?_]');
  }

  #size(expr: Call, names: Scope): Flow {
    for (const operand of operands(expr)) {
      const flow = this.visit(operand, names);
      this.#look(flow, false);
      this.#look(into(flow, EACH, false), false);
    }
    return NOWHERE;
  }

  #loop(expr: Comprehension, names: Scope): Flow {
    const element = into(this.visit(expr.range, names), EACH, false);
    this.#look(element, false);
    const inner = new Map(names).set(expr.variable, expr.variable2 === undefined ? element : NOWHERE);
    if (expr.variable2 !== undefined) inner.set(expr.variable2, element);
    if (expr.filter !== undefined) this.#consume(expr.filter, inner);
    const isBoolean = expr.does === 'all' || expr.does === 'exists' || expr.does === 'existsOne';
    return isBoolean ? this.#consume(expr.body, inner) : { sources: [], elements: this.visit(expr.body, inner) };
  }
}

/** Returns the parts of which a value consists; `through` returns the operands of a call that are parts of it. */
export function* valueParts(
  expr: Expr,
  through: (call: Call) => readonly Expr[],
  scope: ReadonlyMap<string, Expr> = new Map(),
): Iterable<Expr> {
  yield expr;
  const bound = expr.kind === 'ident' ? scope.get(expr.name) : undefined;
  if (bound !== undefined) yield* valueParts(bound, through);
  const inner = expr.kind === 'bind' ? new Map(scope).set(expr.name, expr.init) : scope;
  for (const part of innerParts(expr, through)) yield* valueParts(part, through, inner);
}

function innerParts(expr: Expr, through: (call: Call) => readonly Expr[]): readonly Expr[] {
  if (expr.kind === 'map') return expr.entries.map(({ value }) => value);
  if (expr.kind === 'bind') return [expr.body];
  if (expr.kind === 'comprehension') return expr.does === 'list' ? [expr.range, expr.body] : [];
  if (expr.kind !== 'call') return children(expr);
  return expr.name === '_?_:_' ? expr.args.slice(1) : through(expr);
}

/** Returns the name of a function with its namespace: `lists.range`. */
export function functionName({ target, name }: Call): string {
  const prefix = target && qualifiedName(target);
  return prefix !== undefined && NAMESPACES.has(prefix) ? `${prefix}.${name}` : name;
}

const NAMESPACES = new Set(['lists', 'optional', 'hash', 'json', 'sets']);

/** Functions that return one of their operands, or all of them joined. */
const HANDS_ON = new Set(['_+_', 'or', 'orValue', 'value', 'dyn', 'of', 'optional.of']);
const ONE_ELEMENT = new Set(['first', 'last']);

/** Returns the operands of a call; `optional` in `optional.of(x)` is a part of the name. */
export const operands = (call: Call): readonly Expr[] =>
  call.target === undefined || functionName(call) === 'optional.of' ? call.args : [call.target, ...call.args];

/** Returns everything that an expression reads if its value is used as a whole. */
export function allReads({ reads, value }: Reads): Read[] {
  const used = (flow: Flow): Read[] => [
    ...flow.sources.map((source) => ({ ...source, whole: true })),
    ...(flow.elements === undefined ? [] : used(flow.elements)),
  ];
  return [...reads, ...used(value)];
}

import { EACH } from '../../../core/model/path.ts';
import { type Call, type Comprehension, children, type Expr } from '../ast.ts';
import { rawFieldName } from '../field-names.ts';
import type { WrittenRead } from '../value/values.ts';
import { type Flow, into, movedTo, NOWHERE, type Read, union } from './place.ts';

/** Returns the literal part of a read; variables in `locals` contain computed values. */
export function writtenRead(expr: Expr, locals: { has(name: string): boolean }): WrittenRead {
  const { start, steps } = splitChain(expr);
  const isVariable = start.kind === 'ident' && !locals.has(start.name);
  return { variable: isVariable ? start.name.replace(/^\./, '') : undefined, path: steps.map(({ key }) => key) };
}

interface Step {
  operand: Expr;
  key: string | number;
}

/** Splits the expression: the start of the read, and the fields and literal indexes from there. */
function splitChain(expr: Expr): { start: Expr; steps: readonly Step[] } {
  const steps: Step[] = [];
  let start = expr;
  for (let step = stepOf(start); step !== undefined; step = stepOf(start)) {
    steps.push(step);
    start = step.operand;
  }
  return { start, steps: steps.reverse() };
}

function stepOf(expr: Expr): Step | undefined {
  if (expr.kind === 'select') return { operand: expr.operand, key: expr.field };
  if (expr.kind !== 'call' || (expr.name !== '_[_]' && expr.name !== '_[?_]')) return undefined;
  const [operand, index] = expr.args;
  const key = literalIndex(index);
  return operand === undefined || key === undefined ? undefined : { operand, key };
}

/** Returns the key or index of a literal; `undefined` for other expressions. */
function literalIndex(expr: Expr | undefined): string | number | undefined {
  if (expr?.kind !== 'literal') return undefined;
  const { type, value } = expr.literal;
  if (type === 'string') return value;
  return type === 'int' ? Number(value) : undefined;
}

/** What an expression reads, and the origin of its value. */
interface Reads {
  reads: readonly Read[];
  value: Flow;
}

type Scope = ReadonlyMap<string, Flow>;

/**
 * Traces values through an expression: the variable of a comprehension stands for the elements of its list, so
 * `subnets.map(s, s.status.id)` reads `subnets[*].status.id` and nothing else. `scope` defines names that are not
 * variables of their own, such as iterators. A value that is passed to a function counts as read completely.
 */
export function readsIn(expression: Expr, scope: Scope): Reads {
  const reads: Read[] = [];

  const look = (flow: Flow, whole: boolean, tested = false): void => {
    for (const place of flow.places) {
      const needed = tested ? Math.min(place.needed, Math.max(0, place.path.length - 1)) : place.needed;
      reads.push({ ...place, needed, whole });
    }
    if (flow.elements !== undefined) look(flow.elements, whole, tested);
  };
  const consume = (expr: Expr, names: Scope): Flow => {
    look(visit(expr, names), true);
    return NOWHERE;
  };

  const visit = (expr: Expr, names: Scope): Flow => {
    switch (expr.kind) {
      case 'ident': {
        const bound = names.get(expr.name);
        if (bound !== undefined) return movedTo(expr.offset, bound);
        return { places: [{ root: expr.name.replace(/^\./, ''), path: [], needed: 0, offset: expr.offset }] };
      }
      case 'select': {
        const field = into(visit(expr.operand, names), rawFieldName(expr.field), expr.optional);
        if (!expr.test) return field;
        look(field, false, true);
        return NOWHERE;
      }
      case 'call':
        return call(expr, names);
      case 'list': {
        const elements = expr.elements.map(({ value }) => visit(value, names));
        return { places: [], elements: union(elements) };
      }
      case 'comprehension':
        return loop(expr, names);
      default:
        for (const child of children(expr)) consume(child, names);
        return NOWHERE;
    }
  };

  const call = (expr: Call, names: Scope): Flow => {
    const [first, second, third] = expr.args;
    const { target } = expr;
    if ((expr.name === '_[_]' || expr.name === '_[?_]') && first !== undefined && second !== undefined) {
      const index = literalIndex(second);
      if (index === undefined) consume(second, names);
      return into(visit(first, names), index ?? EACH, expr.name === '_[?_]');
    }
    if (expr.name === '_?_:_' && first !== undefined && second !== undefined && third !== undefined) {
      consume(first, names);
      return union([visit(second, names), visit(third, names)]);
    }
    if (expr.name === '@sortByAssociatedKeys' && target !== undefined && first !== undefined) {
      consume(first, names);
      return visit(target, names);
    }
    if (HANDS_ON.has(expr.name)) return union(operands(expr).map((operand) => visit(operand, names)));
    if (ONE_ELEMENT.has(expr.name) && target !== undefined) return into(visit(target, names), EACH, true);
    if (expr.name === 'size' || expr.name === 'hasValue') {
      for (const operand of operands(expr)) {
        const flow = visit(operand, names);
        look(flow, false, expr.name === 'hasValue');
        if (expr.name === 'size') look(into(flow, EACH, false), false);
      }
      return NOWHERE;
    }
    for (const operand of operands(expr)) consume(operand, names);
    return NOWHERE;
  };

  const loop = (expr: Comprehension, names: Scope): Flow => {
    const { macro } = expr;
    if (macro.does === 'bind') {
      return visit(expr.result, new Map(names).set(expr.accumulator, visit(expr.init, names)));
    }
    const element = into(visit(expr.range, names), EACH, false);
    look(element, false);
    const inner = new Map(names).set(expr.variable, expr.variable2 === undefined ? element : NOWHERE);
    if (expr.variable2 !== undefined) inner.set(expr.variable2, element);
    if ('predicate' in macro) return consume(macro.predicate, inner);
    if (macro.filter !== undefined) consume(macro.filter, inner);
    return { places: [], elements: visit(macro.transform, inner) };
  };

  const value = visit(expression, scope);
  return { reads, value };
}

/** Functions that return one of their operands, or all of them joined. */
const HANDS_ON = new Set(['_+_', 'or', 'orValue', 'value', 'dyn', 'of', 'optional.of']);
const ONE_ELEMENT = new Set(['first', 'last']);

/** `optional` in `optional.of(x)` is a part of the name. */
function operands({ name, target, args }: Call): readonly Expr[] {
  const isNamespace = name === 'of' && target?.kind === 'ident' && target.name === 'optional';
  return target === undefined || isNamespace ? args : [target, ...args];
}

/** Returns everything that an expression reads if its value is used as a whole. */
export function allReads({ reads, value }: Reads): Read[] {
  const used = (flow: Flow): Read[] => [
    ...flow.places.map((place) => ({ ...place, whole: true })),
    ...(flow.elements === undefined ? [] : used(flow.elements)),
  ];
  return [...reads, ...used(value)];
}

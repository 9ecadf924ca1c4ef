import type { CelType, CheckedExpression, Comprehension, Expr } from '../../../cel/index.ts';
import { callCost } from './calls.ts';
import { fixed, type Size, times, UNKNOWN } from './size.ts';
import type { Sized } from './sizes.ts';

/** What the members of a value that an expression makes may be. */
interface Members {
  isList: boolean;
  key: Size;
  value: Size;
}

/**
 * Where in `self` an expression leads: `path` is false for what is not read from there, and `place` undefined where the
 * schema says nothing.
 */
interface Way {
  path: boolean;
  place: Sized | undefined;
}

interface Local extends Way {
  size: Size | undefined;
  members: Members | undefined;
}

/** What the estimate of a call may ask. */
export interface Estimator {
  sizeOf(expr: Expr): Size;
  typeOf(expr: Expr): CelType | undefined;
  /** The size of the items of a list. */
  itemSizeOf(list: Expr): Size;
}

/**
 * What an expression costs at most, as the API server estimates it before any object is there (cel-go, checker.Cost with
 * the sizes of k8s.io/apiextensions-apiserver). Follows it in its quirks too: the limit is part of the API.
 */
export function maxCost({ parsed, types, calls }: CheckedExpression, root: Sized): number {
  const sizes = new Map<number, Size>();
  const members = new Map<number, Members>();
  const ways = new Map<number, Way>();
  const locals = new Map<string, Local[]>();
  const local = (name: string): Local | undefined => locals.get(name)?.at(-1);
  const push = (name: string, value: Local): void => void locals.set(name, [...(locals.get(name) ?? []), value]);
  const pop = (name: string): void => void locals.get(name)?.pop();

  const typeOf = (expr: Expr): CelType | undefined => types.get(expr.id);
  const wayOf = (expr: Expr): Way => {
    const found = expr.kind === 'ident' ? local(expr.name) : undefined;
    return found ?? ways.get(expr.id) ?? { path: false, place: undefined };
  };
  /** Of what has no way the first step is taken for `self` itself. */
  const step = (way: Way, name: string): Way => ({ path: true, place: way.path ? stepInto(way.place, name) : root });
  const membersOf = (expr: Expr): Members | undefined =>
    members.get(expr.id) ?? (expr.kind === 'ident' ? local(expr.name)?.members : undefined);

  const knownSize = (expr: Expr): Size | undefined => {
    const own = sizes.get(expr.id) ?? literalSize(expr);
    if (own !== undefined) return own;
    const { path, place } = wayOf(expr);
    if (path && place !== undefined) return { min: 0, max: place.elements };
    if (isScalar(typeOf(expr))) return fixed(1);
    return expr.kind === 'ident' ? local(expr.name)?.size : undefined;
  };
  const sizeOf = (expr: Expr): Size => knownSize(expr) ?? UNKNOWN;
  const keep = <T>(map: Map<number, T>, expr: Expr, value: T | undefined): void => {
    if (value !== undefined) map.set(expr.id, value);
  };
  const estimator: Estimator = {
    sizeOf,
    typeOf,
    itemSizeOf: (list) => {
      const { path, place } = wayOf(list);
      const items = path ? stepInto(place, '@items') : undefined;
      return items === undefined ? UNKNOWN : { min: 0, max: items.elements };
    },
  };

  const sum = (all: readonly Expr[]): number => all.reduce((total, one) => total + cost(one), 0);

  const cost = (expr: Expr): number => {
    switch (expr.kind) {
      case 'literal':
        return 0;
      case 'ident':
        ways.set(expr.id, local(expr.name) ?? { path: true, place: root });
        return 1;
      case 'select': {
        const operand = cost(expr.operand);
        if (expr.test) return operand;
        ways.set(expr.id, expr.optional ? { path: false, place: undefined } : step(wayOf(expr.operand), expr.field));
        return operand + (expr.optional || isContainer(typeOf(expr.operand)) ? 1 : 0);
      }
      case 'list': {
        const elements = expr.elements.map(({ value }) => value);
        const total = sum(elements) + 10;
        members.set(expr.id, { isList: true, key: fixed(1), value: unionOf(elements.map(sizeOf)) });
        return total;
      }
      case 'map': {
        const total = sum(expr.entries.flatMap(({ key, value }) => [key, value])) + 30;
        const key = unionOf(expr.entries.map((entry) => sizeOf(entry.key)));
        members.set(expr.id, { isList: false, key, value: unionOf(expr.entries.map((entry) => sizeOf(entry.value))) });
        return total;
      }
      case 'struct':
        return sum(expr.fields.map(({ value }) => value)) + 40;
      case 'call':
        return costOfCall(expr);
      case 'comprehension':
        return expr.macro.does === 'bind' ? costOfBind(expr) : costOfLoop(expr);
    }
  };

  const costOfCall = (expr: Expr & { kind: 'call' }): number => {
    const isNamespaced = calls.get(expr.id)?.namespaced === true;
    const target = isNamespaced ? undefined : expr.target;
    const args = expr.args.map(cost);
    const ofTarget = target === undefined ? 0 : cost(target);
    const made = callCost(
      { name: calls.get(expr.id)?.name ?? expr.name, target, args: expr.args, costs: args },
      estimator,
    );
    const [first, second, third] = expr.args;
    if (expr.name === '_[_]' && first !== undefined) {
      const isList = typeOf(first)?.kind === 'list';
      keep(sizes, expr, membersOf(first)?.value);
      ways.set(expr.id, step(wayOf(first), isList ? '@items' : '@values'));
    }
    if (expr.name === '_?_:_' && second && third) keep(members, expr, bothOf(membersOf(second), membersOf(third)));
    if (expr.name === '_+_' && first && second) keep(members, expr, bothOf(membersOf(first), membersOf(second)));
    if (expr.name === 'dyn' && first) {
      keep(members, expr, membersOf(first));
      keep(sizes, expr, knownSize(first));
    }
    keep(sizes, expr, made.size ?? knownSize(expr));
    return ofTarget + made.cost;
  };

  const localOf = (expr: Expr): Local => ({ ...wayOf(expr), size: knownSize(expr), members: membersOf(expr) });

  const costOfBind = (expr: Comprehension): number => {
    const before = cost(expr.range) + cost(expr.init);
    push(expr.accumulator, localOf(expr.init));
    const result = cost(expr.result);
    pop(expr.accumulator);
    keep(sizes, expr, knownSize(expr.result));
    keep(members, expr, membersOf(expr.result));
    return before + result;
  };

  const costOfLoop = (expr: Comprehension): number => {
    const { range, variable, variable2, accumulator } = expr;
    const before = cost(range) + cost(expr.init);
    push(accumulator, localOf(expr.init));
    const made = membersOf(range);
    const isList = made?.isList ?? typeOf(range)?.kind === 'list';
    const key: Local = { ...step(wayOf(range), isList ? '@indices' : '@keys'), size: made?.key, members: undefined };
    const value: Local = {
      ...step(wayOf(range), isList ? '@items' : '@values'),
      size: made?.value,
      members: undefined,
    };
    push(variable, variable2 === undefined && isList ? value : key);
    if (variable2 !== undefined) push(variable2, value);
    const round = cost(expr.condition) + cost(expr.step);
    pop(variable);
    if (variable2 !== undefined) pop(variable2);
    const result = cost(expr.result);
    pop(accumulator);
    const rounds = sizeOf(range);
    if (expr.init.kind === 'literal') keep(sizes, expr, knownSize(expr.init));
    if (expr.init.kind === 'list' || expr.init.kind === 'map') {
      sizes.set(expr.id, rounds);
      keep(members, expr, membersOf(expr.step));
    }
    return before + result + times(rounds.max, round);
  };

  return cost(parsed.root);
}

function stepInto(place: Sized | undefined, name: string): Sized | undefined {
  if (name === '@items' || name === '@values') return place?.values;
  return name === '@keys' ? place?.keys : place?.fields?.get(name);
}

function literalSize(expr: Expr): Size | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  const { type, value } = expr.literal;
  return fixed(type === 'string' ? [...value].length : type === 'bytes' ? value.length : 1);
}

const unionOf = (sizes: readonly Size[]): Size =>
  sizes.length === 0
    ? fixed(0)
    : { min: Math.min(...sizes.map(({ min }) => min)), max: Math.max(...sizes.map(({ max }) => max)) };

const bothOf = (a: Members | undefined, b: Members | undefined): Members | undefined =>
  a && b && { isList: a.isList, key: unionOf([a.key, b.key]), value: unionOf([a.value, b.value]) };

const SCALARS = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'];
const isScalar = (type: CelType | undefined): boolean => type !== undefined && SCALARS.includes(type.kind);
const isContainer = (type: CelType | undefined): boolean => type?.kind === 'map' || type?.kind === 'object';

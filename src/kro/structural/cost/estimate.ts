import { greatest, smallest } from '../../../core/text/extremes.ts';
import type { Bind, Call, CelType, CheckedExpression, Comprehension, Expr } from '../../../languages/cel/index.ts';
import { callCost, type Sized } from './index.ts';

/** The maximum size of a value: characters, bytes, items or entries. */
export interface Size {
  min: number;
  max: number;
}

const UNKNOWN: Size = { min: 0, max: Number.POSITIVE_INFINITY };
const fixed = (size: number): Size => ({ min: size, max: size });

/** Multiplies; zero times infinity is zero. */
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);

interface Known {
  /** Its place in `self`, whose schema may be unknown; `undefined` for a value that is not read from there. */
  way?: { place: Sized | undefined } | undefined;
  size?: Size | undefined;
  /** The members of a value that an expression creates. */
  members?: { isList: boolean; key: Size; value: Size } | undefined;
}

interface Costed extends Known {
  cost: number;
}

export interface Estimate extends Costed {
  expr: Expr;
  type: CelType | undefined;
}

type Locals = ReadonlyMap<string, Known>;

/**
 * Returns the maximum cost of an expression, as the API server estimates it without an object (cel-go, checker.Cost
 * with the sizes of k8s.io/apiextensions-apiserver), including its quirks, because the limit is part of the API.
 */
export const maxCost = (checked: CheckedExpression, root: Sized): number =>
  new Estimator(checked, root).estimate(checked.parsed.root, new Map()).cost;

const EMPTY_LIST = 10;

/** What cel-go adds to an expanded macro: once, and in each round for the condition and the step. */
const EXPANDED: Readonly<Record<Comprehension['does'], { once: number; each: number; creates: boolean }>> = {
  all: { once: 1, each: 3, creates: false },
  exists: { once: 1, each: 4, creates: false },
  existsOne: { once: 2, each: 2, creates: false },
  list: { once: EMPTY_LIST + 1, each: EMPTY_LIST + 2, creates: true },
  map: { once: 31, each: 3, creates: true },
  mapEntry: { once: 31, each: 2, creates: true },
};

class Estimator {
  constructor(
    private readonly checked: CheckedExpression,
    private readonly root: Sized,
  ) {}

  estimate(expr: Expr, locals: Locals): Estimate {
    const type = this.checked.types.get(expr.id);
    const found = this.estimateParts(expr, locals);
    const local = expr.kind === 'ident' ? locals.get(expr.name)?.size : undefined;
    const scalar = type !== undefined && SCALARS.includes(type.kind) ? fixed(1) : undefined;
    return { ...found, expr, type, size: found.size ?? literalSize(expr) ?? sizeAt(found) ?? scalar ?? local };
  }

  private estimateParts(expr: Expr, locals: Locals): Costed {
    const all = (exprs: readonly Expr[]): Estimate[] => exprs.map((one) => this.estimate(one, locals));
    switch (expr.kind) {
      case 'literal':
        return { cost: 0 };
      case 'ident': {
        const { way, members } = locals.get(expr.name) ?? { way: { place: this.root } };
        return { cost: 1, way, members };
      }
      case 'select': {
        const operand = this.estimate(expr.operand, locals);
        if (expr.test) return { cost: operand.cost };
        const { kind = '' } = operand.type ?? {};
        if (expr.optional) return { cost: operand.cost + 1 };
        const way = this.step(operand, expr.field);
        return { cost: operand.cost + (kind === 'map' || kind === 'object' ? 1 : 0), way };
      }
      case 'list': {
        const elements = all(expr.elements.map(({ value }) => value));
        return { cost: total(elements) + 10, members: { isList: true, key: fixed(1), value: unionOf(elements) } };
      }
      case 'map': {
        const keys = all(expr.entries.map(({ key }) => key));
        const values = all(expr.entries.map(({ value }) => value));
        const members = { isList: false, key: unionOf(keys), value: unionOf(values) };
        return { cost: total([...keys, ...values]) + 30, members };
      }
      case 'struct':
        return { cost: total(all(expr.fields.map(({ value }) => value))) + 40 };
      case 'call':
        return this.estimateCall(expr, locals);
      case 'comprehension':
        return this.estimateLoop(expr, locals);
      case 'bind':
        return this.estimateBind(expr, locals);
    }
  }

  private estimateCall(expr: Call, locals: Locals): Costed {
    const call = this.checked.calls.get(expr.id);
    const target =
      call?.namespaced === true || expr.target === undefined ? undefined : this.estimate(expr.target, locals);
    const args = expr.args.map((arg) => this.estimate(arg, locals));
    const { cost, size } = callCost(call?.name ?? expr.name, target, args);
    const [first, second, third] = args;
    const known = { cost: cost + (target?.cost ?? 0), size };
    // The size of its value, if that is a part of an argument or several of them.
    switch (expr.name) {
      case '_[_]': {
        const way = first && this.step(first, first.type?.kind === 'list' ? '@items' : '@values');
        return { ...known, way, size: size ?? first?.members?.value };
      }
      case '_?_:_':
        return { ...known, members: bothOf(second, third) };
      case '_+_':
        return { ...known, members: bothOf(first, second) };
      case 'dyn':
        return { ...known, members: first?.members, size: size ?? first?.size };
      default:
        return known;
    }
  }

  private estimateBind({ name, init, body }: Bind, locals: Locals): Costed {
    const before = this.estimate(init, locals);
    const result = this.estimate(body, new Map([...locals, [name, before]]));
    const cost = EMPTY_LIST + before.cost + result.cost;
    // The name is not visible any more.
    if (body.kind === 'ident') return { cost, size: sizeAt(result) };
    return { cost, size: result.size, members: result.members };
  }

  private estimateLoop(expr: Comprehension, locals: Locals): Costed {
    const { once, each, creates } = EXPANDED[expr.does];
    const range = this.estimate(expr.range, locals);
    const inside = new Map([...locals, ...this.variablesOf(expr, range)]);
    const filter = expr.filter === undefined ? 0 : this.estimate(expr.filter, inside).cost;
    const body = this.estimate(expr.body, inside);
    const rounds = sizeOf(range);
    return {
      cost: range.cost + once + times(rounds.max, each + filter + body.cost),
      ...(creates && { size: rounds }),
      ...(expr.does === 'list' && {
        members: { isList: true, key: fixed(1), value: { min: 0, max: sizeOf(body).max } },
      }),
    };
  }

  private variablesOf({ variable, variable2 }: Comprehension, range: Estimate): [string, Known][] {
    const isList = range.members?.isList ?? range.type?.kind === 'list';
    const key = { way: this.step(range, isList ? '@indices' : '@keys'), size: range.members?.key };
    const value = { way: this.step(range, isList ? '@items' : '@values'), size: range.members?.value };
    if (variable2 === undefined) return [[variable, isList ? value : key]];
    return [
      [variable, key],
      [variable2, value],
    ];
  }

  /** Without a way, the first step is taken for `self` itself. */
  private step({ way }: Known, name: string): Known['way'] {
    return { place: way === undefined ? this.root : stepInto(way.place, name) };
  }
}

function stepInto(place: Sized | undefined, name: string): Sized | undefined {
  if (name === '@items' || name === '@values') return place?.values;
  return name === '@keys' ? place?.keys : place?.fields?.get(name);
}

const sizeAt = ({ way }: Known): Size | undefined => way?.place && { min: 0, max: way.place.elements };

/** Returns the size of a value; 0 for an absent one. */
export const sizeOf = (value: Known | undefined): Size => (value === undefined ? fixed(0) : (value.size ?? UNKNOWN));

/** Returns the size of the items of a list that is read from `self`. */
export const itemSizeOf = ({ way }: Known): Size =>
  way?.place?.values === undefined ? UNKNOWN : { min: 0, max: way.place.values.elements };

export const total = (all: readonly Costed[]): number => all.reduce((sum, { cost }) => sum + cost, 0);

export function unionOf(values: readonly Known[]): Size {
  if (values.length === 0) return fixed(0);
  const sizes = values.map(sizeOf);
  return { min: smallest(sizes.map(({ min }) => min)), max: greatest(sizes.map(({ max }) => max)) };
}

function bothOf(a: Known | undefined, b: Known | undefined): Known['members'] {
  const one = a?.members;
  const other = b?.members;
  if (one === undefined || other === undefined) return undefined;
  const union = (part: 'key' | 'value'): Size => unionOf([{ size: one[part] }, { size: other[part] }]);
  return { isList: one.isList, key: union('key'), value: union('value') };
}

function literalSize(expr: Expr): Size | undefined {
  if (expr.kind === 'list') return fixed(expr.elements.length);
  if (expr.kind === 'map') return fixed(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  const { type, value } = expr.literal;
  return fixed(type === 'string' ? [...value].length : type === 'bytes' ? value.length : 1);
}

const SCALARS = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'];

import { greatest, smallest } from '../../../core/text/extremes.ts';
import type { Bind, CelType, CheckedExpression, Comprehension, Expr } from '../../../languages/cel/index.ts';
import { callCost } from './calls.ts';
import type { Sized } from './index.ts';

/** The maximum size of a value: characters, bytes, items or entries. */
export interface Size {
  min: number;
  max: number;
}

const UNKNOWN: Size = { min: 0, max: Number.POSITIVE_INFINITY };
export const fixed = (size: number): Size => ({ min: size, max: size });

/** Multiplies; zero times infinity is zero. */
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);

/** The members of a value that an expression creates. */
interface Members {
  isList: boolean;
  key: Size;
  value: Size;
}

/**
 * The path of an expression in `self`: `path` is false for a value that is not read from there, and `place` undefined
 * if the schema is unknown.
 */
interface Way {
  path: boolean;
  place: Sized | undefined;
}

interface Local extends Way {
  size: Size | undefined;
  members: Members | undefined;
}

/** The queries of the estimate of a call. */
export type Estimator = Pick<CostEstimate, 'sizeOf' | 'typeOf' | 'itemSizeOf'>;

/**
 * Returns the maximum cost of an expression, as the API server estimates it without an object (cel-go, checker.Cost
 * with the sizes of k8s.io/apiextensions-apiserver), including its quirks, because the limit is part of the API.
 */
export const maxCost = (checked: CheckedExpression, root: Sized): number =>
  new CostEstimate(checked, root).cost(checked.parsed.root);

const EMPTY_LIST = 10;

/**
 * What cel-go adds to the parts of a macro, whose expansion it counts: once for the first value and the result, and in
 * each round for the condition and the step.
 */
const EXPANDED: Readonly<Record<Comprehension['does'], { once: number; each: number; creates: boolean }>> = {
  all: { once: 1, each: 3, creates: false },
  exists: { once: 1, each: 4, creates: false },
  existsOne: { once: 2, each: 2, creates: false },
  list: { once: EMPTY_LIST + 1, each: EMPTY_LIST + 2, creates: true },
  map: { once: 31, each: 3, creates: true },
  mapEntry: { once: 31, each: 2, creates: true },
};

/** The known sizes of the parts of an expression during the estimate. */
class CostEstimate {
  private readonly sizes = new Map<number, Size>();
  private readonly members = new Map<number, Members>();
  private readonly ways = new Map<number, Way>();
  private readonly locals = new Map<string, Local[]>();

  constructor(
    private readonly checked: CheckedExpression,
    private readonly root: Sized,
  ) {}

  sizeOf(expr: Expr): Size {
    return this.knownSize(expr) ?? UNKNOWN;
  }

  typeOf(expr: Expr): CelType | undefined {
    return this.checked.types.get(expr.id);
  }

  itemSizeOf(list: Expr): Size {
    const { path, place } = this.wayOf(list);
    const items = path ? stepInto(place, '@items') : undefined;
    return items === undefined ? UNKNOWN : { min: 0, max: items.elements };
  }

  cost(expr: Expr): number {
    switch (expr.kind) {
      case 'literal':
        return 0;
      case 'ident':
        this.ways.set(expr.id, this.local(expr.name) ?? { path: true, place: this.root });
        return 1;
      case 'select':
        return this.costOfSelect(expr);
      case 'list': {
        const elements = expr.elements.map(({ value }) => value);
        const total = this.sum(elements) + 10;
        this.store(this.members, expr, { isList: true, key: fixed(1), value: this.unionOf(elements) });
        return total;
      }
      case 'map': {
        const [keys, values] = [expr.entries.map(({ key }) => key), expr.entries.map(({ value }) => value)];
        const total = this.sum(expr.entries.flatMap(({ key, value }) => [key, value])) + 30;
        this.store(this.members, expr, { isList: false, key: this.unionOf(keys), value: this.unionOf(values) });
        return total;
      }
      case 'struct':
        return this.sum(expr.fields.map(({ value }) => value)) + 40;
      case 'call':
        return this.costOfCall(expr);
      case 'comprehension':
        return this.costOfLoop(expr);
      case 'bind':
        return this.costOfBind(expr);
    }
  }

  private sum(all: readonly Expr[]): number {
    return all.reduce((total, one) => total + this.cost(one), 0);
  }

  private costOfSelect({ id, operand, field, optional, test }: Expr & { kind: 'select' }): number {
    const before = this.cost(operand);
    if (test) return before;
    this.ways.set(id, optional ? { path: false, place: undefined } : this.step(this.wayOf(operand), field));
    return before + (optional || isContainer(this.typeOf(operand)) ? 1 : 0);
  }

  private costOfCall(expr: Expr & { kind: 'call' }): number {
    const call = this.checked.calls.get(expr.id);
    const target = call?.namespaced === true ? undefined : expr.target;
    const costs = expr.args.map((arg) => this.cost(arg));
    const ofTarget = target === undefined ? 0 : this.cost(target);
    const estimated = callCost({ name: call?.name ?? expr.name, target, args: expr.args, costs }, this);
    this.storeResult(expr);
    this.store(this.sizes, expr, estimated.size ?? this.knownSize(expr));
    return ofTarget + estimated.cost;
  }

  /** Stores the size of the value of a call, if it is a part of an argument or several of them. */
  private storeResult(expr: Expr & { kind: 'call' }): void {
    const [first, second, third] = expr.args;
    const both = (a: Expr, b: Expr): void =>
      this.store(this.members, expr, bothOf(this.membersOf(a), this.membersOf(b)));
    if (expr.name === '_[_]' && first !== undefined) {
      const isList = this.typeOf(first)?.kind === 'list';
      this.store(this.sizes, expr, this.membersOf(first)?.value);
      this.ways.set(expr.id, this.step(this.wayOf(first), isList ? '@items' : '@values'));
    }
    if (expr.name === '_?_:_' && second && third) both(second, third);
    if (expr.name === '_+_' && first && second) both(first, second);
    if (expr.name === 'dyn' && first) {
      this.store(this.members, expr, this.membersOf(first));
      this.store(this.sizes, expr, this.knownSize(first));
    }
  }

  private costOfBind(expr: Bind): number {
    const before = EMPTY_LIST + this.cost(expr.init);
    const result = this.within(expr.name, this.localOf(expr.init), () => this.cost(expr.body));
    this.store(this.sizes, expr, this.knownSize(expr.body));
    this.store(this.members, expr, this.membersOf(expr.body));
    return before + result;
  }

  private costOfLoop(expr: Comprehension): number {
    const { once, each, creates } = EXPANDED[expr.does];
    const before = this.cost(expr.range) + once;
    const [round, value] = this.inRound(expr, () => [
      each + (expr.filter === undefined ? 0 : this.cost(expr.filter)) + this.cost(expr.body),
      this.sizeOf(expr.body),
    ]);
    const rounds = this.sizeOf(expr.range);
    if (creates) this.sizes.set(expr.id, rounds);
    if (expr.does === 'list') {
      this.members.set(expr.id, { isList: true, key: fixed(1), value: { min: 0, max: value.max } });
    }
    return before + times(rounds.max, round);
  }

  /** Runs an action while the variables of a loop have their values. */
  private inRound<T>({ range, variable, variable2 }: Comprehension, round: () => T): T {
    const written = this.membersOf(range);
    const isList = written?.isList ?? this.typeOf(range)?.kind === 'list';
    const item = (name: string, size: Size | undefined): Local => ({
      ...this.step(this.wayOf(range), name),
      size,
      members: undefined,
    });
    const key = item(isList ? '@indices' : '@keys', written?.key);
    const value = item(isList ? '@items' : '@values', written?.value);
    if (variable2 === undefined) return this.within(variable, isList ? value : key, round);
    return this.within(variable, key, () => this.within(variable2, value, round));
  }

  /** Runs an action while a name has a value. */
  private within<T>(name: string, value: Local, run: () => T): T {
    const outer = this.locals.get(name) ?? [];
    this.locals.set(name, [...outer, value]);
    const result = run();
    this.locals.set(name, outer);
    return result;
  }

  private local(name: string): Local | undefined {
    return this.locals.get(name)?.at(-1);
  }

  private localOf(expr: Expr): Local {
    return { ...this.wayOf(expr), size: this.knownSize(expr), members: this.membersOf(expr) };
  }

  private wayOf(expr: Expr): Way {
    const found = expr.kind === 'ident' ? this.local(expr.name) : undefined;
    return found ?? this.ways.get(expr.id) ?? { path: false, place: undefined };
  }

  /** Without a path, the first step is taken for `self` itself. */
  private step(way: Way, name: string): Way {
    return { path: true, place: way.path ? stepInto(way.place, name) : this.root };
  }

  private membersOf(expr: Expr): Members | undefined {
    return this.members.get(expr.id) ?? (expr.kind === 'ident' ? this.local(expr.name)?.members : undefined);
  }

  private knownSize(expr: Expr): Size | undefined {
    const own = this.sizes.get(expr.id) ?? literalSize(expr);
    if (own !== undefined) return own;
    const { path, place } = this.wayOf(expr);
    if (path && place !== undefined) return { min: 0, max: place.elements };
    if (isScalar(this.typeOf(expr))) return fixed(1);
    return expr.kind === 'ident' ? this.local(expr.name)?.size : undefined;
  }

  private unionOf(all: readonly Expr[]): Size {
    return unionOf(all.map((one) => this.sizeOf(one)));
  }

  private store<T>(map: Map<number, T>, expr: Expr, value: T | undefined): void {
    if (value !== undefined) map.set(expr.id, value);
  }
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
    : { min: smallest(sizes.map(({ min }) => min)), max: greatest(sizes.map(({ max }) => max)) };

const bothOf = (a: Members | undefined, b: Members | undefined): Members | undefined =>
  a && b && { isList: a.isList, key: unionOf([a.key, b.key]), value: unionOf([a.value, b.value]) };

const SCALARS = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'];
const isScalar = (type: CelType | undefined): boolean => type !== undefined && SCALARS.includes(type.kind);
const isContainer = (type: CelType | undefined): boolean => type?.kind === 'map' || type?.kind === 'object';

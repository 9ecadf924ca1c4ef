import type { Expr, Ident, ListExpr, Literal, MapExpr } from '../ast.ts';
import { type Budget, createBudget, spendEntries, spendSize, startRun } from '../budget.ts';
import type { CheckedExpression } from '../check/index.ts';
import type { Environment } from '../environment.ts';
import { DYN, typeName } from '../types.ts';
import { mapFrom } from '../value/order.ts';
import {
  type CelKey,
  type CelValue,
  EvaluationError,
  failure,
  isRecord,
  keyOf,
  keyText,
  kindOf,
  missing,
  Optional,
  outcomeOf,
  readable,
  TypeValue,
  Uint,
} from '../value/values.ts';
import { planCall } from './calls.ts';
import { planBind, planComprehension } from './comprehensions.ts';
import { planSelect } from './operators.ts';
import { planStrictly } from './partial.ts';
import { applied, located, type Planned, type Run, type Stored, settled, unread } from './step.ts';

/** Compiles a checked expression to closures: names become array slots, macros become loops. */

/** Plans a map literal. The last value of a duplicate key wins, as in cel-go, unless the environment forbids it. */
function planMap(p: Planner, expr: MapExpr): Planned {
  const operands = expr.entries.flatMap(({ key, value }) => [planExpr(p, key), planExpr(p, value)]);
  const run = planOperands(p, operands, (values) => mapBuilder(expr, values, p.env.uniqueKeys));
  return { run, constant: operands.every((operand) => operand.constant) };
}

/** Returns what creates a map of its keys and values, which follow each other. */
function mapBuilder(expr: MapExpr, operands: readonly Planned[], unique: boolean | undefined): Run {
  const entries = expr.entries.map((of, index) => ({
    of,
    key: operands[index * 2] as Planned,
    value: operands[index * 2 + 1] as Planned,
  }));
  return (frame) => {
    spendEntries(frame.budget, entries.length);
    const pairs: [CelKey, CelValue][] = [];
    const seen = unique ? new Set<string>() : undefined;
    for (const { of, key: keyed, value: valued } of entries) {
      const key = mapKey(keyed.run(frame), of.key.id);
      if (seen !== undefined) {
        const text = keyText(key);
        if (seen.has(text)) throw located(failure('Failed with repeated key'), of.key.id);
        seen.add(text);
      }
      const value = valued.run(frame);
      if (!of.optional) pairs.push([key, value]);
      else addPresent(value, of.value.id, (present) => pairs.push([key, present]));
    }
    return mapFrom(pairs);
  };
}

/** Plans a node of operands that are all evaluated. */
const planOperands = (p: Planner, operands: readonly Planned[], build: (values: readonly Planned[]) => Run): Run =>
  p.partial ? planStrictly(operands, () => p.counter.locals++, build) : build(operands);

function mapKey(value: CelValue, id: number): CelKey {
  const key = typeof value === 'number' ? undefined : keyOf(value);
  if (key === undefined) throw located(failure(`unsupported key type: ${kindOf(value)}`), id);
  return key;
}

/** A variable of a comprehension or bind. A lazy one is evaluated when it is first read. */
interface Local {
  readonly slot: number;
  readonly lazy: Run | undefined;
}

/** The indexes of variables in an activation. */
export interface Slots {
  get(name: string): number | undefined;
}

export interface Planner {
  readonly env: Environment;
  readonly checked: CheckedExpression;
  readonly slots: Slots;
  /** Variables with computed values, whatever their types are. */
  readonly computed: { has(name: string): boolean };
  readonly locals: ReadonlyMap<string, Local>;
  /** Shared by the planners of inner scopes. */
  readonly counter: { locals: number };
  readonly trace?: Trace | undefined;
  /** Whether parts of the data may be unknown. */
  readonly partial: boolean;
}

/** Called with the id of a `?:`, `&&` or `||` and the arm that is evaluated: 1 or 2 of `?:`, from 0 for operands. */
export type Trace = (id: number, arm: number) => void;

/** Returns the node as a value. */
export const planExpr = (p: Planner, expr: Expr): Planned => settled(planStored(p, expr), expr.id);

/** Returns the node, as data if it is read from an object. */
export function planStored(p: Planner, expr: Expr): Planned {
  switch (expr.kind) {
    case 'literal':
      return planLiteral(expr);
    case 'ident':
      return planIdent(p, expr);
    case 'select':
      return planName(p, expr) ?? planSelect(p, expr);
    case 'call':
      return folded(planCall(p, expr));
    case 'list':
      return folded(planList(p, expr));
    case 'map':
      return folded(planMap(p, expr));
    case 'comprehension':
      return { run: planComprehension(p, expr), constant: false };
    case 'bind':
      return { run: planBind(p, expr), constant: false };
    case 'struct':
      throw new Error(`no type ${expr.name}`);
  }
}

const constant = (value: CelValue): Planned => ({ run: () => value, constant: true });

function planLiteral({ literal }: Literal): Planned {
  return constant(literal.type === 'uint' ? new Uint(literal.value) : literal.value);
}

export function declare(p: Planner, names: readonly string[], lazy?: Run): { inner: Planner; slots: number[] } {
  const locals = new Map(p.locals);
  const slots = names.map((name) => {
    const slot = p.counter.locals++;
    locals.set(name, { slot, lazy });
    return slot;
  });
  return { inner: { ...p, locals }, slots };
}

function planIdent(p: Planner, expr: Ident): Planned {
  const local = p.locals.get(expr.name);
  if (local !== undefined) return { run: readLocal(local, expr.id), constant: false };
  return planName(p, expr) ?? planVariable(p, expr, expr.name.replace(/^\./, ''));
}

function readLocal({ slot, lazy }: Local, id: number): Run {
  if (lazy === undefined) {
    // A loop sets its variables before the body runs.
    return applied(
      (frame) => frame.locals[slot] as CelValue,
      readable,
      (error) => located(error, id),
    );
  }
  return (frame) => {
    const known = frame.locals[slot];
    if (known !== undefined) return known;
    const value = lazy(frame);
    frame.locals[slot] = value;
    return value;
  };
}

/** Plans the resolution of a name, possibly with dots. */
function planName(p: Planner, expr: Expr): Planned | undefined {
  const resolved = p.checked.names.get(expr.id);
  if (resolved?.kind === 'type') return constant(new TypeValue(typeName(resolved.type)));
  return resolved?.kind === 'variable' ? planVariable(p, expr, resolved.name) : undefined;
}

function planVariable(p: Planner, expr: Expr, name: string): Planned {
  const slot = p.slots.get(name);
  const { locals } = p;
  const run: Run = (frame) => {
    const value = slot === undefined ? undefined : frame.variables[slot];
    if (value === undefined)
      throw unread(missing(`no such attribute(s): ${name}`, { what: 'variable', key: name }), expr, locals);
    return value;
  };
  if (p.partial) return { run: (frame) => readable(run(frame)), constant: false };
  if (p.computed.has(name)) return { run, constant: false };
  return { run, constant: false, stored: { type: p.checked.types.get(expr.id) ?? DYN, optional: false } };
}

function planList(p: Planner, expr: ListExpr): Planned {
  const operands = expr.elements.map(({ value }) => planExpr(p, value));
  const run = planOperands(p, operands, (values) => listBuilder(expr, values));
  return { run, constant: operands.every((operand) => operand.constant) };
}

function listBuilder(expr: ListExpr, operands: readonly Planned[]): Run {
  const elements = expr.elements.map(({ value, optional }, index) => ({
    run: (operands[index] as Planned).run,
    optional,
    id: value.id,
  }));
  const optional = elements.some((element) => element.optional);
  return (frame) => {
    spendSize(frame.budget, elements.length);
    // A mapped list has no spare capacity, one that is pushed to has a lot.
    if (!optional) return elements.map((element) => element.run(frame));
    const list: CelValue[] = [];
    for (const element of elements) {
      const value = element.run(frame);
      if (!element.optional) list.push(value);
      else addPresent(value, element.id, (present) => list.push(present));
    }
    return list;
  };
}

/** For `[?x]` and `{?k: x}`. */
function addPresent(value: CelValue, id: number, add: (present: CelValue) => void): void {
  if (!(value instanceof Optional)) {
    throw located(failure(`cannot initialize optional list element from non-optional value ${kindOf(value)}`), id);
  }
  if (value.value !== undefined) add(value.value);
}

/** Sufficient for typical constants. */
const FOLDING = { maxSteps: 10_000, maxSize: 10_000 };

/** Evaluates a constant node now. A failing one must fail only when it is evaluated. */
function folded(planned: Planned): Planned {
  if (!planned.constant) return planned;
  const value = outcomeOf(() => planned.run({ variables: [], locals: [], budget: createBudget(FOLDING) }));
  return value instanceof EvaluationError ? { run: planned.run, constant: false } : constant(value);
}

export interface Program {
  /** Runs with variables by slot; reading an undefined one fails as `missing`. @throws EvaluationError */
  run(activation: readonly (CelValue | undefined)[], budget: Budget): CelValue;
}

/** Maps and objects that are only passed on keep their stored form, so that they are not copied. */
const isHandedOn = ({ type, optional }: Stored): boolean =>
  !optional && (type.kind === 'map' || type.kind === 'object');

/** A value that is not a map does not match, so that it is a failure. */
const handingOn =
  (stored: Run, value: Run): Run =>
  (frame) => {
    const data = stored(frame);
    return isRecord(data) ? data : value(frame);
  };

const NONE: Planner['computed'] = new Set();

/**
 * Compiles a checked expression; `slots` has the index of each variable. Variables contain data of objects, which is
 * read by their types; those of `computed` contain values.
 */
export function plan(
  env: Environment,
  checked: CheckedExpression,
  slots: readonly string[] | Slots,
  computed: Planner['computed'] = NONE,
  trace?: Trace,
): Program {
  const places = 'get' in slots ? slots : new Map(slots.map((name, slot) => [name, slot]));
  return programOf({
    env,
    checked,
    slots: places,
    computed,
    locals: new Map(),
    counter: { locals: 0 },
    trace,
    partial: false,
  });
}

/**
 * Compiles a checked expression for variables with unknown parts (`UnknownPart`). They contain values, or data whose form is
 * that of values. A run that depends on an unknown part throws `Unknown`, as cel-go's partial evaluation returns it; one
 * that does not has its value or error.
 */
export function planPartial(env: Environment, checked: CheckedExpression, slots: readonly string[]): Program {
  return programOf({
    env,
    checked,
    slots: new Map(slots.map((name, slot) => [name, slot])),
    computed: NONE,
    locals: new Map(),
    counter: { locals: 0 },
    partial: true,
  });
}

function programOf(p: Planner): Program {
  const { counter } = p;
  const { root } = p.checked.parsed;
  const planned = planStored(p, root);
  const value = settled(planned, root.id).run;
  const run = planned.stored && isHandedOn(planned.stored) ? handingOn(planned.run, value) : value;
  return {
    run: (variables, budget) => {
      startRun(budget);
      return run({ variables, locals: new Array(counter.locals), budget });
    },
  };
}

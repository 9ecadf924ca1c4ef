import { getOrCompute } from '../../../core/model/lazily.ts';
import { type Call, type Expr, qualifiedName } from '../ast.ts';
import { callHint, describeCall, fallbackHint, functionHint } from '../hints.ts';
import type { Overload } from '../library.ts';
import { macroNames } from '../macros/index.ts';
import { BOOL, type CelType, DYN, ERROR, mapParts, partsOf, type TypeParam } from '../types.ts';
import { checkExpr, mismatch, report } from './checker.ts';
import type { Checker } from './index.ts';

export function checkCall(c: Checker, expr: Call): CelType {
  const types = expr.args.map((arg) => checkExpr(c, arg));
  if (expr.name === '_&&_' || expr.name === '_||_') return checkLogical(c, expr, types);
  if (expr.target === undefined) return resolveNamed(c, expr, expr.name.replace(/^\./, ''), types);
  const prefix = qualifiedName(expr.target);
  if (prefix !== undefined) {
    const name = `${prefix.replace(/^\./, '')}.${expr.name}`;
    if (c.env.functions(name).length > 0) return resolveNamed(c, expr, name, types);
  }
  return resolveNamed(c, expr, expr.name, [checkExpr(c, expr.target), ...types], true);
}

function checkLogical(c: Checker, { id, name, args }: Call, types: readonly CelType[]): CelType {
  c.calls.set(id, { name, namespaced: false, overloads: [] });
  const wrong = args.filter((_, index) => !c.unify.assignable(types[index] ?? ERROR, BOOL));
  for (const arg of wrong) {
    const hint = name === '_||_' && arg === args[0] ? fallbackHint(arg) : undefined;
    report(c, arg, mismatch(c, BOOL, c.types.get(arg.id) ?? ERROR), hint);
  }
  return wrong.length === 0 ? BOOL : ERROR;
}

function resolveNamed(c: Checker, expr: Call, name: string, types: readonly CelType[], member = false): CelType {
  const known = c.env.functions(name);
  if (known.length === 0) {
    const names = [...c.env.functionNames()].filter((known) => /^[a-zA-Z]/.test(known));
    const hint = functionHint(name, expr.target !== undefined, [...names, ...macroNames]);
    report(c, expr, `undeclared reference to '${name}'`, hint);
    return ERROR;
  }
  const found = resolveOverload(c, known, types, member);
  if (found === undefined) return noOverload(c, expr, name, types, member);
  const { overloads, type } = found;
  c.calls.set(expr.id, { name, namespaced: expr.target !== undefined && !member, overloads });
  return type;
}

export function noOverload(c: Checker, at: Expr, name: string, types: readonly CelType[], member = false): CelType {
  const resolved = types.map((type) => c.unify.resolve(type, true));
  const message = `found no matching overload for '${name}' applied to '${describeCall({ params: resolved, member })}'`;
  report(c, at, message, callHint(name, resolved, c.env.functions(name)));
  return ERROR;
}

/** Returns the result of the only matching overload, dyn if several match with different results. */
function resolveOverload(
  c: Checker,
  overloads: readonly Overload[],
  types: readonly CelType[],
  member: boolean,
): { overloads: Overload[]; type: CelType } | undefined {
  const fitting: Overload[] = [];
  let result: CelType | undefined;
  for (const overload of overloads) {
    if (overload.member !== member || overload.params.length !== types.length || overload.unchecked) continue;
    if (crossesTypes(overload) && !c.env.crossTypeComparisons && !c.hadScope) continue;
    const { params, result: declared } = instantiate(c, overload);
    if (!c.unify.assignableAll(types, params)) continue;
    fitting.push(overload);
    const type = c.unify.resolve(declared);
    if (result === undefined) result = type;
    else if (result.kind !== 'dyn' && !exact(type, result)) result = DYN;
  }
  return result === undefined ? undefined : { overloads: fitting, type: result };
}

const ORDERING = new Set(['_<_', '_<=_', '_>_', '_>=_']);

const crossesTypes = ({ name, params }: Overload): boolean => ORDERING.has(name) && params[0]?.kind !== params[1]?.kind;

/** Returns the signature with fresh type variables. */
function instantiate(c: Checker, overload: Overload): { params: readonly CelType[]; result: CelType } {
  const fresh = new Map<string, TypeParam>();
  const rename = (type: CelType): CelType => {
    return type.kind === 'param' ? getOrCompute(fresh, type.name, () => c.unify.fresh()) : mapParts(type, rename);
  };
  return { params: overload.params.map(rename), result: rename(overload.result) };
}

/** Assignability of types with type variables, by unification, as in the checker of cel-go. */

/** The current bindings of the type variables of one check. */
export interface Substitutions {
  /** Reports whether a value of type `source` is assignable to `target`; binds variables on success only. */
  assignable(target: CelType, source: CelType): boolean;
  assignableAll(targets: readonly CelType[], sources: readonly CelType[]): boolean;
  /** Returns the type with bound variables replaced; free ones stay, or become dyn at the end of the check. */
  resolve(type: CelType, freeToDyn?: boolean): CelType;
  fresh(): TypeParam;
}

export const substitutions = (): Substitutions => new TypeBindings();

class TypeBindings implements Substitutions {
  readonly #bound = new Map<string, CelType>();
  /** The previous bindings, to undo a failed attempt. */
  readonly #undo: [string, CelType | undefined][] = [];
  #counter = 0;

  assignable(target: CelType, source: CelType): boolean {
    return this.#attempt(() => this.#fits(target, source));
  }

  assignableAll(targets: readonly CelType[], sources: readonly CelType[]): boolean {
    if (targets.length !== sources.length) return false;
    return this.#attempt(() => targets.every((target, index) => this.#fits(target, sources[index] ?? ERROR)));
  }

  resolve(type: CelType, freeToDyn = false): CelType {
    if (type.kind === 'param') {
      const current = this.#bound.get(type.name);
      if (current !== undefined) return this.resolve(current, freeToDyn);
      return freeToDyn ? DYN : type;
    }
    return mapParts(type, (part) => this.resolve(part, freeToDyn));
  }

  fresh(): TypeParam {
    return { kind: 'param', name: `_var${this.#counter++}` };
  }

  #bind(name: string, type: CelType): void {
    this.#undo.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #attempt(run: () => boolean): boolean {
    this.#undo.length = 0;
    if (run()) return true;
    for (const [name, before] of this.#undo.reverse()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  #fits(target: CelType, source: CelType): boolean {
    if (target === source) return true;
    if (source.kind === 'param') {
      const answer = this.#substitute(target, source);
      if (answer.valid) return true;
      if (answer.known) return false;
    }
    if (target.kind === 'param') return this.#substitute(source, target).valid;
    if (isDynOrError(target) || isDynOrError(source)) return true;
    if (target.kind === 'null') return isNullable(source);
    if (source.kind === 'null') return isNullable(target);
    return this.#sameShape(target, source);
  }

  #sameShape(target: CelType, source: CelType): boolean {
    if (source.kind !== target.kind) return false;
    if ('name' in target && 'name' in source) return source.name === target.name;
    const parts = partsOf(source);
    return target.kind === 'type' || partsOf(target).every((part, index) => this.#fits(part, parts[index] ?? ERROR));
  }

  /** Reports whether the variable may be bound to the type; `known` if it is bound already. */
  #substitute(type: CelType, variable: TypeParam): { valid: boolean; known: boolean } {
    if (type.kind === 'param' && type.name === variable.name) return { valid: true, known: true };
    const current = this.#bound.get(variable.name);
    if (current !== undefined) {
      if (exact(type, current)) return { valid: true, known: true };
      if (!this.#fits(type, current)) return { valid: false, known: true };
      const general = mostGeneral(type, current);
      if (!this.#occurs(variable.name, general)) this.#bind(variable.name, general);
      return { valid: true, known: true };
    }
    if (this.#occurs(variable.name, type)) return { valid: false, known: false };
    this.#bind(variable.name, type);
    return { valid: true, known: false };
  }

  #occurs(name: string, type: CelType): boolean {
    if (type.kind === 'param') {
      if (type.name === name) return true;
      const current = this.#bound.get(type.name);
      return current !== undefined && this.#occurs(name, current);
    }
    return partsOf(type).some((part) => this.#occurs(name, part));
  }
}

export const isDynOrError = (type: CelType): boolean => type.kind === 'dyn' || type === ERROR;

/** null is assignable to messages, library types, durations, timestamps and optionals, but not to lists or scalars. */
const NULLABLE: ReadonlySet<CelType['kind']> = new Set([
  'null',
  'object',
  'opaque',
  'optional',
  'duration',
  'timestamp',
]);
const isNullable = (type: CelType): boolean => NULLABLE.has(type.kind);

/** Reports whether two types are equal, variables by name. */
function exact(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if ('name' in a && 'name' in b) return a.name === b.name;
  const left = partsOf(a);
  const right = partsOf(b);
  return left.every((part, index) => exact(part, right[index] ?? ERROR));
}

export const mostGeneral = (a: CelType, b: CelType): CelType => (isLessSpecific(a, b) ? a : b);

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if ('name' in a && 'name' in b) return a.name === b.name;
  const left = partsOf(a);
  const right = partsOf(b);
  return left.every((part, index) => isLessSpecific(part, right[index] ?? ERROR));
}

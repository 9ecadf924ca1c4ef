import { getOrCompute } from '../../../core/model/lazily.ts';
import { type Call, type Expr, qualifiedName } from '../ast.ts';
import type { Overload } from '../library.ts';
import { macroNames } from '../macros/index.ts';
import { BOOL, type CelType, DYN, ERROR, mapParts, type TypeParam } from '../types.ts';
import { checkExpr, knownType, mismatch, report } from './checker.ts';
import { callHint, describeCall, fallbackHint, functionHint } from './hints.ts';
import type { Checker } from './index.ts';
import { exact } from './unify.ts';

export function checkCall(c: Checker, expr: Call): CelType {
  for (const arg of expr.args) checkExpr(c, arg);
  if (expr.name === '_&&_' || expr.name === '_||_') return checkLogical(c, expr);
  if (expr.target === undefined) return resolveNamed(c, expr, expr.name.replace(/^\./, ''), undefined);
  const prefix = qualifiedName(expr.target);
  if (prefix !== undefined) {
    const name = `${prefix.replace(/^\./, '')}.${expr.name}`;
    if (c.env.functions(name).length > 0) return resolveNamed(c, expr, name, undefined);
  }
  checkExpr(c, expr.target);
  return resolveNamed(c, expr, expr.name, expr.target);
}

function checkLogical(c: Checker, expr: Call): CelType {
  let fine = true;
  for (const arg of expr.args) {
    const type = knownType(c, arg);
    if (c.unify.assignable(type, BOOL)) continue;
    const hint = expr.name === '_||_' && arg === expr.args[0] ? fallbackHint(arg) : {};
    report(c, arg, mismatch(c, BOOL, type), hint);
    fine = false;
  }
  c.calls.set(expr.id, { name: expr.name, namespaced: false, overloads: [] });
  return fine ? BOOL : ERROR;
}

function resolveNamed(c: Checker, expr: Call, name: string, target: Expr | undefined): CelType {
  const overloads = c.env.functions(name);
  if (overloads.length === 0) {
    const names = [...c.env.functionNames()].filter((known) => /^[a-zA-Z]/.test(known));
    report(
      c,
      expr,
      `undeclared reference to '${name}'`,
      functionHint(name, expr.target !== undefined, [...names, ...macroNames]),
    );
    return ERROR;
  }
  const args = target === undefined ? expr.args : [target, ...expr.args];
  const types = args.map((arg) => knownType(c, arg));
  const found = resolveOverload(c, overloads, types, target !== undefined);
  if (found === undefined) return noOverload(c, expr, name, types, target !== undefined);
  c.calls.set(expr.id, {
    name,
    namespaced: expr.target !== undefined && target === undefined,
    overloads: found.overloads,
  });
  return found.type;
}

/** Reports that a function has other arguments. */
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
    return type.kind === 'param' ? getOrCompute(fresh, type.name, c.unify.fresh) : mapParts(type, rename);
  };
  return { params: overload.params.map(rename), result: rename(overload.result) };
}

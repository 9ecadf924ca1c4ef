import { qualifiedName, type Select } from '../ast.ts';
import { BOOL, type CelType, DYN, type ObjectType, optionalOf } from '../types.ts';
import { type Checker, checkExpr, report, resolveGlobal } from './checker.ts';
import { describeType, ERROR } from './describe.ts';
import { fieldHint, methodHint } from './hints.ts';
import { lookUp } from './scope.ts';
import { isDynOrError } from './unify.ts';

export function checkSelect(c: Checker, expr: Select): CelType {
  const name = qualifiedName(expr);
  if (name !== undefined && !isLocal(c, name)) {
    const type = resolveGlobal(c, expr.id, name.replace(/^\./, ''));
    if (type !== undefined) return type;
  }
  const type = fieldType(c, expr);
  return expr.test ? BOOL : c.unify.resolve(type);
}

const isLocal = (c: Checker, qualified: string): boolean =>
  lookUp(c.scope, qualified.slice(0, qualified.indexOf('.', 1))) !== undefined;

/** Selecting from an optional returns an optional. */
function fieldType(c: Checker, expr: Select): CelType {
  const operand = c.unify.resolve(checkExpr(c, expr.operand));
  const isOptional = operand.kind === 'optional';
  const type = selected(c, expr, isOptional ? operand.value : operand);
  return isOptional || expr.optional ? optionalOf(type) : type;
}

function selected(c: Checker, expr: Select, from: CelType): CelType {
  if (from.kind === 'map') return from.value;
  if (from.kind === 'object') return from.field(expr.field) ?? undefinedField(c, expr, from);
  if (from.kind === 'param') {
    // A free type variable must not be bound to a type without fields later.
    c.unify.assignable(DYN, from);
    return DYN;
  }
  if (!isDynOrError(from)) {
    const message = `type '${describeType(from)}' does not support field selection`;
    report(c, expr, message, methodHint(expr, from, c.env.functions));
  }
  return DYN;
}

function undefinedField(c: Checker, expr: Select, type: ObjectType): CelType {
  report(c, expr, `undefined field '${expr.field}'`, fieldHint(expr.operand, type, expr.field));
  return ERROR;
}

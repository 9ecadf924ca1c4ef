/** The type checker, rule by rule like that of cel-go (checker/checker.go). */

import type { Hint, Remedy } from '../../../core/text/hint.ts';
import { nearestHint } from '../../../core/text/nearest.ts';
import {
  type Bind,
  type Comprehension,
  type Expr,
  type Ident,
  type ListExpr,
  type Literal,
  type MapExpr,
  qualifiedName,
  type Select,
  type StructExpr,
} from '../ast.ts';
import { fieldHint, methodHint } from '../hints.ts';
import {
  BOOL,
  type CelType,
  DYN,
  describeType,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  namedTypes,
  type ObjectType,
  optionalOf,
  typeOf,
} from '../types.ts';
import { checkCall, isDynOrError, mostGeneral, noOverload } from './calls.ts';
import type { Checker } from './index.ts';

function checkSelect(c: Checker, expr: Select): CelType {
  const name = qualifiedName(expr);
  if (name !== undefined && !isLocal(c, name)) {
    const type = resolveGlobal(c, expr.id, name.replace(/^\./, ''));
    if (type !== undefined) return type;
  }
  const type = fieldType(c, expr);
  return expr.test ? BOOL : c.unify.resolve(type);
}

const isLocal = (c: Checker, qualified: string): boolean => c.scope.has(qualified.slice(0, qualified.indexOf('.', 1)));

/** Selecting from an optional returns an optional. */
function fieldType(c: Checker, expr: Select): CelType {
  const operand = c.unify.resolve(checkExpr(c, expr.operand));
  const isOptional = operand.kind === 'optional';
  const type = selected(c, expr, isOptional ? operand.value : operand);
  return isOptional || expr.optional ? optionalOf(type) : type;
}

function selected(c: Checker, expr: Select, from: CelType): CelType {
  if (from.kind === 'map') return from.value;
  if (from.kind === 'object') {
    const type = from.field(expr.field);
    if (type === undefined) reportField(c, expr, from);
    return type ?? ERROR;
  }
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

/** Checks an expression and everything below it; returns its type, with free variables. */
export function checkExpr(c: Checker, expr: Expr): CelType {
  const type = typeOfExpr(c, expr);
  c.types.set(expr.id, type);
  return type;
}

function typeOfExpr(c: Checker, expr: Expr): CelType {
  switch (expr.kind) {
    case 'literal':
      return literalType(expr);
    case 'ident':
      return checkIdent(c, expr);
    case 'select':
      return checkSelect(c, expr);
    case 'call':
      return checkCall(c, expr);
    case 'list':
      return checkList(c, expr);
    case 'map':
      return checkMap(c, expr);
    case 'struct':
      return checkStruct(c, expr);
    case 'comprehension':
      return checkComprehension(c, expr);
    case 'bind':
      return checkBind(c, expr);
  }
}

const literalType = (expr: Literal): CelType => (expr.literal.type === 'null' ? NULL : { kind: expr.literal.type });

function checkIdent(c: Checker, expr: Ident): CelType {
  const local = c.scope.get(expr.name);
  if (local !== undefined) {
    refuseType(c, expr, expr.name, local);
    return local;
  }
  const name = expr.name.replace(/^\./, '');
  const type = resolveGlobal(c, expr.id, name);
  if (type !== undefined) return type;
  report(c, expr, `undeclared reference to '${name}'`, nearestHint(name, c.variables.keys()));
  return ERROR;
}

/** cel-go reads a local variable with a type as its value as the name of a type when it plans the expression. */
function refuseType(c: Checker, at: Expr, name: string, { kind }: CelType): void {
  if (kind === 'type') report(c, at, `reference to undefined type: ${name}`);
}

/** Resolves a variable or, if the environment supports them, the name of a type. */
function resolveGlobal(c: Checker, id: number, name: string): CelType | undefined {
  const variable = c.variables.get(name);
  if (variable !== undefined) {
    c.names.set(id, { kind: 'variable', name });
    return variable;
  }
  const type = c.env.typeNames ? namedTypes.get(name) : undefined;
  if (type === undefined) return undefined;
  c.names.set(id, { kind: 'type', type });
  return typeOf(type);
}

function checkList(c: Checker, expr: ListExpr): CelType {
  let joined: CelType | undefined;
  for (const { value, optional } of expr.elements) {
    const type = checkExpr(c, value);
    joined = join(c, joined, optional ? unwrapped(c, value, type) : type);
  }
  return listOf(joined ?? c.unify.fresh());
}

function checkMap(c: Checker, expr: MapExpr): CelType {
  let keys: CelType | undefined;
  let values: CelType | undefined;
  for (const { key, value, optional } of expr.entries) {
    keys = join(c, keys, checkExpr(c, key));
    const type = checkExpr(c, value);
    values = join(c, values, optional ? unwrapped(c, value, type) : type);
  }
  return mapOf(keys ?? c.unify.fresh(), values ?? c.unify.fresh());
}

/** Returns the common type of elements: dyn if they do not match (cel-go without HomogeneousAggregateLiterals). */
function join(c: Checker, previous: CelType | undefined, current: CelType): CelType {
  if (previous === undefined) return current;
  return c.unify.assignable(previous, current) ? mostGeneral(previous, current) : DYN;
}

/** Returns the type inside an optional, which `[?x]` or `{?k: x}` requires. */
function unwrapped(c: Checker, value: Expr, type: CelType): CelType {
  if (type.kind === 'optional') return type.value;
  if (type.kind !== 'dyn') report(c, value, mismatch(c, optionalOf(type), type));
  return type;
}

export function mismatch(c: Checker, wanted: CelType, found: CelType): string {
  const [a, b] = [wanted, found].map((type) => describeType(c.unify.resolve(type, true)));
  return `expected type '${a}' but found '${b}'`;
}

function reportField(c: Checker, { operand, field, offset }: Select, type: ObjectType): void {
  const hint = fieldHint(operand, type, field);
  const remedies: Remedy[] = [{ kind: 'declare-field', name: field }];
  c.issues.push({ message: `undefined field '${field}'`, offset, ...(hint !== undefined && { hint }), remedies });
}

export function report(c: Checker, { offset }: Expr, message: string, hint?: Hint): void {
  c.issues.push({ message, offset, ...(hint !== undefined && { hint }) });
}

/** No environment here has message types. */
function checkStruct(c: Checker, expr: StructExpr): CelType {
  for (const field of expr.fields) checkExpr(c, field.value);
  report(c, expr, `undeclared reference to '${expr.name}'`);
  return ERROR;
}

function checkBind(c: Checker, expr: Bind): CelType {
  const { name, init, body } = expr;
  const type = checkExpr(c, init);
  refuseType(c, expr, name, type);
  return inScope(c, expr, [[name, type]], () => c.unify.resolve(checkExpr(c, body)));
}

/** Checks what is inside of a comprehension or a bind, which declares variables. */
function inScope(
  c: Checker,
  expr: Comprehension | Bind,
  variables: readonly (readonly [string, CelType])[],
  check: () => CelType,
): CelType {
  const outside = c.scope;
  c.hadScope = true;
  c.loops.set(expr.id, variables);
  c.scope = new Map([...outside, ...variables]);
  const type = check();
  c.scope = outside;
  return type;
}

/** Reports what cel-go finds in the expansion of the macro: a call whose arguments do not match. */
function checkComprehension(c: Checker, expr: Comprehension): CelType {
  const variables = loopVariables(c, expr, c.unify.resolve(checkExpr(c, expr.range)));
  return inScope(c, expr, variables, () => {
    const { does, filter, body } = expr;
    const condition = filter && checkExpr(c, filter);
    const item = checkExpr(c, body);
    if (does === 'all' || does === 'exists') {
      if (!c.unify.assignable(item, BOOL)) report(c, body, mismatch(c, BOOL, item));
      return BOOL;
    }
    if (does === 'existsOne') return chosen(c, body, [item, INT, INT]) && BOOL;
    const result = does === 'list' ? listOf(item) : created(c, expr, variables[0]?.[1] ?? DYN, item);
    if (filter !== undefined && condition !== undefined) chosen(c, filter, [condition, result, result]);
    return c.unify.resolve(result);
  });
}

/** Returns the type of the map that a comprehension creates. */
function created(c: Checker, { does, body }: Comprehension, key: CelType, item: CelType): CelType {
  if (does === 'map') return mapOf(key, item);
  const map = mapOf(c.unify.fresh(), c.unify.fresh());
  if (!c.unify.assignable(map, item)) noOverload(c, body, 'cel.@mapInsert', [map, item]);
  return map;
}

/** Checks the condition of a filter, the first of three operands of `?:` in cel-go. */
function chosen(c: Checker, condition: Expr, types: readonly [CelType, CelType, CelType]): CelType {
  if (!c.unify.assignable(types[0], BOOL)) noOverload(c, condition, '_?_:_', types);
  return types[1];
}

function loopVariables(c: Checker, expr: Comprehension, rangeType: CelType): [string, CelType][] {
  const [first, second] = rangeTypes(c, expr, rangeType);
  if (expr.variable2 !== undefined)
    return [
      [expr.variable, first],
      [expr.variable2, second],
    ];
  return [[expr.variable, rangeType.kind === 'list' ? second : first]];
}

/** Returns the types of index or key, and value, of the range of a comprehension. */
function rangeTypes(c: Checker, expr: Comprehension, rangeType: CelType): [CelType, CelType] {
  if (rangeType.kind === 'list') return [INT, rangeType.element];
  if (rangeType.kind === 'map') return [rangeType.key, rangeType.value];
  if (rangeType.kind === 'dyn' || rangeType.kind === 'param' || rangeType === ERROR) {
    // A free type variable must not be bound to a narrower type later.
    c.unify.assignable(DYN, rangeType);
    return [DYN, DYN];
  }
  const name = describeType(c.unify.resolve(rangeType, true));
  const message = `expression of type '${name}' cannot be range of a comprehension (must be list, map, or dynamic)`;
  report(c, expr.range, message);
  return [ERROR, ERROR];
}

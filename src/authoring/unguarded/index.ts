/**
 * Finds expressions that read an optional field of the instance without a guard, and so fail or are pending if it is
 * absent.
 */
import type { CompiledExpression, Graph, GraphNode } from '../../kro/compile/index.ts';
import { type Schema, valueSchema } from '../../kubernetes/schema/index.ts';
import { children, type Expr } from '../../languages/cel/index.ts';

/** The names of fields below `spec`; ITEM stands for any item of a list and any value of a map. */
export type FieldPath = readonly string[];
export const ITEM = '*';

export interface UnguardedRead {
  /** The read field. */
  path: FieldPath;
  node: GraphNode;
  expression: CompiledExpression;
  expr: Expr;
}

/**
 * Returns the reads of a graph that no `has()`, `?` or condition guards; including required fields and those with a
 * default.
 */
export function unguardedReads({ nodes }: Graph): UnguardedRead[] {
  return nodes.flatMap((node) => {
    const reads: UnguardedRead[] = [];
    const scope = new Map(
      node.forEach.map(({ name, expression }) => [name, itemOf(resolve(expression.parsed.root, new Map()))]),
    );
    const conditions = node.includeWhen.flatMap(({ parsed }) => testedIn(parsed.root, scope));
    const guards = new Set(conditions.map(keyOf));
    const all = [...node.includeWhen, ...node.forEach.map(({ expression }) => expression), ...node.expressions];
    for (const expression of all) {
      visit(expression.parsed.root, scope, guards, (path, expr) => reads.push({ path, node, expression, expr }));
    }
    return reads;
  });
}

/** Returns the optional fields without a default on a path, outermost first. */
export function optionalOn(graph: Graph, path: FieldPath): FieldPath[] {
  const found: FieldPath[] = [];
  let schema: Schema | undefined = graph.schema.properties?.spec;
  let given: unknown;
  for (const [index, name] of path.entries()) {
    if (schema === undefined) break;
    const isField = name !== ITEM && schema.properties !== undefined;
    const field: Schema | undefined = isField ? schema.properties?.[name] : itemSchema(schema);
    const isGiven = typeof given === 'object' && given !== null && Object.hasOwn(given, name);
    if (isField && field !== undefined && field.default === undefined && !isGiven) {
      if (schema.required?.includes(name) !== true) found.push(path.slice(0, index + 1));
    }
    given = field?.default;
    schema = field;
  }
  return found;
}

/** Returns a text for a set or a map of paths. */
export const keyOf = (path: FieldPath): string => path.join('\0');

const itemSchema = (schema: Schema): Schema | undefined => schema.items ?? valueSchema(schema);

type Scope = ReadonlyMap<string, FieldPath | undefined>;
type OnRead = (path: FieldPath, expr: Expr) => void;

function visit(expr: Expr, scope: Scope, guards: ReadonlySet<string>, onRead: OnRead): void {
  const path = expr.kind === 'ident' ? undefined : resolve(expr, scope);
  if (path !== undefined) {
    if (!isGuarded(path, guards)) onRead(path, expr);
    visitIndexes(expr, scope, guards, onRead);
    return;
  }
  if (expr.kind === 'comprehension') {
    const item = itemOf(resolve(expr.range, scope));
    const inner = new Map(scope).set(expr.accumulator, undefined);
    inner.set(expr.variable, expr.variable2 === undefined ? item : undefined);
    if (expr.variable2 !== undefined) inner.set(expr.variable2, item);
    visit(expr.range, scope, guards, onRead);
    visit(expr.init, scope, guards, onRead);
    const within = withTested([expr.condition, expr.step], inner, guards);
    for (const part of [expr.condition, expr.step, expr.result]) visit(part, inner, within, onRead);
    return;
  }
  const isLogic = expr.kind === 'call' && ['_?_:_', '_&&_', '_||_'].includes(expr.name);
  const known = isLogic ? withTested(children(expr), scope, guards) : guards;
  for (const child of children(expr)) visit(child, scope, known, onRead);
}

/** Visits the expressions in the brackets of a chain. */
function visitIndexes(expr: Expr, scope: Scope, guards: ReadonlySet<string>, onRead: OnRead): void {
  if (expr.kind === 'select') visitIndexes(expr.operand, scope, guards, onRead);
  if (expr.kind !== 'call') return;
  const [operand, index] = expr.args;
  if (operand !== undefined) visitIndexes(operand, scope, guards, onRead);
  if (index !== undefined) visit(index, scope, guards, onRead);
}

/** Adds the tests of a condition to its arms; `&&` and `||` evaluate their sides in any order. */
const withTested = (exprs: readonly Expr[], scope: Scope, guards: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...guards, ...exprs.flatMap((expr) => testedIn(expr, scope)).map(keyOf)]);

function testedIn(expr: Expr, scope: Scope): FieldPath[] {
  const inside = children(expr).flatMap((child) => testedIn(child, scope));
  const tested = testOf(expr);
  const above = tested && resolve(tested.operand, scope);
  return above === undefined ? inside : [...inside, [...above, tested?.field ?? ITEM]];
}

function testOf(expr: Expr): { operand: Expr; field: string } | undefined {
  if (expr.kind === 'select' && (expr.test || expr.optional)) return { operand: expr.operand, field: expr.field };
  if (expr.kind !== 'call') return undefined;
  const [first, second] = expr.args;
  if (expr.name === '_[?_]' && first !== undefined) return { operand: first, field: literalText(second) ?? ITEM };
  // `"a" in schema.spec.map`
  return expr.name === '@in' && second !== undefined
    ? { operand: second, field: literalText(first) ?? ITEM }
    : undefined;
}

/** Reports whether a field is guarded, itself or by a parent. */
const isGuarded = (path: FieldPath, guards: ReadonlySet<string>): boolean =>
  path.some((_, index) => guards.has(keyOf(path.slice(0, index + 1))));

/** Returns the field below `spec` that a chain without `?` and `has()` reads; [] for `schema.spec` itself. */
function resolve(expr: Expr, scope: Scope): FieldPath | undefined {
  if (expr.kind === 'ident') return scope.get(expr.name);
  if (expr.kind === 'select') {
    if (expr.test || expr.optional) return undefined;
    const { operand, field } = expr;
    if (operand.kind === 'ident' && operand.name === 'schema' && !scope.has('schema')) {
      return field === 'spec' ? [] : undefined;
    }
    const above = resolve(operand, scope);
    return above && [...above, field];
  }
  if (expr.kind !== 'call' || expr.name !== '_[_]' || expr.args[0] === undefined) return undefined;
  const above = resolve(expr.args[0], scope);
  return above && [...above, literalText(expr.args[1]) ?? ITEM];
}

const literalText = (expr: Expr | undefined): string | undefined =>
  expr?.kind === 'literal' && expr.literal.type === 'string' ? expr.literal.value : undefined;

const itemOf = (path: FieldPath | undefined): FieldPath | undefined => path && [...path, ITEM];

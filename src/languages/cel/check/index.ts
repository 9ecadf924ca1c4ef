import { type Call, type CelIssue, children, type Expr, subExpressions } from '../ast.ts';
import type { Environment } from '../environment.ts';
import { checkFormat, VERSION_2_TYPES } from '../library/format.ts';
import type { Overload } from '../library.ts';
import type { ParsedExpression } from '../parse/index.ts';
import { compileRegex } from '../regex.ts';
import { type CelType, DYN } from '../types.ts';
import { EvaluationError, outcomeOf } from '../value/values.ts';
import { substitutions } from './calls.ts';
import { checkExpr, type Scope } from './checker.ts';

type CheckResult = { ok: true; checked: CheckedExpression } | { ok: false; issues: CelIssue[] };

/** Type-checks an expression; reports all errors at once. */
export function check(env: Environment, parsed: ParsedExpression, variables: Variables): CheckResult {
  const checker = run(env, parsed, variables);
  const { types } = checker;
  const issues = checker.issues.length > 0 ? checker.issues : constantIssues(parsed.root, checker);
  if (issues.length > 0) return { ok: false, issues: onePerPlace(issues) };
  const { calls, names } = checker;
  return { ok: true, checked: { parsed, type: types.get(parsed.root.id) ?? DYN, types, calls, names } };
}

/** The variables that an expression may read, with their types. */
export type Variables = Pick<ReadonlyMap<string, CelType>, 'get'> & { keys(): Iterable<string> };

/** One run of the checker. */
const newChecker = (env: Environment, variables: Variables) => ({
  env,
  variables,
  unify: substitutions(),
  types: new Map<number, CelType>(),
  calls: new Map<number, ResolvedCall>(),
  names: new Map<number, Resolved>(),
  /** The variables of each comprehension. */
  loops: new Map<number, readonly (readonly [string, CelType])[]>(),
  issues: [] as CelIssue[],
  scope: undefined as Scope | undefined,
  /**
   * Whether a comprehension was entered: after it cel-go compares numbers of two types, because entering and leaving
   * scopes resets what the environment disables (checker/env.go, enterScope and exitScope).
   */
  hadScope: false,
});
export type Checker = ReturnType<typeof newChecker>;

function run(env: Environment, { root }: ParsedExpression, variables: Variables): Checker {
  const checker = newChecker(env, variables);
  checkExpr(checker, root);
  const { types, unify } = checker;
  for (const [id, type] of types) types.set(id, unify.resolve(type, true));
  return checker;
}

/** The known parts of an expression that may be invalid, by node id. */
export interface InspectedExpression extends Omit<CheckedExpression, 'type'> {
  /** The variables of each comprehension. */
  readonly loops: ReadonlyMap<number, readonly (readonly [string, CelType])[]>;
}

/** Infers the types of an incomplete expression. */
export function inspect(env: Environment, parsed: ParsedExpression, variables: Variables): InspectedExpression {
  const { types, calls, names, loops, unify } = run(env, parsed, variables);
  for (const [id, variables] of loops) {
    loops.set(
      id,
      variables.map(([name, type]) => [name, unify.resolve(type, true)]),
    );
  }
  return { parsed, types, calls, names, loops };
}

/**
 * Sorts issues by position. The expansion of a macro may have several at one position, of which only the first is kept.
 */
function onePerPlace(issues: readonly CelIssue[]): CelIssue[] {
  const places = new Map<number, CelIssue>();
  for (const issue of issues) if (!places.has(issue.offset)) places.set(issue.offset, issue);
  return [...places.values()].sort((a, b) => a.offset - b.offset);
}

/**
 * Reports constants that cel-go rejects when it plans an expression, whether or not they are reached: formats that do
 * not match their arguments, patterns of the Kubernetes regex functions that do not compile, and invalid indexes.
 */
const constantIssues = (root: Expr, checker: Checker): CelIssue[] =>
  [...subExpressions(root)].flatMap((expr) => {
    if (expr.kind !== 'call') return [];
    const { name, args } = expr;
    return (
      formatIssue(expr, checker) ?? indexIssue(name, args[1]) ?? patternIssue(checker.calls.get(expr.id), args[0]) ?? []
    );
  });

/** Checks `"...".format([...])` of two literals, as the validator of cel-go's strings library does. */
function formatIssue({ name, args, target, offset }: Call, { types, env }: Checker): CelIssue | undefined {
  const [list] = args;
  if (name !== 'format' || target?.kind !== 'literal' || target.literal.type !== 'string' || list?.kind !== 'list')
    return undefined;
  const typeOf = (value: Expr): CelType => types.get(value.id) ?? DYN;
  const rules = env.formatsAsVersion2 ? VERSION_2_TYPES : undefined;
  const fault = checkFormat(target.literal.value, children(list), typeOf, rules);
  return fault && { message: fault.message, offset: fault.offset ?? offset };
}

function indexIssue(name: string, index: Expr | undefined): CelIssue | undefined {
  if ((name !== '_[_]' && name !== '_[?_]') || index?.kind !== 'literal') return undefined;
  const { type } = index.literal;
  if (type !== 'null' && type !== 'bytes') return undefined;
  return { message: `a value of type ${type} cannot be an index`, offset: index.offset };
}

const WITH_PATTERN = new Set(['find', 'findAll']);

function patternIssue(call: ResolvedCall | undefined, pattern: Expr | undefined): CelIssue | undefined {
  if (call === undefined || !WITH_PATTERN.has(call.name) || pattern?.kind !== 'literal') return undefined;
  const { literal } = pattern;
  const compiled = literal.type === 'string' ? outcomeOf(() => compileRegex(literal.value)) : undefined;
  return compiled instanceof EvaluationError ? { message: compiled.message, offset: pattern.offset } : undefined;
}

/** The meaning of a name. */
type Resolved = { kind: 'variable'; name: string } | { kind: 'local'; name: string } | { kind: 'type'; type: CelType };

/** A type-checked expression, with the results for each node, by node id. */
export interface CheckedExpression {
  readonly parsed: ParsedExpression;
  /** The type of the whole expression. */
  readonly type: CelType;
  readonly types: ReadonlyMap<number, CelType>;
  /** The possible overloads of a call: one, unless dyn arguments leave several. */
  readonly calls: ReadonlyMap<number, ResolvedCall>;
  /** Identifiers, and selections that form a qualified name. */
  readonly names: ReadonlyMap<number, Resolved>;
}

export interface ResolvedCall {
  readonly name: string;
  /** The target is a namespace (`lists` in `lists.range(3)`), not an argument. */
  readonly namespaced: boolean;
  readonly overloads: readonly Overload[];
}

import { phrase } from '../../core/diagnostics/index.ts';
import type { Path, Value } from '../../core/model/value.ts';
import {
  type CelType,
  CONDITION_STATUSES,
  CONDITION_TYPE,
  type Expr,
  RUNTIME_TYPE,
  RUNTIME_VARIABLE,
  subExpressions,
} from '../../languages/cel/index.ts';
import { typeText } from './declared-type.ts';
import { compileStandalone, type Scope } from './expression.ts';
import { layered } from './graph.ts';
import type { CompiledExpression } from './template-program.ts';

/** Why `runtime` cannot be read outside of conditions, by name: kro injects it there only. */
export const RUNTIME_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  [RUNTIME_VARIABLE, `'${RUNTIME_VARIABLE}' is available in status.conditions only`],
]);

/** The conditions of kro on every instance; only these can be looked up on `schema`. */
const BUILT_IN = ['InstanceManaged', 'GraphResolved', 'ResourcesReady', 'WatchesHealthy', 'Ready'];

/** Compiles `status.conditions`: a list of expressions that return conditions (kro: buildConditions). */
export function compileConditions(conditions: Value | undefined, path: Path, scope: Scope): CompiledExpression[] {
  if (conditions === undefined) return [];
  // Errors that kro reports only since 0.9.3.
  const severity = scope.strict ? 'error' : 'warning';
  const fault = (message: string, at: Path, offset?: number): void =>
    scope.report({ code: 'status-conditions', message: phrase`${message}`, path: at, severity, offset });
  if (!Array.isArray(conditions)) {
    fault('status.conditions must be a list of expressions that yield conditions', path);
    return [];
  }
  const own = withRuntime(scope);
  const compiled = conditions.flatMap((text, index) => {
    const at = [...path, index];
    if (typeof text !== 'string') {
      fault('a condition must be an expression', at);
      return [];
    }
    const expression = compileStandalone({ text, path: at, what: 'a condition' }, own);
    if (expression === undefined) return [];
    if (!yieldsCondition(expression.type)) {
      const got = typeText(expression.type);
      fault(`a condition must be runtime.newCondition(...) or a list of them, got ${got}`, at, expression.offset);
    }
    return [expression];
  });
  checkCalls(compiled, fault);
  return compiled;
}

function withRuntime(scope: Scope): Scope {
  return {
    ...scope,
    forbidden: { get: (name) => (name === RUNTIME_VARIABLE ? undefined : scope.forbidden.get(name)) },
    variables: layered(new Map([[RUNTIME_VARIABLE, RUNTIME_TYPE]]), scope.variables),
    slots: layered(new Map([[RUNTIME_VARIABLE, scope.slots.size]]), scope.slots),
  };
}

function yieldsCondition(type: CelType): boolean {
  const single = type.kind === 'list' ? type.element : type;
  return single.kind === 'dyn' || ('name' in single && single.name === CONDITION_TYPE.name);
}

/** Checks the literals (kro: validateConditionExpressions). */
function checkCalls(
  conditions: readonly CompiledExpression[],
  fault: (message: string, path: Path, offset: number) => void,
): void {
  const declaredBy = new Map<string, CompiledExpression>();
  const calls = conditions.flatMap((expression) => runtimeCalls(expression).map((call) => ({ expression, call })));
  for (const { expression, call } of calls) {
    const at = expression.offset + call.offset;
    const status = literalEntry(call, 'status');
    if (status !== undefined && !CONDITION_STATUSES.includes(status)) {
      fault(`the status of a condition is ${CONDITION_STATUSES.join(', ')}, not '${status}'`, expression.path, at);
    }
    const type = literalEntry(call, 'type');
    if (type === undefined) continue;
    if (type === '') fault('the type of a condition may not be empty', expression.path, at);
    const other = declaredBy.get(type) ?? expression;
    declaredBy.set(type, other);
    if (other !== expression)
      fault(`the condition '${type}' is declared by another entry already`, expression.path, at);
  }
  for (const { expression, call } of calls) {
    const wanted = lookedUpOnSchema(call);
    if (wanted === undefined || BUILT_IN.includes(wanted)) continue;
    const reason = declaredBy.has(wanted)
      ? 'conditions cannot read each other'
      : `it is none of ${BUILT_IN.join(', ')}`;
    fault(
      `the condition '${wanted}' cannot be looked up on schema: ${reason}`,
      expression.path,
      expression.offset + call.offset,
    );
  }
}

type RuntimeCall = Extract<Expr, { kind: 'call' }>;

function runtimeCalls(expression: CompiledExpression): RuntimeCall[] {
  return [...subExpressions(expression.parsed.root)].filter(
    (expr): expr is RuntimeCall =>
      expr.kind === 'call' && expr.target?.kind === 'ident' && expr.target.name === RUNTIME_VARIABLE,
  );
}

const literalString = (expr: Expr | undefined): string | undefined =>
  expr?.kind === 'literal' && expr.literal.type === 'string' ? expr.literal.value : undefined;

function literalEntry(call: RuntimeCall, key: string): string | undefined {
  const [given] = call.args;
  if (call.name !== 'newCondition' || given?.kind !== 'map') return undefined;
  return literalString(given.entries.find((entry) => literalString(entry.key) === key)?.value);
}

function lookedUpOnSchema(call: RuntimeCall): string | undefined {
  const [object, type] = call.args;
  if (call.name !== 'condition' || object?.kind !== 'ident' || object.name !== 'schema') return undefined;
  return literalString(type);
}

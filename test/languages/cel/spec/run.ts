import { children, type Expr, qualifiedName } from '../../../../src/languages/cel/ast.ts';
import type { CheckedExpression, ResolvedCall } from '../../../../src/languages/cel/check/index.ts';
import {
  check,
  createBudget,
  createEnvironment,
  type Environment,
  parse,
  plan,
} from '../../../../src/languages/cel/index.ts';
import { encoders } from '../../../../src/languages/cel/library/encoders.ts';
import { lists } from '../../../../src/languages/cel/library/lists.ts';
import { optionals } from '../../../../src/languages/cel/library/optionals.ts';
import { strings } from '../../../../src/languages/cel/library/strings.ts';
import type { Library, Overload } from '../../../../src/languages/cel/library.ts';
import type { ParsedExpression } from '../../../../src/languages/cel/parse/parser.ts';
import { type CelType, describeType } from '../../../../src/languages/cel/types.ts';
import { equalValues } from '../../../../src/languages/cel/value/equal.ts';
import { type CelValue, EvaluationError, kindOf } from '../../../../src/languages/cel/value/values.ts';
import { decodeType, decodeValue } from './decode.ts';
import type { SpecTest } from './suite.ts';

const LIBRARIES = [encoders, lists, optionals, strings];
const OPTIONS = { typeNames: true, crossTypeComparisons: true, uniqueKeys: true };

/** Returns the error of a test of the specification, `undefined` if it passes. */
export function failureOf(test: SpecTest): string | undefined {
  const env = createEnvironment([...LIBRARIES, declared(test)], OPTIONS);
  const parsed = parse(test.expr);
  if (!parsed.ok) return expectsError(test) ? undefined : `syntax: ${parsed.issue.message}`;
  const types = variableTypes(test);
  const checked = test.disableCheck ? unchecked(env, parsed.expression, types) : undefined;
  const result = checked === undefined ? check(env, parsed.expression, types) : { ok: true as const, checked };
  if (!result.ok) {
    return expectsError(test) ? undefined : `check: ${result.issues.map(({ message }) => message).join('; ')}`;
  }
  const wantedType = test.typedResult?.deducedType;
  if (wantedType !== undefined) {
    const [wanted, found] = [describeType(decodeType(wantedType)), describeType(result.checked.type)];
    if (wanted !== found) return `type is ${found}, not ${wanted}`;
  }
  return test.checkOnly ? undefined : outcome(test, env, result.checked, types);
}

const expectsError = (test: SpecTest): boolean => test.evalError !== undefined || test.anyEvalErrors !== undefined;

function outcome(
  test: SpecTest,
  env: Environment,
  checked: CheckedExpression,
  types: ReadonlyMap<string, CelType>,
): string | undefined {
  const names = [...types.keys()];
  const bindings = test.bindings ?? {};
  const activation = names.map((name) => (bindings[name] ? decodeValue(bindings[name].value) : undefined));
  let value: CelValue;
  try {
    value = plan(env, checked, names).run(activation, createBudget());
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return expectsError(test) ? undefined : `error: ${error.message}`;
  }
  if (expectsError(test)) return 'no error';
  const wanted = decodeValue(test.value ?? test.typedResult?.result ?? { boolValue: true });
  return sameValue(wanted, value) ? undefined : `gives ${show(value)}, not ${show(wanted)}`;
}

/** Reports whether values are equal and of one type; NaN equals itself here. */
function sameValue(a: CelValue, b: CelValue): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Object.is(a, b) || a === b;
  return kindOf(a) === kindOf(b) && equalValues(a, b);
}

const show = (value: CelValue): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part)) ?? '';

function variableTypes(test: SpecTest): Map<string, CelType> {
  const types = new Map<string, CelType>();
  for (const { name, ident } of test.typeEnv ?? []) if (ident) types.set(name, decodeType(ident.type));
  if (test.disableCheck) {
    for (const name of Object.keys(test.bindings ?? {})) if (!types.has(name)) types.set(name, { kind: 'dyn' });
  }
  return types;
}

function declared(test: SpecTest): Library {
  const overloads: Overload[] = [];
  for (const { name, function: declaration } of test.typeEnv ?? []) {
    for (const overload of declaration?.overloads ?? []) {
      overloads.push({
        name,
        member: overload.isInstanceFunction ?? false,
        params: (overload.params ?? []).map(decodeType),
        result: decodeType(overload.resultType),
        call: () => null,
      });
    }
  }
  return overloads;
}

/** Replaces the checker for tests without one: names are variables, calls are resolved at run time. */
function unchecked(env: Environment, parsed: ParsedExpression, types: ReadonlyMap<string, CelType>): CheckedExpression {
  const calls = new Map<number, ResolvedCall>();
  const visit = (expr: Expr): void => {
    if (expr.kind === 'call') {
      const joined = `${expr.target && qualifiedName(expr.target)}.${expr.name}`;
      const namespaced = env.functions(joined).length > 0;
      const name = namespaced ? joined : expr.name;
      const count = expr.args.length + (expr.target !== undefined && !namespaced ? 1 : 0);
      const member = expr.target !== undefined && !namespaced;
      const overloads = env
        .functions(name)
        .filter((overload) => overload.member === member && overload.params.length === count);
      calls.set(expr.id, { name, namespaced, overloads });
    }
    for (const child of children(expr)) visit(child);
  };
  visit(parsed.root);
  const typeNames = check(env, parsed, types);
  const names = typeNames.ok ? typeNames.checked.names : new Map();
  return { parsed, type: { kind: 'dyn' }, types: new Map(), calls, names };
}

import { getOrCompute } from '../../core/model/lazily.ts';
import { type Allowance, MAX_RULE_MESSAGE, spend } from '../../core/model/limits.ts';
import {
  type Budget,
  type CelValue,
  EvaluationError,
  fixedFailure,
  outcomeOf,
  Unreadable,
} from '../../languages/cel/index.ts';
import type { VARIABLES } from './environment.ts';
import { type Possible, possibleResults, type Results, readsUnknown, type Situation } from './possible.ts';
import type { Binding, Expression, Policy, Validation } from './read.ts';

/** What the evaluation of expressions met that only a cluster knows. */
export interface Watch {
  met: Missing | undefined;
}

/** What only a cluster knows: a reason for a decision that is not made. */
export type Missing =
  | 'a Secret'
  | 'authorizer'
  | 'budget'
  | 'conversion'
  | 'cost'
  | 'fields that the API server sets'
  | 'namespace'
  | 'params'
  | 'request.options'
  | 'the user';

/** A value that only a cluster knows: reading it is an error, which is noted. */
export class Unknown extends Unreadable {
  constructor(what: Missing, watch: Watch) {
    const error = fixedFailure(`only a cluster knows ${what}`);
    super(error);
    Object.defineProperty(this, 'reason', {
      get: () => {
        watch.met ??= what;
        return error;
      },
    });
  }
}

/** The values of variables, some of which are unknown. */
export type Given = Readonly<
  Record<Exclude<(typeof VARIABLES)[number], 'variables' | `authorizer${string}`>, CelValue | Unknown>
>;

/** A denial of one policy for one parameter. */
export interface Denial {
  /** Absent for a condition, and for an error of the configuration. */
  expression?: Expression;
  message: string;
  /** The message without values of objects. */
  plain: string;
  /** Why the result of messageExpression is not known. */
  unknownMessage?: Missing | undefined;
  /** Reports whether the expression denies another object. */
  denies?(object: CelValue): boolean;
}

export interface Verdict {
  denials: readonly Denial[];
  /** Why another expression is not decided. */
  undecided?: Missing | undefined;
}

/** Evaluates a policy for one request and parameter (k8s.io/apiserver/pkg/admission/plugin/policy/validating). */
export function evaluate(policy: Policy, given: Given, budget: Budget, watch: Watch, evaluations: Allowance): Verdict {
  const run = runner(policy, given, budget, watch);
  const inConditions =
    policy.conditions.length === 0 ? run : runner(policy, { ...given, namespaceObject: null }, budget, watch);
  const failed = (expression: Expression | undefined, message: string, plain: string): Denial[] =>
    policy.ignoresFailures ? [] : [{ ...(expression && { expression }), message, plain }];
  const errors: string[] = [];
  // Whether the policy applies at all, and whether a condition may fail, which rejects the request.
  let mayNotApply: Missing | undefined;
  let mayFail: Missing | undefined;
  for (const condition of policy.conditions) {
    const result = inConditions(condition);
    if (result.value === false) return { denials: [] };
    if (result.error !== undefined) errors.push(failure(condition, result.error));
    if (result.missing === undefined) continue;
    if (result.results === undefined || result.results.false) mayNotApply ??= result.missing;
    else if (result.results.fails) mayFail ??= result.missing;
  }
  if (mayNotApply !== undefined) return { denials: [], undecided: mayNotApply };
  if (errors.length > 0) {
    const all = [...new Set(errors)];
    const message = all.length === 1 ? (all[0] as string) : `[${all.join(', ')}]`;
    return { denials: failed(policy.conditions[0], message, 'a match condition fails') };
  }
  let undecided = mayFail;
  const refused = (expression: Expression): Denial[] => {
    const result = run(expression);
    if (result.error !== undefined)
      return failed(expression, failure(expression, result.error), `the expression '${expression.text}' fails`);
    const isValidation = 'message' in expression;
    if (!isValidation || !isDenied(result, policy.ignoresFailures)) {
      if (!isAdmitted(result, policy.ignoresFailures)) undecided ??= result.missing;
      return [];
    }
    const denies = (object: CelValue): boolean =>
      spend(evaluations, 1) &&
      isDenied(runner(policy, { ...given, object }, budget, watch)(expression), policy.ignoresFailures);
    return [{ ...denialOf(expression as Validation, run), denies }];
  };
  const denials = [...policy.validations, ...policy.annotations].flatMap(refused);
  // If a condition fails and failures are ignored, the policy does not apply.
  if (mayFail !== undefined && policy.ignoresFailures) return { denials: [], undecided: mayFail };
  return { denials, undecided: denials.length > 0 && mayFail !== undefined ? undefined : undecided };
}

/** The result of an expression: a value, an error, or what only a cluster knows. */
interface Result {
  value?: CelValue;
  error?: string;
  missing?: Missing;
  /** The results that it may have in a cluster; absent if nothing is known of them. */
  results?: Results;
}

/** Reports whether every result that a validation may have rejects the request. */
function isDenied({ value, missing, results }: Result, ignoresFailures: boolean): boolean {
  if (missing === undefined) return value !== true;
  if (results === undefined) return false;
  return !results.true && !(ignoresFailures && results.fails);
}

/** Reports whether no result that it may have does. */
function isAdmitted({ missing, results }: Result, ignoresFailures: boolean): boolean {
  if (missing === undefined) return true;
  if (results === undefined) return false;
  return !results.false && !(results.fails && !ignoresFailures);
}

type Evaluate = (expression: Expression) => Result;

const failure = ({ text }: Expression, error: string): string => `expression '${text}' resulted in error: ${error}`;

function denialOf(validation: Validation, run: Evaluate): Denial {
  const { text, message, messageExpression } = validation;
  const plain = message.trim() || `failed expression: ${text.trim()}`;
  const { value, missing }: Result = messageExpression === undefined ? {} : run(messageExpression);
  const computed = typeof value === 'string' ? value.trim() : '';
  const isUsed = computed !== '' && computed.length <= MAX_RULE_MESSAGE && !computed.includes('\n');
  return { expression: validation, message: isUsed ? computed : plain, plain, unknownMessage: missing };
}

const AUTHORIZER = new Set(['authorizer']);
const AUTHORIZER_AND_NAMESPACE = new Set(['authorizer', 'namespaceObject']);

/** Returns a function that evaluates expressions; each variable of the policy is evaluated at most once. */
function runner(policy: Policy, given: Given, budget: Budget, watch: Watch): Evaluate {
  const variables: Record<string, CelValue> = {};
  // In the order of VARIABLES; an unknown variable is not set.
  const { object, oldObject, params, request, namespaceObject } = given;
  const namespace = namespaceObject instanceof Unknown ? undefined : namespaceObject;
  const activation = [object, oldObject, params, request, namespace, undefined, undefined, variables];
  const unknown = namespace === undefined ? AUTHORIZER_AND_NAMESPACE : AUTHORIZER;
  const runProgram: Situation['run'] = (program, values) => {
    watch.met = undefined;
    try {
      return { value: program.run(values, budget) };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      return { error, metUnknown: watch.met !== undefined };
    }
  };
  const known = new Map<string, Result>();
  const resultOf = (name: string): Result | undefined => {
    const variable = policy.variables.get(name);
    return variable && getOrCompute(known, name, () => evaluateOne(variable));
  };
  const situation: Situation = {
    activation,
    unknown,
    budget,
    run: runProgram,
    variable: (name) => {
      const result = resultOf(name);
      return result?.results && { kind: 'unknown', ...result.results };
    },
  };
  const resultsOf = ({ checked }: Expression): Possible | undefined => {
    const possible = outcomeOf(() => possibleResults(checked, situation));
    return possible instanceof EvaluationError ? undefined : possible;
  };
  const evaluateOne = (expression: Expression): Result => {
    const result = runProgram(expression.program, activation);
    if ('value' in result) return { value: result.value };
    const { error } = result;
    if (error.kind === 'budget') return { missing: 'cost' };
    // An operator may have absorbed the error of an unknown variable.
    const missing = watch.met ?? missingVariable(expression, unknown);
    if (missing === undefined) return { error: error.message };
    const possible = resultsOf(expression);
    if (possible?.kind === 'failure') return { error: possible.error.message };
    if (possible?.kind === 'value') return { value: possible.value };
    return { missing, ...(possible && { results: possible }) };
  };
  for (const name of policy.variables.keys()) {
    Object.defineProperty(variables, name, {
      enumerable: true,
      get: () => {
        const before = watch.met;
        const result = resultOf(name) as Result;
        watch.met = before ?? result.missing;
        if (result.value !== undefined) return result.value;
        throw fixedFailure(`composited variable "${name}" fails to evaluate: ${result.error ?? ''}`);
      },
    });
  }
  return evaluateOne;
}

/** Returns what an expression reads that no value is known of, by its parse tree: its literals are no reads. */
function missingVariable({ parsed }: Expression, unknown: ReadonlySet<string>): Missing | undefined {
  if (readsUnknown(parsed.root, AUTHORIZER)) return 'authorizer';
  return readsUnknown(parsed.root, unknown) ? 'namespace' : undefined;
}

/** Policies that may select an operation, and were not evaluated because the limit was reached before. */
export interface Skipped {
  skipped: readonly Policy[];
}

/** What a policy decides about an operation; a policy that admits it has no decision. */
export type Decision = { policy: Policy; binding: Binding } & (
  | { action: 'Deny' | 'Warn' | 'Audit'; denial: Denial; usesSecret: boolean }
  | { undecided: Missing }
);

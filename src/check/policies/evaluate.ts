import { getOrCompute } from '../../core/model/lazily.ts';
import { type Allowance, MAX_RULE_MESSAGE, spend } from '../../core/model/limits.ts';
import {
  type Budget,
  type CelValue,
  EvaluationError,
  fixedFailure,
  outcomeOf,
  type Program,
  Unreadable,
} from '../../languages/cel/index.ts';
import type { VARIABLES } from './environment.ts';
import {
  type Activation,
  type Possible,
  possibleResults,
  type Results,
  type Run,
  readsUnknown,
  type Situation,
} from './possible.ts';
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
  const run = new Runner(policy, given, budget, watch);
  const inConditions =
    policy.conditions.length === 0 ? run : new Runner(policy, { ...given, namespaceObject: null }, budget, watch);
  const { applies, denials: failures, mayFail } = conditionsOf(policy, inConditions);
  if (applies !== true) return { denials: failures, undecided: applies === false ? undefined : applies };
  let undecided = mayFail;
  const refused = (expression: Expression): Denial[] => {
    const result = run.resultOf(expression);
    if (result.error !== undefined) {
      const plain = `the expression '${expression.text}' fails`;
      return failed(policy, expression, failure(expression, result.error), plain);
    }
    const isValidation = 'message' in expression;
    if (!isValidation || !isDenied(result, policy.ignoresFailures)) {
      if (!isAdmitted(result, policy.ignoresFailures)) undecided ??= result.missing;
      return [];
    }
    const denies = (object: CelValue): boolean =>
      spend(evaluations, 1) &&
      isDenied(new Runner(policy, { ...given, object }, budget, watch).resultOf(expression), policy.ignoresFailures);
    return [{ ...denialOf(expression as Validation, run), denies }];
  };
  const denials = [...policy.validations, ...policy.annotations].flatMap(refused);
  // If a condition fails and failures are ignored, the policy does not apply.
  if (mayFail !== undefined && policy.ignoresFailures) return { denials: [], undecided: mayFail };
  return { denials, undecided: denials.length > 0 && mayFail !== undefined ? undefined : undecided };
}

/** What the match conditions of a policy decide. */
interface Conditions {
  /** Whether the policy applies, or why that is not known. A condition that fails rejects the request: it does not. */
  applies: boolean | Missing;
  denials: readonly Denial[];
  /** Why a condition may fail in a cluster. */
  mayFail?: Missing | undefined;
}

function conditionsOf(policy: Policy, run: Runner): Conditions {
  const errors = new Set<string>();
  let mayNotApply: Missing | undefined;
  let mayFail: Missing | undefined;
  for (const condition of policy.conditions) {
    const result = run.resultOf(condition);
    if (result.value === false) return { applies: false, denials: [] };
    if (result.error !== undefined) errors.add(failure(condition, result.error));
    if (result.missing === undefined) continue;
    if (result.results === undefined || result.results.false) mayNotApply ??= result.missing;
    else if (result.results.fails) mayFail ??= result.missing;
  }
  if (mayNotApply !== undefined) return { applies: mayNotApply, denials: [] };
  if (errors.size === 0) return { applies: true, denials: [], mayFail };
  const all = [...errors];
  const message = all.length === 1 ? (all[0] as string) : `[${all.join(', ')}]`;
  return { applies: false, denials: failed(policy, policy.conditions[0], message, 'a match condition fails') };
}

/** Returns the denial of an expression that fails, unless the policy ignores failures. */
function failed(policy: Policy, expression: Expression | undefined, message: string, plain: string): Denial[] {
  if (policy.ignoresFailures) return [];
  return [{ ...(expression && { expression }), message, plain }];
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

const failure = ({ text }: Expression, error: string): string => `expression '${text}' resulted in error: ${error}`;

function denialOf(validation: Validation, run: Runner): Denial {
  const { text, message, messageExpression } = validation;
  const plain = message.trim() || `failed expression: ${text.trim()}`;
  const { value, missing }: Result = messageExpression === undefined ? {} : run.resultOf(messageExpression);
  const computed = typeof value === 'string' ? value.trim() : '';
  const isUsed = computed !== '' && computed.length <= MAX_RULE_MESSAGE && !computed.includes('\n');
  return { expression: validation, message: isUsed ? computed : plain, plain, unknownMessage: missing };
}

const AUTHORIZER = new Set(['authorizer']);
const AUTHORIZER_AND_NAMESPACE = new Set(['authorizer', 'namespaceObject']);

/** Evaluates expressions of a policy for one request; each variable of the policy is evaluated at most once. */
class Runner {
  readonly #policy: Policy;
  readonly #watch: Watch;
  readonly #budget: Budget;
  /** The values in the order of VARIABLES; an unknown variable is not set. */
  readonly #activation: Activation;
  readonly #unknown: ReadonlySet<string>;
  readonly #situation: Situation;
  readonly #results = new Map<string, Result>();

  constructor(policy: Policy, given: Given, budget: Budget, watch: Watch) {
    const { object, oldObject, params, request, namespaceObject } = given;
    const namespace = namespaceObject instanceof Unknown ? undefined : namespaceObject;
    this.#policy = policy;
    this.#watch = watch;
    this.#budget = budget;
    this.#activation = [object, oldObject, params, request, namespace, undefined, undefined, this.#variables()];
    this.#unknown = namespace === undefined ? AUTHORIZER_AND_NAMESPACE : AUTHORIZER;
    this.#situation = {
      activation: this.#activation,
      unknown: this.#unknown,
      budget,
      run: (program, values) => this.#run(program, values),
      variable: (name) => {
        const result = this.#resultOfVariable(name);
        return result?.results && { kind: 'unknown', ...result.results };
      },
    };
  }

  resultOf(expression: Expression): Result {
    const result = this.#run(expression.program, this.#activation);
    if ('value' in result) return { value: result.value };
    const { error } = result;
    if (error.kind === 'budget') return { missing: 'cost' };
    // An operator may have absorbed the error of an unknown variable.
    const missing = this.#watch.met ?? missingVariable(expression, this.#unknown);
    if (missing === undefined) return { error: error.message };
    const possible = this.#possible(expression);
    if (possible?.kind === 'failure') return { error: possible.error.message };
    if (possible?.kind === 'value') return { value: possible.value };
    return possible === undefined ? { missing } : { missing, results: possible };
  }

  /** Returns what an expression may yield in a cluster; undefined if nothing is known of it. */
  #possible({ checked }: Expression): Possible | undefined {
    const possible = outcomeOf(() => possibleResults(checked, this.#situation));
    return possible instanceof EvaluationError ? undefined : possible;
  }

  #run(program: Program, values: Activation): Run {
    this.#watch.met = undefined;
    try {
      return { value: program.run(values, this.#budget) };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      return { error, metUnknown: this.#watch.met !== undefined };
    }
  }

  #resultOfVariable(name: string): Result | undefined {
    const variable = this.#policy.variables.get(name);
    return variable && getOrCompute(this.#results, name, () => this.resultOf(variable));
  }

  /** Returns the map of the variables, each of which is evaluated when it is read. */
  #variables(): Record<string, CelValue> {
    const variables: Record<string, CelValue> = {};
    for (const name of this.#policy.variables.keys())
      Object.defineProperty(variables, name, { enumerable: true, get: () => this.#valueOfVariable(name) });
    return variables;
  }

  /** @throws {EvaluationError} if the variable has no value, or one that only a cluster knows */
  #valueOfVariable(name: string): CelValue {
    const before = this.#watch.met;
    const result = this.#resultOfVariable(name) as Result;
    this.#watch.met = before ?? result.missing;
    if (result.value !== undefined) return result.value;
    throw fixedFailure(`composited variable "${name}" fails to evaluate: ${result.error ?? ''}`);
  }
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

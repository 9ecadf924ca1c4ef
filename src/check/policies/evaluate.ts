import { getOrCompute } from '../../core/model/lazily.ts';
import { type Allowance, MAX_RULE_MESSAGE, spend } from '../../core/model/limits.ts';
import { formatPath } from '../../core/model/value.ts';
import {
  type Budget,
  type CelValue,
  EvaluationError,
  fixedFailure,
  outcomeOf,
  pathsOfParts,
  Unknown,
  UnknownPart,
} from '../../languages/cel/index.ts';
import type { VARIABLES } from './environment.ts';
import type { Binding, Expression, Policy, Validation } from './read.ts';

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

/** Returns a value that only a cluster knows: an expression that depends on it has no result here. */
export const unknown = (missing: Missing): UnknownPart => new UnknownPart(missing);

/** The values of variables, some of which are unknown, or have unknown parts. */
export type Given = Readonly<
  Record<Exclude<(typeof VARIABLES)[number], 'variables' | `authorizer${string}`>, CelValue>
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
  undecided?: NotKnown | undefined;
}

/** Why an expression has no result. */
export interface NotKnown {
  missing: Missing;
  /** The unknown parts of the variables that it depends on; absent if it was not evaluated to its end. */
  unknown?: Unknown | undefined;
}

/** Returns the paths of what an expression depends on, for this reason: `object.metadata.uid`. */
export function pathsOf({ missing, unknown }: NotKnown, given: Given): string[] {
  const wanted = new Set<unknown>(unknown?.parts.filter(({ about }) => about === missing));
  return Object.entries(given).flatMap(([name, value]) =>
    pathsOfParts(value, wanted).map((path) => formatPath([name, ...path])),
  );
}

/** Evaluates a policy for one request and parameter (k8s.io/apiserver/pkg/admission/plugin/policy/validating). */
export function evaluate(policy: Policy, given: Given, budget: Budget, evaluations: Allowance): Verdict {
  const run = new Runner(policy, given, budget);
  const inConditions =
    policy.conditions.length === 0 ? run : new Runner(policy, { ...given, namespaceObject: null }, budget);
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
      if (!isAdmitted(result, policy.ignoresFailures)) undecided ??= result.notKnown;
      return [];
    }
    const denies = (object: CelValue): boolean =>
      spend(evaluations, 1) &&
      isDenied(new Runner(policy, { ...given, object }, budget).resultOf(expression), policy.ignoresFailures);
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
  applies: boolean | NotKnown;
  denials: readonly Denial[];
  /** Why a condition may fail in a cluster. */
  mayFail?: NotKnown | undefined;
}

function conditionsOf(policy: Policy, run: Runner): Conditions {
  const errors = new Set<string>();
  let mayNotApply: NotKnown | undefined;
  let mayFail: NotKnown | undefined;
  for (const condition of policy.conditions) {
    const result = run.resultOf(condition);
    if (result.value === false) return { applies: false, denials: [] };
    if (result.error !== undefined) errors.add(failure(condition, result.error));
    const { notKnown } = result;
    if (notKnown === undefined) continue;
    const results = notKnown.unknown?.results;
    if (results === undefined || results.false) mayNotApply ??= notKnown;
    else if (results.fails) mayFail ??= notKnown;
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
  notKnown?: NotKnown;
}

/** Reports whether every result that a validation may have rejects the request. */
function isDenied({ value, notKnown }: Result, ignoresFailures: boolean): boolean {
  if (notKnown === undefined) return value !== true;
  const results = notKnown.unknown?.results;
  return results !== undefined && !results.true && !(ignoresFailures && results.fails);
}

/** Reports whether no result that it may have does. */
function isAdmitted({ notKnown }: Result, ignoresFailures: boolean): boolean {
  if (notKnown === undefined) return true;
  const results = notKnown.unknown?.results;
  return results !== undefined && !results.false && !(results.fails && !ignoresFailures);
}

const failure = ({ text }: Expression, error: string): string => `expression '${text}' resulted in error: ${error}`;

function denialOf(validation: Validation, run: Runner): Denial {
  const { text, message, messageExpression } = validation;
  const plain = message.trim() || `failed expression: ${text.trim()}`;
  const { value, notKnown }: Result = messageExpression === undefined ? {} : run.resultOf(messageExpression);
  const computed = typeof value === 'string' ? value.trim() : '';
  const isUsed = computed !== '' && computed.length <= MAX_RULE_MESSAGE && !computed.includes('\n');
  return { expression: validation, message: isUsed ? computed : plain, plain, unknownMessage: notKnown?.missing };
}

const AUTHORIZER = unknown('authorizer');

/** Evaluates expressions of a policy for one request; each variable of the policy is evaluated at most once. */
class Runner {
  readonly #policy: Policy;
  readonly #budget: Budget;
  /** The values in the order of VARIABLES. */
  readonly #activation: readonly CelValue[];
  readonly #results = new Map<string, Result>();

  constructor(policy: Policy, given: Given, budget: Budget) {
    const { object, oldObject, params, request, namespaceObject } = given;
    this.#policy = policy;
    this.#budget = budget;
    this.#activation = [object, oldObject, params, request, namespaceObject, AUTHORIZER, AUTHORIZER, this.#variables()];
  }

  resultOf({ program }: Expression): Result {
    const outcome = outcomeOf(() => program.run(this.#activation, this.#budget));
    if (!(outcome instanceof EvaluationError)) return { value: outcome };
    if (outcome.kind === 'budget') return { notKnown: { missing: 'cost' } };
    if (!(outcome instanceof Unknown)) return { error: outcome.message };
    if (outcome.certain !== undefined) return { error: outcome.certain.message };
    const [part] = outcome.parts;
    return { notKnown: { missing: part?.about as Missing, unknown: outcome } };
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
    const { value, notKnown, error } = this.#resultOfVariable(name) as Result;
    if (value !== undefined) return value;
    if (notKnown?.unknown !== undefined) throw notKnown.unknown;
    throw fixedFailure(`composited variable "${name}" fails to evaluate: ${error ?? ''}`);
  }
}

/** Policies that may select an operation, and were not evaluated because the limit was reached before. */
export interface Skipped {
  skipped: readonly Policy[];
}

/** What a policy decides about an operation; a policy that admits it has no decision. */
export type Decision = { policy: Policy; binding: Binding } & (
  | { action: 'Deny' | 'Warn' | 'Audit'; denial: Denial; usesSecret: boolean }
  | { undecided: Missing; paths: readonly string[] }
);

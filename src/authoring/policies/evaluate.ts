import { MAX_RULE_MESSAGE } from '../../core/model/limits.ts';
import {
  type Budget,
  type CelValue,
  EvaluationError,
  fixedFailure,
  startRun,
  Unreadable,
} from '../../languages/cel/index.ts';
import type { VARIABLES } from './environment.ts';
import type { Binding, Expression, Policy, Validation } from './read.ts';

/** What the evaluation of expressions met that only a cluster knows. */
export interface Watch {
  met: Missing | undefined;
}

/** What only a cluster knows: a reason for a decision that is not made. */
export type Missing =
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
export function evaluate(policy: Policy, given: Given, budget: Budget, watch: Watch): Verdict {
  const run = runner(policy, given, budget, watch);
  const inConditions =
    policy.conditions.length === 0 ? run : runner(policy, { ...given, namespaceObject: null }, budget, watch);
  const failed = (expression: Expression | undefined, message: string, plain: string): Denial[] =>
    policy.ignoresFailures ? [] : [{ ...(expression && { expression }), message, plain }];
  const errors: string[] = [];
  let undecided: Missing | undefined;
  for (const condition of policy.conditions) {
    const result = inConditions(condition);
    if (result.value === false) return { denials: [] };
    if (result.missing !== undefined) undecided ??= result.missing;
    else if (result.error !== undefined) errors.push(failure(condition, result.error));
  }
  if (undecided !== undefined) return { denials: [], undecided };
  if (errors.length > 0) {
    const all = [...new Set(errors)];
    const message = all.length === 1 ? (all[0] as string) : `[${all.join(', ')}]`;
    return { denials: failed(policy.conditions[0], message, 'a match condition fails') };
  }
  const refused = (expression: Expression): Denial[] => {
    const { value, missing, error } = run(expression);
    undecided ??= missing;
    if (error !== undefined)
      return failed(expression, failure(expression, error), `the expression '${expression.text}' fails`);
    if (missing !== undefined || value === true || !('message' in expression)) return [];
    const denies = (object: CelValue): boolean =>
      runner(policy, { ...given, object }, budget, watch)(expression).value === false;
    return [{ ...denialOf(expression as Validation, run), denies }];
  };
  const denials = [...policy.validations, ...policy.annotations].flatMap(refused);
  return { denials, undecided };
}

interface Result {
  value?: CelValue;
  error?: string;
  missing?: Missing;
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

/** Returns a function that evaluates expressions; each variable of the policy is evaluated at most once. */
function runner(policy: Policy, given: Given, budget: Budget, watch: Watch): Evaluate {
  const variables: Record<string, CelValue> = {};
  // In the order of VARIABLES; an unknown variable is not set.
  const { object, oldObject, params, request, namespaceObject } = given;
  const namespace = namespaceObject instanceof Unknown ? undefined : namespaceObject;
  const activation = [object, oldObject, params, request, namespace, undefined, undefined, variables];
  // An operator may have absorbed the error of an unknown variable.
  const unknownIn = (text: string): Missing | undefined => {
    if (text.includes('authorizer')) return 'authorizer';
    return namespace === undefined && text.includes('namespaceObject') ? 'namespace' : undefined;
  };
  const evaluateOne = ({ program, text }: Expression): Result => {
    watch.met = undefined;
    try {
      startRun(budget);
      const value = program.run(activation, budget);
      return watch.met === undefined ? { value } : { missing: watch.met };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      if (error.kind === 'budget') return { missing: 'cost' };
      const missing = watch.met ?? unknownIn(text);
      return missing === undefined ? { error: error.message } : { missing };
    }
  };
  for (const [name, variable] of policy.variables) {
    let known: Result | undefined;
    Object.defineProperty(variables, name, {
      enumerable: true,
      get: () => {
        const before = watch.met;
        known ??= evaluateOne(variable);
        watch.met = before ?? known.missing;
        if (known.value !== undefined) return known.value;
        throw fixedFailure(`composited variable "${name}" fails to evaluate: ${known.error ?? ''}`);
      },
    });
  }
  return evaluateOne;
}

/** What a policy decides about an operation; a policy that admits it has no decision. */
export type Decision = { policy: Policy; binding: Binding } & (
  | { action: 'Deny' | 'Warn' | 'Audit'; denial: Denial; usesSecret: boolean }
  | { undecided: Missing }
);

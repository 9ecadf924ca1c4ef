import {
  type CelType,
  type CelValue,
  check,
  createBudget,
  DYN,
  EvaluationError,
  kroEnvironment,
  outcomeOf,
  parse,
  plan,
  planPartial,
  type Results,
  Unknown,
  unknownWithin,
} from '../../src/languages/cel/index.ts';
import { canonicalText } from './canonical.ts';
import { VARIABLES } from './expressions.ts';

/** A value with an unknown part in it may be any value, but no error. */
const ANYTHING: Results = { true: true, false: true, fails: false };

const NAMES = Object.keys(VARIABLES);
const TYPES: ReadonlyMap<string, CelType> = new Map(NAMES.map((name) => [name, DYN]));

/** What an expression comes to; the paths of unknown parts are texts. */
export type Outcome =
  | { value: string }
  | { error: string; isBudget: boolean }
  | { unknown: readonly string[]; results: Results; isCertain: boolean };

export interface Evaluator {
  /** Evaluates with unknown parts. */
  partial(variables: Readonly<Record<string, CelValue>>): Outcome;
  /** Evaluates as an ordinary program does. */
  whole(variables: Readonly<Record<string, CelValue>>): Outcome;
}

/** Compiles an expression for both, or returns undefined if it does not compile. */
export function evaluatorOf(expression: string): Evaluator | undefined {
  const parsed = parse(expression);
  if (!parsed.ok) return undefined;
  const result = check(kroEnvironment(), parsed.expression, TYPES);
  if (!result.ok) return undefined;
  const partial = planPartial(kroEnvironment(), result.checked, NAMES);
  const whole = plan(kroEnvironment(), result.checked, NAMES);
  const outcome = (program: typeof whole, variables: Readonly<Record<string, CelValue>>): Outcome => {
    const values = NAMES.map((name) => variables[name]);
    const found = outcomeOf(() => program.run(values, createBudget()));
    if (found instanceof Unknown) {
      const { parts, results, certain } = found;
      return { unknown: parts.map(({ about }) => about).sort(), results, isCertain: certain !== undefined };
    }
    if (found instanceof EvaluationError) return { error: found.message, isBudget: found.kind === 'budget' };
    const within = unknownWithin(found);
    if (within.length > 0)
      return { unknown: within.map(({ about }) => about).sort(), results: ANYTHING, isCertain: false };
    const text = canonicalText(found);
    return text === undefined ? { error: 'result', isBudget: false } : { value: text };
  };
  return { partial: (variables) => outcome(partial, variables), whole: (variables) => outcome(whole, variables) };
}

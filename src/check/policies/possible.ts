import { getOrCompute } from '../../core/model/lazily.ts';
import {
  allReads,
  type Budget,
  type Call,
  type CelValue,
  type CheckedExpression,
  type Comprehension,
  children,
  type EvaluationError,
  type Expr,
  type Flow,
  isMapValue,
  mapEntries,
  type Program,
  plan,
  readsIn,
  references,
  Unreadable,
} from '../../languages/cel/index.ts';
import { policyEnvironment, VARIABLES } from './environment.ts';
import { EVERYTHING } from './read.ts';

/*
 * An expression may read what only a cluster knows, and yet have one result: `error && unknown` is false or an error,
 * and an API server denies both. This follows the operators that leave operands unevaluated, and the variables of
 * comprehensions; every other function fails if an argument does.
 */

/** The results that an expression may have in a cluster. Those of a value that is not boolean count as both. */
export interface Results {
  readonly true: boolean;
  readonly false: boolean;
  readonly fails: boolean;
}

/** A certain value, a certain failure, or several possible results. */
export type Possible =
  | { readonly kind: 'value'; readonly value: CelValue }
  | { readonly kind: 'failure'; readonly error: EvaluationError }
  | ({ readonly kind: 'unknown' } & Results);

/** The values of variables by their slots. */
export type Activation = readonly (CelValue | undefined)[];

/** How a program ended. */
export type Run = { value: CelValue } | Failed;

export interface Situation {
  /** The values of `VARIABLES`; `undefined` for an unknown one. */
  activation: Activation;
  /** The names of the variables without a value. */
  unknown: ReadonlySet<string>;
  budget: Budget;
  /** Runs a program, and reports whether it read an unknown part of a value. */
  run(program: Program, activation: Activation): Run;
  /** Returns the results of a variable of the policy. */
  variable(name: string): Possible | undefined;
}

interface Failed {
  error: EvaluationError;
  metUnknown: boolean;
}

const ANYTHING: Possible = { kind: 'unknown', true: true, false: true, fails: true };

/** The variables of comprehensions and binds around an expression. */
interface Scope {
  readonly slots: ReadonlyMap<string, number>;
  readonly values: readonly (CelValue | undefined)[];
  /** Variables whose value is unknown. */
  readonly unknown: ReadonlySet<string>;
}

const OUTSIDE: Scope = {
  slots: new Map(VARIABLES.map((name, slot) => [name, slot])),
  values: [],
  unknown: new Set(),
};

/** Returns the results that an expression may have. @throws EvaluationError (budget) */
export function possibleResults(checked: CheckedExpression, situation: Situation): Possible {
  // With a leading dot a name is not that of the comprehension around it.
  if (references(checked.parsed).dotted.length > 0) return ANYTHING;
  return new Search(checked, situation).resultsOf(checked.parsed.root, OUTSIDE);
}

/** Programs of parts of an expression. The scope of a part is always the same. */
const programs = new WeakMap<Expr, Program>();

class Search {
  constructor(
    private readonly checked: CheckedExpression,
    private readonly situation: Situation,
  ) {}

  resultsOf(expr: Expr, scope: Scope): Possible {
    const result = this.situation.run(this.#program(expr, scope), [...this.situation.activation, ...scope.values]);
    if ('value' in result) return { kind: 'value', value: result.value };
    if (result.error.kind === 'budget') throw result.error;
    const isUnknown = result.metUnknown || readsOneOf(expr, scope, this.situation.unknown);
    return isUnknown ? this.#descend(expr, scope) : { kind: 'failure', error: result.error };
  }

  #program(root: Expr, { slots }: Scope): Program {
    return getOrCompute(programs, root, () => {
      const part = { ...this.checked, parsed: { ...this.checked.parsed, root } };
      return plan(policyEnvironment(), part, slots, EVERYTHING);
    });
  }

  #descend(expr: Expr, scope: Scope): Possible {
    // A name with a dot, such as authorizer.requestResource.
    if (this.checked.names.has(expr.id)) return ANYTHING;
    switch (expr.kind) {
      case 'call':
        return this.#call(expr, scope);
      case 'comprehension':
        return this.#comprehension(expr, scope);
      case 'bind': {
        const bound = this.resultsOf(expr.init, scope);
        return this.resultsOf(
          expr.body,
          withVariable(scope, expr.name, bound.kind === 'value' ? bound.value : undefined),
        );
      }
      case 'select': {
        const { operand } = expr;
        const isVariable = operand.kind === 'ident' && operand.name === 'variables' && !expr.test && !expr.optional;
        const known = isVariable && !scope.unknown.has('variables') ? this.situation.variable(expr.field) : undefined;
        return known ?? this.#strict([operand], scope);
      }
      default:
        return this.#strict(children(expr), scope);
    }
  }

  #call(expr: Call, scope: Scope): Possible {
    const [first, second, third] = expr.args;
    const of = (one: Expr): Possible => this.resultsOf(one, scope);
    if (expr.name === '_&&_' || expr.name === '_||_') return junction(expr.args.map(of), expr.name === '_||_');
    if (expr.name === '!_' && first !== undefined) return negated(of(first));
    if (expr.name === '_?_:_' && first !== undefined && second !== undefined && third !== undefined) {
      return conditional(
        of(first),
        () => of(second),
        () => of(third),
      );
    }
    const isNamespaced = this.checked.calls.get(expr.id)?.namespaced === true;
    const operands = expr.target === undefined || isNamespaced ? expr.args : [expr.target, ...expr.args];
    // Their second operand is only evaluated if the first one is empty.
    if ((expr.name === '_==_' || expr.name === '_!=_') && first !== undefined && second !== undefined) {
      const strict = this.#strict(operands, scope);
      return strict.kind === 'failure' ? strict : equality(of(first), of(second), expr.name === '_==_');
    }
    return this.#strict(expr.name === 'or' || expr.name === 'orValue' ? operands.slice(0, 1) : operands, scope);
  }

  /** A function fails if one of its arguments does. */
  #strict(parts: readonly Expr[], scope: Scope): Possible {
    for (const part of parts) {
      const possible = this.resultsOf(part, scope);
      if (possible.kind === 'failure') return possible;
    }
    return ANYTHING;
  }

  #comprehension(expr: Comprehension, scope: Scope): Possible {
    const range = this.resultsOf(expr.range, scope);
    if (range.kind === 'failure') return range;
    const items = range.kind === 'value' ? itemsOf(range.value) : undefined;
    if (items === undefined) return ANYTHING;
    const results = items.map(({ single, key, value }): Possible => {
      const one = expr.variable2 === undefined ? single : key;
      const two = expr.variable2 === undefined ? undefined : value;
      if (one instanceof Unreadable || two instanceof Unreadable) return ANYTHING;
      const first = withVariable(scope, expr.variable, one);
      const inner = expr.variable2 === undefined ? first : withVariable(first, expr.variable2, two);
      const filter = expr.filter === undefined ? undefined : this.resultsOf(expr.filter, inner);
      if (filter?.kind === 'failure') return filter;
      const isReached = filter === undefined || (filter.kind === 'value' && filter.value === true);
      return isReached ? this.resultsOf(expr.body, inner) : ANYTHING;
    });
    if (expr.filter === undefined && (expr.does === 'all' || expr.does === 'exists')) {
      return junction(results, expr.does === 'exists');
    }
    return results.find(({ kind }) => kind === 'failure') ?? ANYTHING;
  }
}

function withVariable({ slots, values, unknown }: Scope, name: string, value: CelValue | undefined): Scope {
  const names = new Set(unknown);
  if (value === undefined) names.add(name);
  else names.delete(name);
  return {
    slots: new Map(slots).set(name, VARIABLES.length + values.length),
    values: [...values, value],
    unknown: names,
  };
}

const NOWHERE: Flow = { sources: [] };

/** Reports whether an expression reads a variable without a value, by what its parse tree reads. */
function readsOneOf(expr: Expr, scope: Pick<Scope, 'slots' | 'unknown'>, unknown: ReadonlySet<string>): boolean {
  const bound = [...scope.slots.keys()].filter((name) => (scope.slots.get(name) ?? 0) >= VARIABLES.length);
  const known = new Map(bound.filter((name) => !scope.unknown.has(name)).map((name) => [name, NOWHERE]));
  return allReads(readsIn(expr, known)).some(({ root }) => unknown.has(root) || scope.unknown.has(root));
}

/** Reports whether a whole expression does. */
export const readsUnknown = (expr: Expr, unknown: ReadonlySet<string>): boolean => readsOneOf(expr, OUTSIDE, unknown);

interface Item {
  /** The variable of a comprehension with one variable. */
  readonly single: CelValue;
  /** The variables of a comprehension with two. */
  readonly key: CelValue;
  readonly value: CelValue;
}

/** Returns what a loop visits: elements, or keys; `undefined` for a value without either. */
function itemsOf(value: CelValue): Item[] | undefined {
  if (Array.isArray(value)) {
    return value.map((item: CelValue, index) => ({ single: item, key: BigInt(index), value: item }));
  }
  if (!isMapValue(value)) return undefined;
  return mapEntries(value).map(([key, item]) => ({ single: key, key, value: item }));
}

const resultsIn = (possible: Possible): Results => {
  if (possible.kind === 'unknown') return possible;
  if (possible.kind === 'failure') return { true: false, false: false, fails: true };
  // A value of another type is an operand without an overload.
  return { true: possible.value === true, false: possible.value === false, fails: typeof possible.value !== 'boolean' };
};

const either = (one: Results, other: Results): Results => ({
  true: one.true || other.true,
  false: one.false || other.false,
  fails: one.fails || other.fails,
});

/** `&&`, `||`, `all` and `exists`: one operand may decide, whatever the others are. */
function junction(operands: readonly Possible[], decisive: boolean): Possible {
  const failure = operands.find(({ kind }) => kind === 'failure');
  const results = operands.map(resultsIn);
  const decides = (one: Results): boolean => (decisive ? one.true : one.false);
  const continues = (one: Results): boolean => (decisive ? one.false : one.true);
  const isDecided = results.some((one) => decides(one) && !continues(one) && !one.fails);
  if (isDecided) return { kind: 'value', value: decisive };
  const mayDecide = results.some(decides);
  const mayContinue = results.every(continues);
  const mayFail = results.some(({ fails }) => fails);
  if (!mayDecide && !mayContinue && failure !== undefined) return failure;
  return {
    kind: 'unknown',
    true: decisive ? mayDecide : mayContinue,
    false: decisive ? mayContinue : mayDecide,
    fails: mayFail,
  };
}

function negated(operand: Possible): Possible {
  if (operand.kind !== 'unknown') return operand;
  return { kind: 'unknown', true: operand.false, false: operand.true, fails: operand.fails };
}

function conditional(condition: Possible, yes: () => Possible, no: () => Possible): Possible {
  if (condition.kind === 'failure') return condition;
  const chosen = resultsIn(condition);
  const branches = [...(chosen.true ? [yes()] : []), ...(chosen.false ? [no()] : [])];
  const certain = branches.find(({ kind }) => kind === 'failure');
  if (certain !== undefined && branches.every(({ kind }) => kind === 'failure')) return certain;
  const [only, ...others] = branches;
  if (only !== undefined && others.length === 0 && !chosen.fails) return only;
  const failing: Results = { true: false, false: false, fails: chosen.fails };
  return { kind: 'unknown', ...branches.map(resultsOfBranch).reduce(either, failing) };
}

/** `==` and `!=` of booleans. */
function equality(one: Possible, other: Possible, isEqual: boolean): Possible {
  const isBoolean = (of: Possible): boolean => of.kind !== 'value' || typeof of.value === 'boolean';
  if (!isBoolean(one) || !isBoolean(other)) return ANYTHING;
  const a = resultsIn(one);
  const b = resultsIn(other);
  const same = (a.true && b.true) || (a.false && b.false);
  const different = (a.true && b.false) || (a.false && b.true);
  return {
    kind: 'unknown',
    true: isEqual ? same : different,
    false: isEqual ? different : same,
    fails: a.fails || b.fails,
  };
}

/** A branch may have a value of any type, which is no failure. */
const resultsOfBranch = (branch: Possible): Results =>
  branch.kind === 'value' && typeof branch.value !== 'boolean'
    ? { true: true, false: true, fails: false }
    : resultsIn(branch);

import type { Call } from '../ast.ts';
import { spendSteps } from '../budget.ts';
import { areEqual, equalValues } from '../value/equal.ts';
import { mapEntries, mapGet, mapSize } from '../value/order.ts';
import {
  ANYTHING,
  certainError,
  type Outcome,
  partsOf,
  type Results,
  resultsOf,
  Unknown,
  UnknownPart,
  unknownOf,
  unknownWithin,
} from '../value/unknown.ts';
import {
  type CelKey,
  type CelValue,
  EvaluationError,
  failure,
  isList,
  isMapValue,
  keyOf,
  kindOf,
  Optional,
  Unreadable,
} from '../value/values.ts';
import { attempt, failureOf, noSuchOverload } from './operators.ts';
import type { Frame, Planned, Run } from './step.ts';

/*
 * Programs for data with unknown parts (`planPartial`). Which outcome is unknown, and by which parts, is as in cel-go; what
 * it may be in the end is computed beside it. Other programs do not run anything of this file.
 */

/** Plans the operators that have their own rules for unknown operands; `undefined` for others. */
export function planPartialOperator(expr: Call, runs: readonly Run[]): Run | undefined {
  const [first, second, third] = runs;
  switch (expr.name) {
    case '_&&_':
      return junction(runs, false, expr.id);
    case '_||_':
      return junction(runs, true, expr.id);
    case '_?_:_':
      return first && second && third && conditional(first, second, third, expr.id);
    case '!_':
      return first && runs.length === 1 ? negation(first, expr.id) : undefined;
    case '_==_':
    case '_!=_':
      return first && second && equality(first, second, expr.name === '_==_');
    case '@in':
      return first && second && membership(first, second, expr.id);
    default:
      return undefined;
  }
}

/** `&&` and `||`: the deciding operand wins, then what is unknown, then the first failure. */
function junction(terms: readonly Run[], decisive: boolean, id: number): Run {
  return (frame) => {
    let undecided: Outcome[] | undefined;
    for (const term of terms) {
      const outcome = attempt(term, frame);
      if (outcome === decisive) return decisive;
      if (outcome === !decisive) continue;
      undecided ??= [];
      undecided.push(outcome);
    }
    return undecided === undefined ? !decisive : joined(undecided, decisive, id);
  };
}

/** Returns the result of operands of which none decides; `undecided` are those that are not the other boolean. */
function joined(undecided: readonly Outcome[], decisive: boolean, id: number): boolean {
  const [first] = undecided;
  if (first === undefined) return !decisive;
  const parts = partsOf(undecided);
  if (parts.length === 0) throw failureOf(first, id);
  const results = undecided.map(resultsOf);
  const mayDecide = results.some((one) => one[`${decisive}`]);
  const mayContinue = results.every((one) => one[`${!decisive}`]);
  const may: Results = {
    true: decisive ? mayDecide : mayContinue,
    false: decisive ? mayContinue : mayDecide,
    fails: results.some(({ fails }) => fails),
  };
  const error = undecided.map(certainError).find((one) => one !== undefined);
  throw unknownOf(parts, may, mayDecide || mayContinue ? undefined : error);
}

function negation(operand: Run, id: number): Run {
  return (frame) => {
    const outcome = attempt(operand, frame);
    if (typeof outcome === 'boolean') return !outcome;
    if (!(outcome instanceof Unknown)) throw failureOf(outcome, id);
    const { parts, results, certain } = outcome;
    throw unknownOf(parts, { true: results.false, false: results.true, fails: results.fails }, certain);
  };
}

/** With an unknown condition each arm that may be chosen is evaluated, to know what the result may be. */
function conditional(condition: Run, yes: Run, no: Run, id: number): Run {
  return (frame) => {
    const chosen = attempt(condition, frame);
    if (typeof chosen === 'boolean') return chosen ? yes(frame) : no(frame);
    if (!(chosen instanceof Unknown)) throw failureOf(chosen, id);
    if (chosen.certain !== undefined) throw chosen;
    const arms: Outcome[] = [];
    if (chosen.results.true) arms.push(attempt(yes, frame));
    if (chosen.results.false) arms.push(attempt(no, frame));
    const may = arms.map(resultsOfArm).reduce(either, { true: false, false: false, fails: chosen.results.fails });
    const errors = arms.map(certainError);
    throw unknownOf(chosen.parts, may, errors.includes(undefined) ? undefined : errors[0]);
  };
}

/** An arm may have a value of any type, which is no failure. */
function resultsOfArm(arm: Outcome): Results {
  const isOther = !(arm instanceof EvaluationError) && typeof arm !== 'boolean';
  return isOther ? { true: true, false: true, fails: false } : resultsOf(arm);
}

const either = (one: Results, other: Results): Results => ({
  true: one.true || other.true,
  false: one.false || other.false,
  fails: one.fails || other.fails,
});

/** `==` and `!=`: as in a function, an error wins, then what is unknown. */
function equality(left: Run, right: Run, wanted: boolean): Run {
  return (frame) => {
    const a = valueOrUnknown(left, frame);
    const b = valueOrUnknown(right, frame);
    const isKnown = !(a instanceof Unknown) && !(b instanceof Unknown);
    if (isKnown) return isEqual(a, b, frame) === wanted;
    throw unknownOf(partsOf([a, b]), equalityOf(a, b, wanted), certainError(a) ?? certainError(b));
  };
}

/** @throws EvaluationError if the operand fails */
function valueOrUnknown(operand: Run, frame: Frame): CelValue | Unknown {
  try {
    return operand(frame);
  } catch (error) {
    if (error instanceof Unknown) return error;
    throw error;
  }
}

/** Returns what the comparison of two outcomes may be, of which one is unknown. */
function equalityOf(a: Outcome, b: Outcome, wanted: boolean): Results {
  const isBoolean = (one: Outcome): boolean => one instanceof Unknown || typeof one === 'boolean';
  if (!isBoolean(a) || !isBoolean(b)) return ANYTHING;
  const one = resultsOf(a);
  const other = resultsOf(b);
  const same = (one.true && other.true) || (one.false && other.false);
  const different = (one.true && other.false) || (one.false && other.true);
  return {
    true: wanted ? same : different,
    false: wanted ? different : same,
    fails: one.fails || other.fails,
  };
}

/** Reports whether two values are equal. @throws Unknown if that depends on an unknown part of them */
function isEqual(a: CelValue, b: CelValue, frame: Frame): boolean {
  const outcome = compared(a, b, frame);
  if (typeof outcome === 'boolean') return outcome;
  throw new Unknown(outcome);
}

/** Compares two values by what is known of them: a known difference decides. Else it returns the unknown parts. */
function compared(a: CelValue, b: CelValue, frame: Frame): boolean | readonly UnknownPart[] {
  const spend = (steps: number): void => spendSteps(frame.budget, steps);
  const inFirst = unknownWithin(a);
  const inSecond = unknownWithin(b);
  spend(1 + inFirst.length + inSecond.length);
  if (inFirst.length + inSecond.length === 0) return equalValues(a, b, spend);
  const parts = [...inFirst, ...inSecond];
  if (a instanceof UnknownPart || b instanceof UnknownPart) return parts;
  const pairs = pairsOf(a, b);
  if (pairs === undefined) return false;
  return pairs.some(([one, other]) => compared(one, other, frame) === false) ? false : parts;
}

/** Returns the parts of two values that must be equal; `undefined` if the values differ, whatever these parts are. */
function pairsOf(a: CelValue, b: CelValue): (readonly [CelValue, CelValue])[] | undefined {
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return undefined;
    return a.map((one, index) => [one, b[index] as CelValue] as const);
  }
  if (a instanceof Optional) {
    if (!(b instanceof Optional) || a.value === undefined || b.value === undefined) return undefined;
    return [[a.value, b.value]];
  }
  if (!isMapValue(a) || !isMapValue(b) || mapSize(a) !== mapSize(b)) return undefined;
  const pairs: (readonly [CelValue, CelValue])[] = [];
  for (const [key, one] of mapEntries(a)) {
    const other = mapGet(b, key);
    if (other === undefined) return undefined;
    pairs.push([one, other]);
  }
  return pairs;
}

/** `in`: an element that is equal decides, then what is unknown. */
function membership(wanted: Run, container: Run, id: number): Run {
  const runs = [wanted, container];
  return (frame) => {
    const operands: CelValue[] = [];
    evaluateAll(runs, frame, (operand) => operands.push(operand));
    const [value = null, from = null] = operands;
    if (!isList(from)) {
      if (!isMapValue(from)) throw noSuchOverload(id);
      return hasKey(from, value);
    }
    const parts = new Set<UnknownPart>();
    const isValueKnown = unknownWithin(value).length === 0;
    for (const item of from) {
      const isKnown = isValueKnown && unknownWithin(item).length === 0;
      const outcome = isKnown
        ? areEqual(value, item, (steps) => spendSteps(frame.budget, steps))
        : compared(item, value, frame);
      if (outcome === true) return true;
      if (outcome !== false) for (const part of outcome) parts.add(part);
    }
    if (parts.size > 0) throw new Unknown([...parts]);
    return false;
  };
}

function hasKey(map: Parameters<typeof mapGet>[0], value: CelValue): boolean {
  const key = keyOf(value);
  const found = key === undefined ? undefined : mapGet(map, key);
  // Whether a field that a cluster sets is there is unknown too.
  if (found instanceof UnknownPart) throw found.reason.again();
  return found !== undefined;
}

/**
 * Evaluates operands, and calls `take` with the value of each: an error of one of them wins, then what is unknown.
 * @throws EvaluationError
 */
function evaluateAll(runs: readonly Run[], frame: Frame, take: (value: CelValue, index: number) => void): void {
  for (let index = 0; index < runs.length; index++) {
    try {
      take((runs[index] as Run)(frame), index);
    } catch (error) {
      throw error instanceof Unknown ? joinedWithRest(error, runs.slice(index + 1), frame) : error;
    }
  }
}

/** Returns what an unknown operand and the ones after it yield together. @throws EvaluationError if one fails */
function joinedWithRest(first: Unknown, rest: readonly Run[], frame: Frame): Unknown {
  const outcomes = rest.map((run) => valueOrUnknown(run, frame));
  return ofAnyResult([first, ...outcomes.filter((one): one is Unknown => one instanceof Unknown)]);
}

/** Returns what a function of unknown operands yields: it may have any result, unless an operand certainly fails. */
function ofAnyResult(unknown: readonly Unknown[], error?: EvaluationError): Unknown {
  const [only, ...others] = unknown;
  if (only !== undefined && others.length === 0 && error === undefined) return only.ofFunction();
  const certain = error ?? unknown.map(certainError).find((one) => one !== undefined);
  return unknownOf(partsOf(unknown), ANYTHING, certain);
}

/** Plans a node whose operands are all evaluated before it: `plan` gets them as nodes that return the values. */
export function planStrictly(
  operands: readonly Planned[],
  newSlot: () => number,
  plan: (values: readonly Planned[]) => Run,
): Run {
  const runs = operands.map(({ run }) => run);
  const slots = operands.map(newSlot);
  const inner = plan(slots.map((slot) => ({ run: (frame) => frame.locals[slot] as CelValue, constant: false })));
  return (frame) => {
    evaluateAll(runs, frame, (value, index) => {
      frame.locals[slots[index] as number] = value;
    });
    return inner(frame);
  };
}

/** Functions that read nothing of the items of their arguments. */
const WITHOUT_ITEMS = new Set([
  '_+_',
  'dyn',
  'first',
  'hasValue',
  'last',
  'maps.merge',
  'optional.none',
  'optional.of',
  'optional.ofNonZeroValue',
  'reverse',
  'size',
  'slice',
  'type',
  'value',
]);

/** Plans a function: what reads the items of a list reads their unknown parts. */
export function planReadingItems(name: string, operands: readonly Planned[], call: Run): Run {
  if (WITHOUT_ITEMS.has(name)) return readingResult(call);
  return readingResult((frame) => {
    for (const { run } of operands) {
      const parts = unknownWithin(run(frame));
      if (parts.length > 0) throw new Unknown(parts);
    }
    return call(frame);
  });
}

/** Reads a result that is an item of an argument, or an optional with one. */
export const readingResult =
  (run: Run): Run =>
  (frame) => {
    const value = run(frame);
    const inside = value instanceof Optional ? value.value : value;
    if (inside instanceof Unreadable) throw inside.reason.again();
    return value;
  };

/**
 * Evaluates `container[key]`. The key is evaluated too if the container is unknown: as long as nothing but parts was read,
 * cel-go resolves all keys before it looks for an unknown part, so that an error of one wins.
 */
export function planPartialIndex(container: Run, key: Run, index: (container: Run, key: Run) => Run): Run {
  return (frame) => {
    const from = attempt(container, frame);
    if (!(from instanceof Unknown)) {
      const found = attempt(index(again(from), key), frame);
      if (!(found instanceof EvaluationError)) return found;
      throw found instanceof Unknown ? asRead(found) : found;
    }
    const at = attempt(key, frame);
    const error = at instanceof EvaluationError ? certainError(at) : keyError(at);
    if (error === undefined) throw from;
    if (from.isRead && !(at instanceof Unknown)) throw error;
    const failing = ofAnyResult([from], error);
    throw from.isRead ? asRead(failing) : failing;
  };
}

function keyError(key: CelValue): EvaluationError | undefined {
  const isKey = typeof key === 'number' || keyOf(key) !== undefined;
  return isKey ? undefined : failure(`unsupported key type: ${kindOf(key)}`);
}

const asRead = ({ parts, results, certain }: Unknown): Unknown => new Unknown(parts, results, certain, true);

/** Returns what is unknown as the result of an operator, which is no read any more. */
export const asResult =
  (run: Run): Run =>
  (frame) => {
    const outcome = attempt(run, frame);
    if (!(outcome instanceof EvaluationError)) return outcome;
    throw outcome instanceof Unknown ? new Unknown(outcome.parts, outcome.results, outcome.certain) : outcome;
  };

const again =
  (outcome: Outcome): Run =>
  () => {
    if (outcome instanceof EvaluationError) throw outcome;
    return outcome;
  };

/** Calls `body` for each item; stops if it returns true. */
type Loop = (frame: Frame, body: (key: CelKey) => unknown) => void;

/** `all` and `exists`. */
export function partialQuantifier(loop: Loop, predicate: Run, decisive: boolean, id: number): Run {
  return (frame) => {
    let isDecided = false;
    const undecided: Outcome[] = [];
    loop(frame, () => {
      const outcome = attempt(predicate, frame);
      isDecided = outcome === decisive;
      if (!isDecided && outcome !== !decisive) undecided.push(outcome);
      return isDecided;
    });
    return isDecided ? decisive : joined(undecided, decisive, id);
  };
}

/** Returns what is accumulated after an item without a value: an error stays and wins, what is unknown is joined. */
function accumulated(before: EvaluationError | undefined, item: EvaluationError): EvaluationError {
  if (!(before instanceof Unknown)) return before ?? item;
  return item instanceof Unknown ? new Unknown(partsOf([before, item])) : item;
}

/**
 * Returns a loop that visits all items, as the accumulator of cel-go does: a condition without a value replaces what was
 * accumulated.
 */
export function partialLoop(loop: Loop, condition: Run | undefined, id: number): Loop {
  return (frame, body) => {
    let ended: EvaluationError | undefined;
    let certain: EvaluationError | undefined;
    loop(frame, (key) => {
      const chosen = condition === undefined ? true : attempt(condition, frame);
      if (typeof chosen !== 'boolean') {
        ended = failureOf(chosen, id) as EvaluationError;
        certain ??= certainError(ended);
        return false;
      }
      if (!chosen) return false;
      const outcome = attempt(() => {
        body(key);
        return null;
      }, frame);
      if (!(outcome instanceof EvaluationError)) return false;
      certain ??= certainError(outcome);
      ended = accumulated(ended, outcome);
      return false;
    });
    if (ended instanceof Unknown) throw ofAnyResult([ended], certain);
    if (ended !== undefined) throw ended;
  };
}

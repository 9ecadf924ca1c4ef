import { defaultLimits, type Limits } from '../../core/model/limits.ts';
import { noPatternPaid, type PaidPatterns } from './regex.ts';
import { type EvaluationError, overBudget } from './value/values.ts';

/** How many expressions of one budget may reach their limits. */
const RUNS = 4;

/** The budget of evaluations, such as those of an instance. It rejects the same expressions on every machine. */
export interface Budget extends Readonly<Limits> {
  /** Spent so far, by all runs. */
  steps: number;
  size: number;
  /** The limit of the current run. */
  stepLimit: number;
  sizeLimit: number;
  /** Compiling one of these again has no cost. */
  readonly patterns: PaidPatterns;
}

export function createBudget(limits: Partial<Limits> = {}): Budget {
  const { maxSteps = defaultLimits.maxSteps, maxSize = defaultLimits.maxSize } = limits;
  const spent = { steps: 0, size: 0, stepLimit: maxSteps, sizeLimit: maxSize, patterns: noPatternPaid() };
  return { ...spent, maxSteps, maxSize };
}

/** Starts the share of the next expression. */
export function startRun(budget: Budget): void {
  budget.stepLimit = Math.min(budget.steps + budget.maxSteps, budget.maxSteps * RUNS);
  budget.sizeLimit = Math.min(budget.size + budget.maxSize, budget.maxSize * RUNS);
}

/** The cost of a created object besides its expressions: nested instances could create any number. */
const OBJECT_STEPS = 1000;
/** Characters of output per list item: they are written once, and not stored as values. */
const WRITTEN_PER_ITEM = 2;

/** Counts an object and the literal output of its template. Does not throw: see {@link isExhausted}. */
export function spendObject(budget: Budget, characters: number): void {
  budget.steps += OBJECT_STEPS;
  budget.size += characters / WRITTEN_PER_ITEM;
}

/** Counts characters of an object. @throws EvaluationError (budget) */
export const spendWritten = (budget: Budget, characters: number): void =>
  spendSize(budget, characters / WRITTEN_PER_ITEM);

/** Returns the characters that the current run may still write. */
export const writableIn = (budget: Budget): number => Math.max(0, (budget.sizeLimit - budget.size) * WRITTEN_PER_ITEM);

/** The cost of a value of an admitted instance, including defaults. */
const VALUE_STEPS = 20;

/** Counts the values of an instance. Does not throw: the next expression will fail. */
export function spendValues(budget: Budget, count: number): void {
  budget.steps += count * VALUE_STEPS;
}

const SELECTION_STEPS = 20;

/** Counts the objects that a selector reads. Does not throw: see {@link isExhausted}. */
export function spendSelection(budget: Budget, objects: number): void {
  budget.steps += objects * SELECTION_STEPS;
  budget.size += objects;
}

/** Reports whether the budget is exhausted for all expressions. */
export const isExhausted = (budget: Budget): boolean =>
  budget.steps >= budget.maxSteps * RUNS || budget.size >= budget.maxSize * RUNS;

/** Counts the steps of a pattern outside of expressions; returns whether the budget is not exhausted. */
export function spendMatching(budget: Budget, steps: number): boolean {
  budget.steps += steps;
  return !isExhausted(budget);
}

/** Counts steps. @throws EvaluationError (budget) */
export function spendSteps(budget: Budget, count: number): void {
  budget.steps += count;
  if (budget.steps <= budget.stepLimit) return;
  // The rejected work was not done: other expressions keep their share.
  budget.steps = budget.stepLimit;
  throw overspent(budget.stepLimit, budget.maxSteps, 'steps');
}

/** Counts list items before they are created. @throws EvaluationError (budget) */
export function spendSize(budget: Budget, count: number): void {
  budget.size += count;
  if (budget.size <= budget.sizeLimit) return;
  budget.size = budget.sizeLimit;
  throw overspent(budget.sizeLimit, budget.maxSize, 'list items, or as much in maps and texts');
}

/** `limit` is the limit of the run: less than its own share if all runs together exhausted theirs. */
function overspent(limit: number, share: number, what: string): EvaluationError {
  const together = limit === share * RUNS;
  const who = together ? 'all expressions of the instance take' : 'the expression takes';
  return overBudget(`${who} more than ${together ? limit : share} ${what}`);
}

/** The sizes of a map entry and of characters, in list items. */
export const ENTRY = 4;
const CHARACTERS_PER_ITEM = 8;

/** Counts characters or bytes before they are created. @throws EvaluationError (budget) */
export const spendText = (budget: Budget, length: number): void => spendSize(budget, length / CHARACTERS_PER_ITEM);

/** Counts map entries before they are created. @throws EvaluationError (budget) */
export const spendEntries = (budget: Budget, count: number): void => spendSize(budget, count * ENTRY);

/** Returns the budget of all runs together. */
export const wholeOf = ({ maxSteps, maxSize }: Budget): { steps: number; size: number } => ({
  steps: maxSteps * RUNS,
  size: maxSize * RUNS,
});

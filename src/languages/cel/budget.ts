import { defaultLimits, type Limits } from '../../core/model/limits.ts';
import { noPatternPaid, type PaidPatterns } from './regex.ts';
import { type EvaluationError, overBudget } from './value/values.ts';

/** How many expressions of one budget may go to their limits. */
const RUNS = 4;

/**
 * What evaluations may still spend. Counting is exact and the same on every machine, so that an expression which is
 * refused is refused everywhere. One budget may serve many runs: those of an instance, say.
 */
export interface Budget extends Readonly<Limits> {
  /** Spent so far, by all runs. */
  steps: number;
  size: number;
  /** Where the present run has to stop. */
  stepLimit: number;
  sizeLimit: number;
  /** Compiling one of these again costs nothing. */
  readonly patterns: PaidPatterns;
  /** Whether time is up; asked now and then. For callers that accept results which depend on the machine. */
  readonly deadline: (() => boolean) | undefined;
}

/** How many steps lie between two looks at the deadline. */
const DEADLINE_INTERVAL = 1024;

export function createBudget(limits: Partial<Limits> & { deadline?: () => boolean } = {}): Budget {
  const { maxSteps = defaultLimits.maxSteps, maxSize = defaultLimits.maxSize, deadline } = limits;
  const spent = { steps: 0, size: 0, stepLimit: maxSteps, sizeLimit: maxSize, patterns: noPatternPaid() };
  return { ...spent, maxSteps, maxSize, deadline };
}

/** Gives the next expression its share. */
export function startRun(budget: Budget): void {
  budget.stepLimit = Math.min(budget.steps + budget.maxSteps, budget.maxSteps * RUNS);
  budget.sizeLimit = Math.min(budget.size + budget.maxSize, budget.maxSize * RUNS);
}

/** What an object that is made takes, besides its expressions: an instance of instances could make any number. */
const OBJECT_STEPS = 1000;
/** Characters of output in list items: they are written once, and not kept as values. */
const WRITTEN_PER_ITEM = 2;

/** Counts an object and what its template writes besides expressions. Nothing is thrown: see {@link isExhausted}. */
export function spendObject(budget: Budget, characters: number): void {
  budget.steps += OBJECT_STEPS;
  budget.size += characters / WRITTEN_PER_ITEM;
}

/** Counts characters that go into an object. @throws EvaluationError (budget) */
export const spendWritten = (budget: Budget, characters: number): void =>
  spendSize(budget, characters / WRITTEN_PER_ITEM);

/** The characters that the present run may still write. */
export const writableIn = (budget: Budget): number => Math.max(0, (budget.sizeLimit - budget.size) * WRITTEN_PER_ITEM);

/** What a value of an instance takes that is admitted, its defaults included. */
const VALUE_STEPS = 20;

/** Counts the values of an instance. Nothing is thrown: the next expression will fail. */
export function spendValues(budget: Budget, count: number): void {
  budget.steps += count * VALUE_STEPS;
}

const SELECTION_STEPS = 20;

/** Counts the objects that a selector looks at. Nothing is thrown: see {@link isExhausted}. */
export function spendSelection(budget: Budget, objects: number): void {
  budget.steps += objects * SELECTION_STEPS;
  budget.size += objects;
}

/** Whether nothing is left for any expression. */
export const isExhausted = (budget: Budget): boolean =>
  budget.steps >= budget.maxSteps * RUNS || budget.size >= budget.maxSize * RUNS;

/** Counts work done. @throws EvaluationError (budget) */
export function spendSteps(budget: Budget, count: number): void {
  const before = budget.steps;
  budget.steps = before + count;
  if (budget.steps > budget.stepLimit) {
    // What was asked for was not done: other expressions have their share left.
    budget.steps = budget.stepLimit;
    throw overspent(budget.stepLimit, budget.maxSteps, 'steps');
  }
  if (budget.deadline === undefined) return;
  const crossed = Math.floor(before / DEADLINE_INTERVAL) !== Math.floor(budget.steps / DEADLINE_INTERVAL);
  if (crossed && budget.deadline()) throw overBudget('the expression takes too long');
}

/** Counts list items about to be made. @throws EvaluationError (budget) */
export function spendSize(budget: Budget, count: number): void {
  budget.size += count;
  if (budget.size <= budget.sizeLimit) return;
  budget.size = budget.sizeLimit;
  throw overspent(budget.sizeLimit, budget.maxSize, 'list items, or as much in maps and texts');
}

/** `limit` is where the run had to stop: before the end of its own share when all runs together had taken theirs. */
function overspent(limit: number, share: number, what: string): EvaluationError {
  const together = limit === share * RUNS;
  const who = together ? 'all expressions of the instance take' : 'the expression takes';
  return overBudget(`${who} more than ${together ? limit : share} ${what}`);
}

/** The sizes of a map entry and of characters, in list items. */
export const ENTRY = 4;
const CHARACTERS_PER_ITEM = 8;

/** Counts characters or bytes about to be made. @throws EvaluationError (budget) */
export const spendText = (budget: Budget, length: number): void => spendSize(budget, length / CHARACTERS_PER_ITEM);

/** Counts map entries about to be made. @throws EvaluationError (budget) */
export const spendEntries = (budget: Budget, count: number): void => spendSize(budget, count * ENTRY);

/** All that the runs of one budget may take together. */
export const wholeOf = ({ maxSteps, maxSize }: Budget): { steps: number; size: number } => ({
  steps: maxSteps * RUNS,
  size: maxSize * RUNS,
});

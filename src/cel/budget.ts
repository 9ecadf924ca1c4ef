import { EvaluationError } from './values.ts';

/**
 * What evaluations may still spend. Counting is exact and the same on every machine, so that an expression which is
 * refused is refused everywhere. One budget may serve many runs.
 */
export interface Budget {
  /** Calls and iterations so far. */
  steps: number;
  /** List items made so far; a map entry counts four, as it takes up more, and a character or byte an eighth. */
  size: number;
  readonly maxSteps: number;
  readonly maxSize: number;
  /** Whether time is up; asked now and then. For callers that accept results which depend on the machine. */
  readonly deadline: (() => boolean) | undefined;
}

const DEFAULT_MAX_STEPS = 10_000_000;
const DEFAULT_MAX_SIZE = 3_000_000;

/** How many steps lie between two looks at the deadline. */
const DEADLINE_INTERVAL = 1024;

export function createBudget(limits: { maxSteps?: number; maxSize?: number; deadline?: () => boolean } = {}): Budget {
  return {
    steps: 0,
    size: 0,
    maxSteps: limits.maxSteps ?? DEFAULT_MAX_STEPS,
    maxSize: limits.maxSize ?? DEFAULT_MAX_SIZE,
    deadline: limits.deadline,
  };
}

/** Counts work done. @throws EvaluationError (budget) */
export function spendSteps(budget: Budget, count: number): void {
  const before = budget.steps;
  budget.steps = before + count;
  if (budget.steps > budget.maxSteps) {
    throw new EvaluationError('budget', `the expression takes more than ${budget.maxSteps} steps`);
  }
  if (budget.deadline === undefined) return;
  const crossed = Math.floor(before / DEADLINE_INTERVAL) !== Math.floor(budget.steps / DEADLINE_INTERVAL);
  if (crossed && budget.deadline()) throw new EvaluationError('budget', 'the expression takes too long');
}

/** Counts list items about to be made. @throws EvaluationError (budget) */
export function spendSize(budget: Budget, count: number): void {
  budget.size += count;
  if (budget.size > budget.maxSize) {
    throw new EvaluationError(
      'budget',
      `the expression makes more than ${budget.maxSize} list items, or as much in maps and texts`,
    );
  }
}

/** The sizes of a map entry and of characters, in list items. */
export const ENTRY = 4;
const CHARACTERS_PER_ITEM = 8;

/** Counts characters or bytes about to be made. @throws EvaluationError (budget) */
export const spendText = (budget: Budget, length: number): void => spendSize(budget, length / CHARACTERS_PER_ITEM);

/** Counts map entries about to be made. @throws EvaluationError (budget) */
export const spendEntries = (budget: Budget, count: number): void => spendSize(budget, count * ENTRY);

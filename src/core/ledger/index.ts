/*
 * A ledger of what a command did with everything that it was given. Each unit has exactly one outcome for the question
 * that the command asks, and the verdict is computed from the outcomes: nothing is fine only because nothing complained.
 */

export * from './conservation.ts';
export * from './evidence.ts';
export * from './judge.ts';
export * from './outcome.ts';
export * from './published.ts';

import type { Message } from '../../../core/diagnostics/index.ts';
import type { Path, Value } from '../../../core/model/value.ts';
import { MAX_PATTERNS, type Schema } from '../../schema/index.ts';

/** What an API server would reject in an object, or drop. It quotes only names of fields of the object. */
export interface Violation {
  kind: 'type' | 'required' | 'value' | 'unknown' | 'duplicate' | 'budget';
  message: Message;
  path: Path;
}

/** The maximum number of errors of one object. */
export const MAX_VIOLATIONS = 100;

/** The remaining budget of patterns; `left` is negative after an object could not be checked. */
export interface PatternBudget {
  left: number;
  /** The remaining matching steps; negative after an object could not be checked. */
  steps: number;
  known: Set<string>;
}

/** The maximum matching steps of all objects of a package. */
export const MATCHING_STEPS = 10_000_000;

export const createPatternBudget = (): PatternBudget => ({
  left: MAX_PATTERNS,
  steps: MATCHING_STEPS,
  known: new Set(),
});

export interface Check {
  /** Whether a CRD or an extension server defines the kind, instead of a type of Kubernetes. */
  custom: boolean;
  /** Shared by all objects of a package. */
  patterns: PatternBudget;
}

export interface Walk extends Check {
  path: (string | number)[];
  faults: Violation[];
  /** The current nesting of alternatives. */
  alternatives: number;
  /** Cached results of alternatives: each pair is checked once, however many schemas share it. */
  fitting: Map<Schema, Map<Value, boolean>>;
}

export function add(
  { path, faults }: Walk,
  kind: Violation['kind'],
  message: Message,
  ...below: (string | number)[]
): void {
  faults.push({ kind, message, path: [...path, ...below] });
}

export const isFull = ({ faults }: Walk): boolean => faults.length >= MAX_VIOLATIONS;

/** Runs an action one step deeper. */
export function at(walk: Walk, step: string | number, action: () => void): void {
  walk.path.push(step);
  action();
  walk.path.pop();
}

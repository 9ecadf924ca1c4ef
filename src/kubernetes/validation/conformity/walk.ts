import type { Message } from '../../../core/diagnostics/index.ts';
import { type Allowance, allowance, MATCHING_STEPS, MAX_PATTERNS } from '../../../core/model/limits.ts';
import type { Path, Value } from '../../../core/model/value.ts';
import type { Schema } from '../../schema/index.ts';

/** What an API server would reject in an object, or drop. It quotes only names of fields of the object. */
export interface Violation {
  kind: 'type' | 'required' | 'value' | 'unknown' | 'duplicate' | 'budget';
  message: Message;
  path: Path;
}

/** The maximum number of errors of one object. */
export const MAX_VIOLATIONS = 100;

/** The remaining budget of patterns: their characters and the steps of matching them. */
export interface PatternBudget {
  characters: Allowance;
  steps: Allowance;
  known: Set<string>;
}

export const createPatternBudget = (): PatternBudget => ({
  characters: allowance(MAX_PATTERNS),
  steps: allowance(MATCHING_STEPS),
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

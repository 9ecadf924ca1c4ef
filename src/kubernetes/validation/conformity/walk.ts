import type { Message } from '../../../core/diagnostics/index.ts';
import type { Path, Value } from '../../../core/model/value.ts';
import { MAX_PATTERNS, type Schema } from '../../schema/index.ts';

/** What an API server would refuse of an object, or drop. Nothing of it quotes the object but names of fields. */
export interface Violation {
  kind: 'type' | 'required' | 'value' | 'unknown' | 'duplicate' | 'budget';
  message: Message;
  path: Path;
}

/** More of one object is of no use to anybody. */
export const MAX_VIOLATIONS = 100;

/** What patterns may still take; `left` is negative when an object could not be checked. */
export interface PatternBudget {
  left: number;
  /** Steps of matching; negative when an object could not be checked. */
  steps: number;
  known: Set<string>;
}

/** The steps of matching all objects of a package against the patterns of their schemas. */
export const MATCHING_STEPS = 10_000_000;

export const createPatternBudget = (): PatternBudget => ({
  left: MAX_PATTERNS,
  steps: MATCHING_STEPS,
  known: new Set(),
});

export interface Check {
  /** Whether a CRD or an extension server defines the kind, and not a type in Kubernetes' own code. */
  custom: boolean;
  /** One for all objects of a package. */
  patterns: PatternBudget;
}

export interface Walk extends Check {
  path: (string | number)[];
  faults: Violation[];
  /** How many alternatives the walk is inside of. */
  alternatives: number;
  /** Whether values fit alternatives: each is looked at once, however many schemas share it. */
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

/** Runs an action one step further down. */
export function at(walk: Walk, step: string | number, action: () => void): void {
  walk.path.push(step);
  action();
  walk.path.pop();
}

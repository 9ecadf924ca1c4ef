import { evaluate as evaluateTheirs } from '@marcbachmann/cel-js';
import { check, createBudget, kroEnvironment, parse, plan } from '../../../../src/languages/cel/index.ts';
import { EvaluationError } from '../../../../src/languages/cel/value/values.ts';

/** The result of an engine: the text of the value, or an error. */
export type Outcome = { value: string } | { error: string };

export function ours(source: string): Outcome {
  const parsed = parse(source);
  if (!parsed.ok) return { error: parsed.issue.message };
  const result = check(kroEnvironment(), parsed.expression, new Map());
  if (!result.ok) return { error: result.issues[0]?.message ?? '' };
  try {
    return { value: written(plan(kroEnvironment(), result.checked, []).run([], createBudget())) };
  } catch (error) {
    if (error instanceof EvaluationError) return { error: error.message };
    throw error;
  }
}

export function theirs(source: string): Outcome {
  try {
    return { value: written(evaluateTheirs(source)) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Sorts map entries by key, since the engines do not define the order. */
function written(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : `${value}`;
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const texts = entries.map(([key, item]) => `${written(key)}: ${written(item)}`);
  return `{${texts.sort().join(', ')}}`;
}

export const agree = (a: Outcome, b: Outcome): boolean =>
  'value' in a ? 'value' in b && a.value === b.value : 'error' in b;

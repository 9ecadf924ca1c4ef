import { describe, expect, test } from 'vitest';
import { check, createBudget, kroEnvironment, parse, plan, toJson } from '../../src/cel/index.ts';
import { EvaluationError } from '../../src/cel/values.ts';
import { boundCases } from './bounds-cases.ts';

interface Ending {
  text: string;
  steps: number;
  size: number;
}

/** How an expression ends, and what it has spent until then. */
function ending(source: string): Ending {
  const budget = createBudget();
  const end = (text: string): Ending => ({ text, steps: budget.steps, size: budget.size });
  const parsed = parse(source);
  if (!parsed.ok) return end(`syntax: ${parsed.issue.message}`);
  const checked = check(kroEnvironment(), parsed.expression, new Map());
  if (!checked.ok) return end(`check: ${checked.issues[0]?.message}`);
  try {
    const value = toJson(plan(kroEnvironment(), checked.checked, []).run([], budget));
    return end(typeof value === 'bigint' ? `${value}` : JSON.stringify(value));
  } catch (error) {
    if (error instanceof EvaluationError) return end(`${error.kind}: ${error.message}`);
    throw error;
  }
}

/** What is allowed on a quiet machine; the test gives as much again to a busy one. */
const MILLISECONDS = 1000;

describe.each(Object.entries(boundCases))('%s', (_, cases) => {
  test.each(cases)('$name', ({ source, ends }) => {
    const start = performance.now();
    const { text } = ending(source);
    const took = performance.now() - start;
    if (typeof ends === 'string') expect(text).toBe(ends);
    else expect(text).toMatch(ends);
    expect(took).toBeLessThan(2 * MILLISECONDS);
  });
});

describe('budgets are deterministic', () => {
  const every = Object.values(boundCases).flat();
  test.each(every.filter((_, index) => index % 5 === 0))('$name', ({ source }) => {
    expect(ending(source)).toEqual(ending(source));
  });
});

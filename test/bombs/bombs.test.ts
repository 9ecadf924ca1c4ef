import { describe, expect, it } from 'vitest';
import { render, validate } from '../../src/api/index.ts';
import { isLong, partOf } from '../properties/runs.ts';
import { bombs } from './bombs.ts';
import { workOf } from './work.ts';

/** Codes that reject an input for its size. */
const REFUSALS = /^(?:schema-too-large|instance-too-large|budget-exceeded|nesting-too-deep)$|takes? more than/;
/** The maximum work of any input, in executed blocks. */
const MOST_WORK = 100_000_000;
/** The maximum size of messages and hints, in UTF-16 code units. */
const MOST_TOLD = 1_100_000;
/** Twice the input may take a little more than twice the work, because of sorting and constant costs. */
const GROWTH = 1.5;

interface Outcome {
  work: number;
  /** The size of the input and the output. */
  size: number;
  refused: boolean;
}

function outcomeOf(name: string, n: number): Outcome {
  const { text, openapi, options = {} } = bombs[name] as (typeof bombs)[string];
  const input = text(n);
  const cluster = openapi?.(n);
  let size = 0;
  let refused = false;
  const work = workOf(() => {
    const given = { objects: [{ file: 'input.yaml', text: input }], openapi: cluster };
    const { objects, diagnostics } = render(given, options);
    // Only validate checks objects against the schemas of their kinds.
    if (cluster !== undefined) validate(given, options);
    const told = diagnostics.reduce((sum, { message, hint = '' }) => sum + message.length + hint.length, 0);
    expect(diagnostics.length).toBeLessThanOrEqual(1000);
    expect(told).toBeLessThanOrEqual(MOST_TOLD);
    size = input.length + JSON.stringify(cluster ?? '').length + JSON.stringify(objects).length + told;
    refused = diagnostics.some(({ code, message }) => REFUSALS.test(code) || REFUSALS.test(message));
  });
  return { work, size, refused };
}

describe('work is proportional to the input and the output, or is rejected', () => {
  it.each(partOf(Object.keys(bombs), 6))('%s', (name) => {
    // What is read once and cached, such as the schemas of Kubernetes, does not count.
    const { sizes = [50, 100, 200, 400], refused = false } = bombs[name] as (typeof bombs)[string];
    // The largest size runs only in the nightly run.
    const [first = 50, ...larger] = isLong || refused ? sizes : sizes.slice(0, 3);
    outcomeOf(name, first);
    let before = outcomeOf(name, first);
    for (const n of larger) {
      const outcome = outcomeOf(name, n);
      expect(outcome.work, `n = ${n}`).toBeLessThan(MOST_WORK);
      if (refused) {
        if (n === larger.at(-1)) expect(outcome.refused, `n = ${n}`).toBe(true);
        continue;
      }
      expect(outcome.refused, `n = ${n}`).toBe(false);
      const allowed = before.work * Math.max(2, outcome.size / before.size) * GROWTH;
      expect(outcome.work, `n = ${n}, from ${before.work}`).toBeLessThan(allowed);
      before = outcome;
    }
  });
});

/** Compares this engine with cel-js, on what both support: the same value, or both an error. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agree, ours, theirs } from './differential/engines.ts';
import { expressions } from './differential/expressions.ts';
import { knownDifferences } from './differential/known-differences.ts';

const isKnown = (source: string): boolean => knownDifferences.some(({ touches }) => touches?.test(source));

describe('random expressions', () => {
  test('have the same value in both engines', () => {
    fc.assert(
      fc.property(expressions, (source) => {
        const [own, other] = [ours(source), theirs(source)];
        if (!agree(own, other) && !isKnown(source)) expect({ source, ...own }).toEqual({ source, ...other });
      }),
      { numRuns: 5000 },
    );
  });

  test('usually have a value, and are usually outside the known differences', () => {
    const sample = fc.sample(expressions, { numRuns: 1000 });
    expect(sample.filter((source) => 'value' in ours(source)).length).toBeGreaterThan(600);
    expect(sample.filter((source) => !isKnown(source)).length).toBeGreaterThan(600);
  });
});

describe('known differences', () => {
  test.each(knownDifferences)('$reason: $example', ({ example }) => {
    const [own, other] = [ours(example), theirs(example)];
    expect(agree(own, other), JSON.stringify([own, other])).toBe(false);
  });
});

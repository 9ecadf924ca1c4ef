import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgedByHand } from '../differential/by-hand.ts';
import { compared, disagreement, ours, theirs } from '../differential/compare.ts';
import { readPackages } from '../differential/recorded.ts';

const recorded = readPackages(readFileSync('test/differential/recorded/packages.jsonl', 'utf8'));

describe('a random package', () => {
  it.each(recorded.map((one, index) => [index, one] as const))('%i is as kro answers', (_, { input, verdict }) => {
    expect(disagreement(ours(input), theirs(verdict, input))).toBeUndefined();
  });

  it('is often rendered, and often rejected', () => {
    const stages = recorded.map(({ input }) => ours(input).stage);
    expect(stages.filter((stage) => stage === '').length).toBeGreaterThan(recorded.length / 5);
    expect(new Set(stages).size).toBeGreaterThan(2);
  });
});

const byHand = judgedByHand();

describe('a package by hand', () => {
  it.each(byHand.map((one) => [one.title, one] as const))('%s', (_, { input, verdict }) => {
    expect(compared(input, verdict)).toBeUndefined();
  });

  it('is one of a hundred or more', () => {
    expect(byHand.length).toBeGreaterThan(100);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validated } from '../../differential/objects/compare.ts';
import { readObjects } from '../../differential/recorded.ts';

const recorded = readObjects(readFileSync('test/differential/recorded/objects.jsonl', 'utf8'));

describe('objects of a random CRD', () => {
  it.each(recorded.map((one, index) => [index, one] as const))('%i are rejected as by an API server', (_, one) => {
    expect(one.specs.map((spec) => validated(one.crd, spec).length > 0)).toEqual(one.refused);
  });

  it('are accepted and rejected', () => {
    const verdicts = recorded.flatMap(({ refused }) => refused);
    expect(verdicts.filter(Boolean).length).toBeGreaterThan(verdicts.length / 5);
    expect(verdicts.filter((one) => !one).length).toBeGreaterThan(verdicts.length / 10);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agree, type Recorded, renderHere } from '../resourcesets/compare.ts';

// Answers of the operator's own packages: npm run resourcesets -- --answers FILE. `node tools/resourcesets.mjs` compares
// others, which are drawn each time.
const recorded = readFileSync('test/resourcesets/recorded.jsonl', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

describe('a random ResourceSet', () => {
  it.each(recorded.map((one, index): [number, Recorded] => [index, one]))(
    '%i is as the operator renders it',
    (_, one) => {
      const ours = renderHere(one);
      const theirs = one.objects === null ? { error: 'rejected' } : { objects: one.objects };
      if (agree(ours, theirs)) return;
      expect(ours).toEqual(theirs);
      expect.unreachable('the objects differ');
    },
  );

  it('is rendered more often than rejected', () => {
    const rendered = recorded.filter(({ objects }) => objects !== null && objects.length > 0);
    expect(rendered.length).toBeGreaterThan(recorded.length / 2);
  });
});

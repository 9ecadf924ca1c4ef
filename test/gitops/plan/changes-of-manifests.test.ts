import { describe, expect, it } from 'vitest';
import { filesWith, MANIFEST_CHANGES } from './changes-of-manifests.ts';
import { answerOf } from './repository.ts';

describe('dangers of a change of manifests', () => {
  it.each(MANIFEST_CHANGES)('are those of the case: $title', ({ before, after, dangers }) => {
    const plan = answerOf(filesWith(before), filesWith(after));
    expect(plan.compared).toBe(1);
    expect(plan.dangers.map(({ code }) => code)).toEqual(dangers);
  });
});

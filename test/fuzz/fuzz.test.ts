import { describe, expect, it } from 'vitest';
import { runs } from '../properties/runs.ts';
import { verdictOn } from './check.ts';
import { ownFolders, projectRoot, readCorpus } from './corpus.ts';
import { inputOf } from './input.ts';

/** `npm run fuzz` runs more; this test keeps the script working. */
const { numRuns: INPUTS } = runs(200);

const corpus = readCorpus(ownFolders(projectRoot));

describe('mutants of real inputs', () => {
  it('are equal for equal seeds and numbers, and different for others', () => {
    expect(inputOf(corpus, 1, 7)).toEqual(inputOf(corpus, 1, 7));
    const texts = [inputOf(corpus, 1, 7), inputOf(corpus, 2, 7), inputOf(corpus, 1, 8)].map(({ stdin }) =>
      String(stdin),
    );
    expect(new Set(texts).size).toBe(3);
  });

  it('are rejected, or rendered equally each time', async () => {
    let succeeded = 0;
    for (let index = 0; index < INPUTS; index++) {
      const verdict = await verdictOn(inputOf(corpus, 1, index));
      expect(verdict.fault, `--seed 1 --only ${index}`).toBeUndefined();
      if (verdict.succeeded) succeeded += 1;
    }
    expect(succeeded).toBeGreaterThan(INPUTS / 20);
  });
});

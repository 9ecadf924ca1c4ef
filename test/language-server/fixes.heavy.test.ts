import { describe, expect, it } from 'vitest';
import { LONG } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { corruptionsIn, faultsOfAllFixes, texts, withMistake } from './fixes.ts';
import { randomFrom } from './mutants.ts';

/** `TIMES=100` tests 6,000 random mistakes. */
const RANDOM = 60 * Number(process.env.TIMES ?? 1);

describe('a fix leaves YAML, removes its diagnostic and adds no error', () => {
  it(
    'after random mistakes',
    () => {
      const random = randomFrom(seed);
      const all = texts();
      let offered = 0;
      for (let at = 0; at < RANDOM; at += 1) {
        const text = all[Math.floor(random() * all.length)]?.text ?? '';
        const found = corruptionsIn(withMistake(text, random));
        expect(found.corruptions).toEqual([]);
        offered += found.offered;
      }
      expect(offered).toBeGreaterThan(10);
    },
    LONG,
  );
});

describe('all certain fixes leave YAML and nothing to fix, and add no error', () => {
  it(
    'after several random mistakes in a text',
    () => {
      const random = randomFrom(seed + 1);
      const all = texts();
      let fixed = 0;
      // Most mistakes have no fix without an alternative.
      for (let at = 0; at < 4 * RANDOM; at += 1) {
        let text = all[Math.floor(random() * all.length)]?.text ?? '';
        for (let mistakes = 1 + (at % 3); mistakes > 0; mistakes -= 1) text = withMistake(text, random);
        const found = faultsOfAllFixes(text);
        expect(found.faults, text).toEqual([]);
        fixed += found.fixed;
      }
      expect(fixed).toBeGreaterThan(5);
    },
    LONG,
  );
});

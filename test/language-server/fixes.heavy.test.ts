import { describe, expect, it } from 'vitest';
import { LONG } from '../properties/runs.ts';
import { seed } from '../seed.ts';
import { corruptionsIn, texts, withMistake } from './fixes.ts';
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

import { describe, it } from 'vitest';
import { partOf } from '../properties/runs.ts';
import { corpus } from './corpus.ts';
import { askEdits, askPrefixes, randomFrom } from './mutants.ts';

/** `TIMES=10`, as in the nightly run, tests each prefix of each text. */
const times = Number(process.env.TIMES ?? 1);
const STEP = 307;
const step = times > 1 ? 1 : STEP;
const edits = times > 1 ? 6 * times : 2;

describe.each(partOf(corpus(), 8))('the language server while $name is being written', ({ text }) => {
  it('answers at the end of every prefix', () => askPrefixes(text, step));
  it('answers after any edit', () => askEdits(text, randomFrom(Number(process.env.SEED ?? 1)), edits));
});

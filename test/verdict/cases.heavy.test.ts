import { expect, it } from 'vitest';
import { isLong, LONG } from '../properties/runs.ts';
import { differencesOf } from './compare.ts';
import { verdictFolder } from './folder.ts';
import { casesIn, inputs } from './inputs.ts';

/** VERDICT_CASES=FOLDER,... adds folders of cases, each with input.yaml. */
const more = (process.env.VERDICT_CASES ?? '').split(',').filter(Boolean);

const ask = verdictFolder();

/** The nightly run; verdict.test.ts asks a part of them in each run. */
it.runIf(isLong || more.length > 0)(
  'the verdict of every surface is the same for all cases, but for the documented differences',
  async () => {
    const all = [...inputs(), ...more.flatMap((root) => [...casesIn(root)])];
    expect(await differencesOf(all, ask)).toEqual([]);
  },
  LONG,
);

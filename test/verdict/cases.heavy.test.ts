import { expect, it } from 'vitest';
import { LONG, partOf } from '../properties/runs.ts';
import { differencesOf } from './compare.ts';
import { verdictFolder } from './folder.ts';
import { casesIn, inputs } from './inputs.ts';

/** VERDICT_CASES=FOLDER,... tests all cases, also those of other folders, each with input.yaml. */
const more = (process.env.VERDICT_CASES ?? '').split(',').filter(Boolean);

const ask = verdictFolder();

it(
  'the verdict of every surface is the same for the cases, but for the documented differences',
  async () => {
    const all = [...inputs(), ...more.flatMap((root) => [...casesIn(root)])];
    const part = more.length > 0 ? all : partOf(all, 16);
    expect(part.length).toBeGreaterThan(20);
    expect(await differencesOf(part, ask)).toEqual([]);
  },
  LONG,
);

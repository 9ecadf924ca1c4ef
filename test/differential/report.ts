import { fromPlain } from '../../src/api/plain.ts';
import { toJsonText } from '../../src/emit/json.ts';
import { compared } from './compare.ts';
import type { Comparison, Example } from './comparison.ts';
import type { Judge } from './judge.ts';
import { smaller } from './shrink.ts';

const ROUNDS = 60;
const CANDIDATES = 600;

/** Prints what disagreed, the most frequent first; with `shrink` the smallest package that was found for it. */
export async function printGroups(comparison: Comparison, judge: Judge, shrink: boolean): Promise<void> {
  for (const [name, { count, examples }] of [...comparison.groups].sort((a, b) => b[1].count - a[1].count)) {
    console.log(`\n=== ${count} x ${name}`);
    for (const example of examples) {
      const { input, found } = shrink ? await shrunk(judge, example) : example;
      console.log(`  here: ${found.ours.slice(0, 400)}\n  kro:  ${found.theirs.slice(0, 400)}`);
      for (const object of input.objects) console.log(`    ${toJsonText(fromPlain(object))}`);
      for (const object of input.observed) console.log(`    observed ${toJsonText(fromPlain(object))}`);
    }
  }
  console.log(`\nverdicts of kro: ${[...comparison.stages].map(([stage, count]) => `${stage} ${count}`).join(', ')}`);
}

/** The smallest package found that disagrees in the same way. */
async function shrunk(judge: Judge, example: Example): Promise<Example> {
  let best = example;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = await firstAlike(judge, best);
    if (next === undefined) return best;
    best = next;
  }
  return best;
}

async function firstAlike(judge: Judge, { input, found }: Example): Promise<Example | undefined> {
  const candidates = smaller(input).slice(0, CANDIDATES);
  const verdicts = await judge.ask(candidates);
  for (const [index, candidate] of candidates.entries()) {
    const verdict = verdicts[index];
    const again = verdict && compared(candidate, verdict);
    if (again?.group === found.group) return { input: candidate, found: again };
  }
  return undefined;
}

import { fromPlain } from '../../src/api/plain.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import { compared, type Disagreement } from './compare.ts';
import type { Comparison, Example } from './comparison.ts';
import type { Judge } from './judge.ts';
import { smaller } from './shrink.ts';

/** The maximum number of printed characters of an answer, and before a difference. */
const SHOWN = 400;
const BEFORE = 120;
const ROUNDS = 200;
const CANDIDATES = 600;
/** Candidates per request to the oracle: the first similar one is used. */
const TOGETHER = 12;

/** Prints the disagreements, the most frequent first; with `shrink`, the smallest package for each. */
export async function printGroups(comparison: Comparison, judge: Judge, shrink: boolean): Promise<void> {
  for (const [name, { count, examples }] of [...comparison.groups].sort((a, b) => b[1].count - a[1].count)) {
    console.log(`\n=== ${count} x ${name}`);
    for (const example of examples) {
      const { input, found } = shrink ? await shrunk(judge, example) : example;
      const from = differsAt(found);
      console.log(`  here: ${from(found.ours)}\n  kro:  ${from(found.theirs)}`);
      for (const object of input.objects) console.log(`    ${toJsonText(fromPlain(object))}`);
      for (const object of input.observed) console.log(`    observed ${toJsonText(fromPlain(object))}`);
    }
  }
  console.log(`\nverdicts of kro: ${[...comparison.stages].map(([stage, count]) => `${stage} ${count}`).join(', ')}`);
}

/** Shortens long similar texts to where they begin to differ. */
function differsAt({ ours, theirs }: Disagreement): (text: string) => string {
  const named = theirs.slice(0, theirs.indexOf('{'));
  const judged = theirs.startsWith(`${named}${ours.slice(0, 1)}`) ? theirs.slice(named.length) : theirs;
  let at = 0;
  while (at < ours.length && ours[at] === judged[at]) at += 1;
  const start = Math.max(0, at - BEFORE);
  return (text) => (text === theirs ? `${named}...${judged.slice(start)}` : text.slice(start)).slice(0, SHOWN);
}

/** Returns the smallest package that disagrees in the same way. */
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
  for (let at = 0; at < candidates.length; at += TOGETHER) {
    const some = candidates.slice(at, at + TOGETHER);
    const verdicts = await judge.ask(some, { crds: true, outcomes: true });
    for (const [index, candidate] of some.entries()) {
      const verdict = verdicts[index];
      const again = verdict && compared(candidate, verdict);
      if (again?.group === found.group) return { input: candidate, found: again };
    }
  }
  return undefined;
}

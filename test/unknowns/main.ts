import { writeFileSync } from 'node:fs';
import { inspect, parseArgs } from 'node:util';
import { buildJudge, hasGo } from '../cluster/control-plane/build.ts';
import { sample } from '../differential/draw.ts';
import { startOracle } from '../differential/oracle.ts';
import { casesByHand } from './by-hand.ts';
import {
  type Case,
  caseOf,
  compare,
  type Difference,
  type PartialAnswer,
  type PartialQuestion,
  questionOf,
} from './compare.ts';
import { linesOf, recordOf } from './recorded.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
    /** Writes a part of the answers for recorded.test.ts. */
    record: { type: 'string' },
  },
});

/** Expressions in memory at a time. */
const BATCH = 1000;

if (hasGo()) await run();
else {
  console.log('SKIPPED: go is not here, so nobody can ask cel-go');
  const isFailure = process.env.CI === 'true';
  console.log(`unknowns: 0 passed, ${isFailure ? 1 : 0} failed`);
  process.exitCode = isFailure ? 1 : 0;
}

async function run(): Promise<void> {
  const oracle = startOracle<PartialQuestion, PartialAnswer>([buildJudge(), 'partial']);
  const count = Number(values.count);
  const seed = Number(values.seed);
  const tally = new Map<string, number>();
  const open: Difference[] = [];
  const recorded: (string | undefined)[] = [];
  let compared = 0;
  for (let batch = 0; compared < count; batch += 1) {
    const drawn = sample(caseOf, BATCH, seed * 1_000_003 + batch);
    if (batch === 0) drawn.unshift(...casesByHand(seed));
    const cases = drawn.filter((one): one is Case => one !== undefined).slice(0, count - compared);
    const answers = await oracle.ask(cases.map(questionOf));
    for (const [index, one] of cases.entries()) {
      const { verdict, difference } = compare(one, answers[index] as PartialAnswer);
      tally.set(verdict, (tally.get(verdict) ?? 0) + 1);
      if (difference !== undefined) open.push(difference);
      else if (values.record !== undefined) recorded.push(recordOf(one, answers[index] as PartialAnswer));
    }
    compared += cases.length;
  }
  oracle.close();
  if (values.record !== undefined) writeFileSync(values.record, linesOf(recorded));
  for (const one of open.slice(0, Number(values.show))) console.log(inspect(one, { depth: 9, breakLength: 120 }));
  console.log(`seed ${seed}, ${count} expressions:`);
  for (const [verdict, number] of [...tally].sort()) console.log(`  ${verdict}: ${number}`);
  console.log(`unknowns: ${count - open.length} passed, ${open.length} failed`);
  process.exitCode = open.length === 0 ? 0 : 1;
}

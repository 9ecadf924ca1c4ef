import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { buildResourceSetJudge, hasGo } from '../cluster/control-plane/build.ts';
import { drawFromSeed } from '../templates/random.ts';
import { agree, type Recorded, renderHere } from './compare.ts';
import { type Answer, type Outcome, purposes } from './on-purpose.ts';
import { type GeneratedSet, setOf } from './random.ts';
import { coverageOf, RECORDED } from './surface.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
    coverage: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    /** Writes the answers of the operator for test/flux/recorded.test.ts. */
    answers: { type: 'string' },
  },
});

/** Two thirds of so many sets must render: rejected sets compare little. */
const ENOUGH = 300;

if (hasGo()) await run();
else {
  console.log('SKIPPED: go is not here, so nobody can ask the Flux operator');
  const isFailure = process.env.CI === 'true';
  console.log(`resourcesets: 0 passed, ${isFailure ? 1 : 0} failed`);
  process.exitCode = isFailure ? 1 : 0;
}

async function run(): Promise<void> {
  const { program, sources } = buildResourceSetJudge();
  const current = execFileSync(program, [sources, 'surface'], { encoding: 'utf8' });
  if (values.record) {
    writeFileSync(RECORDED, current);
    return;
  }
  const open: string[] = [];
  if (current !== readFileSync(RECORDED, 'utf8')) open.push('FAIL surface.json differs: run it with --record');
  const child = spawn(program, [sources], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (one: GeneratedSet): Promise<Answer> => {
    child.stdin.write(`${escaped(JSON.stringify(one))}\n`);
    return JSON.parse((await answers.next()).value as string) as Answer;
  };
  const [count, seed] = [Number(values.count), Number(values.seed)];
  const samples: GeneratedSet[] = [];
  const tally = { agreed: 0, refused: 0, onPurpose: new Map<string, number>() };
  const recorded: Recorded[] = [];
  for (const { reason, sample, holds } of purposes) {
    const [ours, theirs] = [renderHere(sample), await ask(sample)];
    if (!agree(ours, theirs) && holds(sample, ours, theirs)) continue;
    open.push(`FAIL no longer different on purpose: ${reason}\n  ${shown(ours, theirs)}`);
  }
  for (let at = 0; at < count; at++) {
    const one = setOf(drawFromSeed(seed * 1_000_003 + at), at);
    samples.push(one);
    const [ours, theirs] = [renderHere(one), await ask(one)];
    if (agree(ours, theirs)) {
      tally.agreed++;
      if ('error' in ours) tally.refused++;
      recorded.push({ ...one, objects: theirs.error === undefined ? (theirs.objects ?? []) : null });
      continue;
    }
    const purpose = purposes.find(({ holds }) => holds(one, ours, theirs));
    if (purpose !== undefined) tally.onPurpose.set(purpose.reason, (tally.onPurpose.get(purpose.reason) ?? 0) + 1);
    else open.push(`OPEN sample ${at}: ${JSON.stringify(one)}\n  ${shown(ours, theirs)}`);
  }
  child.stdin.end();
  if (values.answers !== undefined)
    writeFileSync(values.answers, `${recorded.map((one) => JSON.stringify(one)).join('\n')}\n`);
  if (count >= ENOUGH && tally.agreed - tally.refused < (count * 2) / 3) {
    open.push(
      `FAIL the generator has to draw more sets that are rendered: ${tally.agreed - tally.refused} of ${count}`,
    );
  }
  for (const [row, times] of coverageOf(samples)) if (values.coverage) console.log(`${times} ${row}`);
  for (const text of open.slice(0, Number(values.show))) console.log(text);
  const different = [...tally.onPurpose.values()].reduce((sum, times) => sum + times, 0);
  for (const [reason, times] of tally.onPurpose) console.log(`${times} on purpose: ${reason}`);
  console.log(
    `ResourceSets, seed ${seed}: ${tally.agreed} alike (${tally.refused} refused), ${different} different on purpose`,
  );
  console.log(`resourcesets: ${tally.agreed + different} passed, ${open.length} failed`);
  process.exitCode = open.length === 0 ? 0 : 1;
}

function shown(ours: Outcome, theirs: Answer): string {
  return `here:  ${textOf(ours)}\n  there: ${textOf(theirs)}`;
}

function textOf(answer: Outcome | Answer): string {
  return JSON.stringify(answer, (_, one) => (typeof one === 'bigint' ? Number(one) : one));
}

/** Escapes JSON as Go, and so an API server, writes it. */
function escaped(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

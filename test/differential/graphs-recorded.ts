import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Answer, canonical, compared, theirs } from './compare.ts';
import { sample } from './draw.ts';
import { graphPackageOf } from './graphs.ts';
import type { Judge } from './judge.ts';
import { purposeOf } from './on-purpose.ts';
import type { GeneratedPackage } from './packages.ts';

/** The answer of kro's engine to a generated Graph, for where its sources are not at hand. */
export interface RecordedGraph {
  /** The digest of the package: it changes with the generator. */
  input: string;
  stage: string;
  error: string;
  subject: string;
  /** The digest of the rendered objects. */
  objects: string;
}

const FILE = 'test/differential/graphs.json';
const [COUNT, SEED] = [100, 1];

/** Returns the generated Graphs, with the recorded answers: none if the difference is on purpose. */
export function recordedGraphs(): { input: GeneratedPackage; recorded: RecordedGraph | null }[] {
  const all = JSON.parse(readFileSync(FILE, 'utf8')) as (RecordedGraph | null)[];
  return sample(graphPackageOf, COUNT, SEED).map((input, index) => ({ input, recorded: all[index] ?? null }));
}

/** Records the answers of kro's engine. */
export async function recordGraphs(judge: Judge): Promise<void> {
  const inputs = sample(graphPackageOf, COUNT, SEED);
  const verdicts = await judge.ask(inputs, { outcomes: true });
  const all = inputs.map((input, index): RecordedGraph | null => {
    const verdict = verdicts[index];
    if (verdict === undefined) return null;
    const found = compared(input, verdict);
    if (found !== undefined && purposeOf(found, input, verdict.kro) !== undefined) return null;
    const { stage = '', error = '', subject = '' } = verdict;
    return {
      ...{ input: digestOf(input), stage, subject },
      error: error.slice(0, 200),
      objects: digestOf(objectsOf(theirs(verdict, input))),
    };
  });
  writeFileSync(FILE, `[\n${all.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
}

export const objectsOf = ({ objects }: Answer): unknown => Object.fromEntries(objects);

export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonical(value as never))
    .digest('hex')
    .slice(0, 16);

// Answers of kro and of the API server's library, which quick tests compare with ours: npm run differential --
// --record FOLDER. `npm run differential` compares others, which are drawn each time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import { parseJson } from '../../src/core/encoding/json.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import { type Judged, readJudged, writeJudged } from '../fidelity/answers.ts';
import { disagreement, ours, theirs } from './compare.ts';
import { sample } from './draw.ts';
import { packageOfExpressions, worldExpression } from './expression-packages.ts';
import type { Judge } from './judge.ts';
import {
  type GeneratedObjects,
  type ObjectOracle,
  type ObjectsAnswer,
  type ObjectsQuestion,
  objectWith,
  validated,
} from './objects/compare.ts';
import { objectsOf } from './objects/generated.ts';
import { startOracle } from './oracle.ts';
import { packageOf } from './packages.ts';

/** Objects of a generated CRD, and which of them the API server rejects. */
export interface RecordedObjects extends GeneratedObjects {
  refused: boolean[];
}

export interface Counts {
  packages: number;
  expressions: number;
  objects: number;
  seed: number;
}

/** Returns whether a package renders as in kro. */
export const isAlike = ({ input, verdict }: Judged): boolean =>
  disagreement(ours(input), theirs(verdict, input)) === undefined;

/** Returns whether `validate` rejects the objects that the API server rejects. */
export const areAlike = ({ crd, specs, refused }: RecordedObjects): boolean =>
  specs.every((spec, at) => validated(crd, spec).length > 0 === refused[at]);

/** JSON has no line breaks inside of its texts. */
const lineOf = (json: string): string => json.replaceAll('\n', ' ').trim();

/** Asks for random inputs, and writes what both sides agree on. */
export async function recordAnswers(judge: Judge, program: string, counts: Counts, folder: string): Promise<void> {
  const { seed } = counts;
  const inputs = [
    ...sample(packageOf, counts.packages, seed),
    ...sample(worldExpression, counts.expressions, seed).map((one) => packageOfExpressions([one])),
  ];
  const verdicts = await judge.ask(inputs);
  const judged = inputs.flatMap((input, at): Judged[] => (verdicts[at] ? [{ input, verdict: verdicts[at] }] : []));
  const lines = judged.filter(isAlike).map((one) => lineOf(writeJudged([one])));
  writeFileSync(join(folder, 'packages.jsonl'), `${lines.join('\n')}\n`);

  const oracle: ObjectOracle = startOracle<ObjectsQuestion, ObjectsAnswer>([program, 'objects']);
  const drawn = sample(objectsOf, counts.objects, seed);
  const answers = await oracle.ask(
    drawn.map(({ crd, specs }) => ({ crd, objects: specs.map((spec) => ({ object: objectWith(spec) })) })),
  );
  oracle.close();
  const objects = drawn.flatMap((one, at): RecordedObjects[] => {
    const { error, verdicts: all = [] } = answers[at] ?? { error: 'no answer' };
    if (error !== undefined) return [];
    return [{ ...one, refused: all.map(({ errors = [] }) => errors.length > 0) }];
  });
  const texts = objects.filter(areAlike).map((one) => lineOf(toJsonText(fromPlain(one as unknown as JsonValue))));
  writeFileSync(join(folder, 'objects.jsonl'), `${texts.join('\n')}\n`);
}

/** Reads packages with kro's answers. */
export const readPackages = (text: string): Judged[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => readJudged(line));

/** Reads objects with the answers of the API server. */
export const readObjects = (text: string): RecordedObjects[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line) as unknown as RecordedObjects);

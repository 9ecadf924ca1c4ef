// Answers of kro and of the API server's library, which quick tests compare with ours: npm run differential --
// --record FOLDER. `npm run differential` compares others, which are drawn each time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue, ObjectSource } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import { parseJson } from '../../src/core/encoding/json.ts';
import { CHECKED_FORMATS } from '../../src/kubernetes/validation/index.ts';
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
import { FORMAT_TEXTS } from './objects/formats.ts';
import { objectsOf } from './objects/generated.ts';
import { crdWith } from './objects/schemas.ts';
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
  await recordFormats(oracle, join(folder, 'formats.jsonl'));
  oracle.close();
  const objects = drawn.flatMap((one, at): RecordedObjects[] => {
    const { error, verdicts: all = [] } = answers[at] ?? { error: 'no answer' };
    if (error !== undefined) return [];
    return [{ ...one, refused: all.map(({ errors = [] }) => errors.length > 0) }];
  });
  const texts = objects.filter(areAlike).map((one) => lineOf(toJsonText(fromPlain(one as unknown as JsonValue))));
  writeFileSync(join(folder, 'objects.jsonl'), `${texts.join('\n')}\n`);
}

/** Writes, for each format, the texts of all formats that the API server rejects. */
async function recordFormats(oracle: ObjectOracle, path: string): Promise<void> {
  const texts = [...new Set([...Object.values(FORMAT_TEXTS).flat(), ...MORE_TEXTS])];
  const questions = CHECKED_FORMATS.map((format) => ({
    crd: crdWith({
      type: 'object',
      properties: { spec: { type: 'object', properties: { text: { type: 'string', format } } } },
    }) as ObjectSource,
    objects: texts.map((text) => ({ object: objectWith({ text }) })),
  }));
  const answers = await oracle.ask(questions);
  const lines = CHECKED_FORMATS.map((format, at): RecordedFormat => {
    const { error, verdicts = [] } = answers[at] ?? { error: 'no answer' };
    if (error !== undefined) throw new Error(`${format}: ${error}`);
    return { format, refused: texts.filter((_, index) => (verdicts[index]?.errors ?? []).length > 0) };
  });
  writeFileSync(path, `${[texts, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`);
}

/** Texts at the edges of formats: check digits, numbers of parts, ranges, letters of either case. */
const MORE_TEXTS: readonly string[] = [
  ...['4111111111111111', '5500005555555559', '371449635398431', '30569309025904', '3530111333300000', '4222222222222'],
  ...['5500005555555550', '6011111111111117', '6011111111111110', '4111 1111 1111 1111', '41111111111111111'],
  ...['0306406152', '030640615X', '080442957X', '080442957x', '0804429570', '9780306406157', '9780306406158'],
  ...['978-0-306-40615-7', '0-306-40615-2', '979-10-90636-07-1', '9770306406157'],
  ...['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'f81d4fae-7dec-31d0-a765-00a0c91e6bf6'],
  ...['f81d4fae-7dec-41d0-a765-00a0c91e6bf6', 'f81d4fae-7dec-51d0-a765-00a0c91e6bf6'],
  ...['f81d4fae-7dec-41d0-8765-00a0c91e6bf6', 'f81d4fae-7dec-41d0-c765-00a0c91e6bf6'],
  ...[
    'f81d4fae-7dec-51d0-9765-00a0c91e6bf6',
    'f81d4fae-7dec-51d0-b765-00a0c91e6bf6',
    'F81D4FAE-7DEC-41D0-A765-00A0C91E6BF6',
  ],
  ...[
    'f81d4fae7dec41d0a76500a0c91e6bf6',
    'f81d4fae-7dec-71d0-7765-00a0c91e6bf6',
    'f81d4fae-7dec-51d0-765-00a0c91e6bf6',
  ],
  ...[
    '0.0.0.0',
    '255.255.255.255',
    '256.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.4/0',
    '1.2.3.4/32',
    '1.2.3.4/33',
  ],
  ...[
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::ffff:1.2.3.4',
    '::ffff:1.2.3',
    'fe80::1%eth0',
  ],
  ...['::/0', '::/128', '::/129', '1::2::3', 'g::1', '12345::1'],
  ...[
    '00:00:5e:00:53:01',
    '00-00-5e-00-53-01',
    '0000.5e00.5301',
    '02:00:5e:10:00:00:00:01',
    '00:00:5e:00:53',
    '00:00:5g:00:53:01',
  ],
  ...[
    '#fff',
    '#FFFFFF',
    '#ffff',
    'fff',
    '#ggg',
    'rgb(0,0,0)',
    'rgb(255, 255, 255)',
    'rgb(256,0,0)',
    'rgb( 1 , 22 , 199 )',
  ],
  ...['123-45-6789', '123 45 6789', '123456789', '123-456-789', '12-345-6789'],
  ...['2024-02-29', '2023-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '24-01-01', '2024-04-31', '0000-01-01'],
  ...[
    '2024-02-29T12:34:56Z',
    '2024-02-29t12:34:56z',
    '2024-02-29T24:00:00Z',
    '2024-02-29T12:60:00Z',
    '2024-02-29T12:34:60Z',
  ],
  ...[
    '2024-02-29T12:34:56.789+01:00',
    '2024-02-29T12:34:56+24:00',
    '2024-02-29 12:34:56Z',
    '2024-02-29T12:34:56',
    '2024-02-29T12:34Z',
  ],
  ...[
    '1s',
    '1.5h',
    '-1m',
    '1h2m3s',
    '1d',
    '1 day',
    '2 weeks',
    '1w',
    '1',
    '0',
    '1ns',
    '1us',
    '1µs',
    '1ms',
    '.5s',
    '1.s',
    '1x',
    '3 hr',
    '5 mins',
  ],
  ...['YQ==', 'YQ', 'YWI=', 'YWJj', 'YWJj ', 'YW-_', 'YQ=a', '====', 'YWJjZA=='],
  ...[
    'a.example',
    'a_b',
    '-a',
    'a-',
    'a.',
    '.a',
    'a..b',
    'A.B',
    '1.2',
    'a'.repeat(63),
    'a'.repeat(64),
    `${'a.'.repeat(126)}a`,
    `${'a.'.repeat(128)}a`,
  ],
];

interface RecordedFormat {
  format: string;
  refused: string[];
}

/** Reads texts, and the formats with those that the API server rejects. */
export function readFormats(text: string): { texts: string[]; formats: RecordedFormat[] } {
  const [texts, ...formats] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  return { texts: texts as string[], formats: formats as RecordedFormat[] };
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

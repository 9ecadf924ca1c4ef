import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromPlain } from '../../src/api/plain.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { parseJson } from '../../src/core/encoding/json.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import { readPackageText } from '../cluster/documents.ts';
import { compared, type Verdict } from './compare.ts';
import type { Judge } from './judge.ts';
import type { GeneratedPackage } from './packages.ts';

/*
 * Packages for what the generators draw rarely. Each begins with a line `#### TITLE`; live objects follow `## observed`.
 */

const FOLDER = 'test/differential/by-hand';
/** The answers of kro, by title, without those that differ on purpose. */
const RECORDED = 'test/differential/recorded/by-hand.jsonl';

export interface PackageByHand {
  title: string;
  input: GeneratedPackage;
}

export const packagesByHand = (): PackageByHand[] =>
  readdirSync(FOLDER)
    .sort()
    .flatMap((name) => packagesIn(readFileSync(join(FOLDER, name), 'utf8')));

function packagesIn(text: string): PackageByHand[] {
  const [, ...parts] = text.split(/^#### /m);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    const [objects = '', observed = ''] = part.slice(end + 1).split(/^## observed$/m);
    return { title: part.slice(0, end), input: { objects: objectsIn(objects), observed: objectsIn(observed) } };
  });
}

const objectsIn = (text: string): GeneratedPackage['objects'] =>
  readPackageText(text) as unknown as GeneratedPackage['objects'];

export async function recordByHand(judge: Judge): Promise<void> {
  const packages = packagesByHand();
  const verdicts = await judge.ask(packages.map(({ input }) => input));
  const lines = packages.flatMap(({ title, input }, index) => {
    const verdict = verdicts[index];
    if (verdict === undefined || compared(input, verdict) !== undefined) return [];
    return [toJsonText(fromPlain({ title, verdict: { ...verdict, id: '' } } as unknown as JsonValue))];
  });
  writeFileSync(RECORDED, `${lines.map((line) => line.replaceAll('\n', ' ').trim()).join('\n')}\n`);
}

/** Returns the packages that are rendered as by kro, with its recorded answers. */
export function judgedByHand(): (PackageByHand & { verdict: Verdict })[] {
  const recorded = readFileSync(RECORDED, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line) as unknown as { title: string; verdict: Verdict });
  const verdicts = new Map(recorded.map(({ title, verdict }) => [title, verdict]));
  return packagesByHand().flatMap((one) => {
    const verdict = verdicts.get(one.title);
    return verdict === undefined ? [] : [{ ...one, verdict }];
  });
}

import { readFileSync } from 'node:fs';
import { type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { refusedUpdates } from '../../../src/kubernetes/update/index.ts';
import { sample } from '../../differential/draw.ts';
import type { Answer, Api } from '../control-plane/api.ts';
import { jsonText, readPackageText } from '../documents.ts';
import { drawMutant, type Mutant, mutated, sweep, valuesByField } from './mutants.ts';

/**
 * A change that is valid in a new object, the answer of the API server to it as an update, and the result of the table.
 */
interface Update {
  object: KubeObject;
  mutant: Mutant;
  /** '' if the API server accepts it. */
  server: string;
  ours: readonly string[];
}

const MANAGER = 'render-rgd-test';

/**
 * Stores objects in an API server, and updates each of them as an apply of the next rendering would (dry run). Only
 * changes that the server accepts in a new object count, so that a rejection is due to the update.
 */
export async function judgeUpdates(
  api: Api,
  given: readonly KubeObject[],
  { seed, count }: { seed: number; count: number },
): Promise<Update[]> {
  const bases: KubeObject[] = [];
  for (const object of given) {
    const { status, body } = await api.apply(object, { manager: MANAGER });
    if (status === 200 || status === 201) bases.push(object);
    else console.log(`not stored: ${object.kind}/${nameOf(object)}: ${messageOf(body)}`);
  }
  const todo = [...sweep(bases), ...sample((draw) => drawMutant(draw, bases, valuesByField(bases)), count, seed)];
  const found: Update[] = [];
  const work = async (): Promise<void> => {
    for (let mutant = todo.shift(); mutant !== undefined; mutant = todo.shift()) {
      const base = bases[mutant.base] as KubeObject;
      const object = mutated(base, mutant);
      if (nameOf(object) !== nameOf(base)) continue;
      const fresh = {
        ...object,
        metadata: { ...(object.metadata as object), name: `${nameOf(object)}2` },
      } as KubeObject;
      const created = await api.create(fresh, { dryRun: true }).catch(() => undefined);
      if (created?.status !== 201 && created?.status !== 200) continue;
      const { status, body } = await api.apply(object, { manager: MANAGER, dryRun: true });
      if (status !== 200 && status !== 201 && status !== 422) continue;
      found.push({ object, mutant, server: status === 422 ? messageOf(body) : '', ours: refusedUpdates(base, object) });
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return found;
}

const messageOf = (body: Answer['body']): string => String(body.message ?? 'refused');

/** Returns the original objects of updates, beside those of objects.yaml. */
export const storedObjects = (): KubeObject[] =>
  readPackageText(readFileSync('test/cluster/refusals/updates.yaml', 'utf8'));

/** Prints the figures and the differences; reports whether they are acceptable. */
export function reportUpdates(updates: readonly Update[], show: number): boolean {
  const refused = updates.filter(({ server }) => server !== '');
  const missed = refused.filter(({ ours }) => ours.length === 0);
  const strict = updates.filter(({ server, ours }) => server === '' && ours.length > 0);
  for (const one of missed.slice(0, show)) console.log(`MISSED UPDATE ${whatOf(one)}: ${one.server.slice(0, 300)}`);
  for (const one of strict.slice(0, show)) console.log(`TOO STRICT UPDATE ${whatOf(one)}: ${one.ours.join(', ')}`);
  const found = refused.length - missed.length;
  console.log(
    `${updates.length} updates: ${refused.length} refused by the API server, ${found} of them found (${((100 * found) / refused.length).toFixed(1)} %); ${updates.length - refused.length} taken, ${strict.length} of them refused here`,
  );
  return strict.length === 0 && found >= 0.97 * refused.length;
}

const whatOf = ({ object, mutant: { path, value } }: Update): string =>
  `${object.kind}/${nameOf(object)} ${path.join('.')} = ${value === undefined ? '(gone)' : jsonText(value).slice(0, 100)}`;

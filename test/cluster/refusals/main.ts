import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ObjectSource, render } from '../../../src/api/index.ts';
import { fromPlain } from '../../../src/api/plain.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { parseJson } from '../../../src/core/encoding/json.ts';
import { groupVersionKind, type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import {
  get,
  getAt,
  isMap,
  listOf,
  type Path,
  textAt,
  type Value,
  type ValueMap,
} from '../../../src/core/model/value.ts';
import { builtinKinds } from '../../../src/kubernetes/schema/index.ts';
import { readStreams } from '../../../src/yaml/parse/yaml.ts';
import { sample } from '../../differential/draw.ts';
import { readCases } from '../cases.ts';
import type { Api } from '../control-plane/api.ts';
import { buildControlPlane, hasGo } from '../control-plane/build.ts';
import { startControlPlane } from '../control-plane/start.ts';
import { jsonText, readPackageText } from '../documents.ts';
import { candidatesFor } from './guided.ts';
import { drawMutant, type Mutant, mutated, sweep, valuesByField } from './mutants.ts';
import { faultsOf } from './ours.ts';
import { confirmedBy, requirementRecorder, requirements } from './requirements.ts';
import { judgeUpdates, reportUpdates, storedObjects } from './updates.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '4000' },
    seed: { type: 'string', default: '1' },
    /** Recorded verdicts instead of an API server. */
    verdicts: { type: 'string' },
    record: { type: 'string' },
    /** Writes the fixture of the quick tests. */
    fixture: { type: 'string' },
    show: { type: 'string', default: '40' },
  },
});

interface Judged {
  from: string;
  object: KubeObject;
  mutant?: Mutant;
  /** The error of the API server; '' if it accepts the object. */
  server: string;
  /** The fields that the API server names. */
  fields: string[];
  /** It was sent for a requirement of the tables. */
  isForRequirement?: boolean;
}

/** The longest line of the fixture, for changes that are drawn, and for those that a requirement rejects. */
const LINE = { drawn: 400, forRequirement: 12_000 };
/** How many changes of each object are tried for the requirements that no drawn change is rejected by. */
const GUIDED = 6000;

function readVerdicts(file: string): Judged[] {
  return parseJson(readFileSync(file, 'utf8')) as unknown as Judged[];
}

/**
 * Returns the objects that the examples, the conformance cases and those of other folders render, without duplicates.
 */
function renderedObjects(): { from: string; object: KubeObject }[] {
  const seen = new Set<string>();
  const found: { from: string; object: KubeObject }[] = [];
  for (const one of readCases(positionals)) {
    const input = { objects: one.objects as ObjectSource[], observed: one.observed as ObjectSource[] };
    for (const plain of rendered(input)) {
      const { metadata, status: _, ...rest } = fromPlain(plain) as KubeObject;
      const text = jsonText(rest);
      if (seen.has(text) || builtinKinds.find(groupVersionKind(rest as KubeObject)) === undefined) continue;
      if (rest.kind === 'CustomResourceDefinition') continue;
      seen.add(text);
      found.push({ from: one.name, object: { ...rest, metadata: { ...(metadata as ValueMap) } } as KubeObject });
    }
  }
  return found;
}

function rendered(input: Parameters<typeof render>[0]): ReturnType<typeof render>['objects'] {
  try {
    return render(input, { onPending: 'skip' }).objects;
  } catch {
    return [];
  }
}

/** Reports whether the table of immutable fields agrees with the API server; recorded verdicts have no updates. */
let areUpdatesFound = true;

async function judgeAll(): Promise<Judged[]> {
  const rich = readPackageText(readFileSync('test/cluster/refusals/objects.yaml', 'utf8')).map((object) => ({
    from: 'test/cluster/refusals/objects.yaml',
    object,
  }));
  const cluster = await startControlPlane(buildControlPlane());
  try {
    const bases: { from: string; object: KubeObject }[] = [];
    const judged: Judged[] = [];
    const seeds = [...rich, ...renderedObjects()].map(({ from, object }) => ({ from, object: inDefault(object) }));
    for (const one of seeds) {
      const verdict = await verdictOf(cluster.api, one.object);
      // A change names its object by its place in the file.
      if (one.from.endsWith('objects.yaml') && verdict?.server !== '')
        throw new Error(`${one.object.kind}/${nameOf(one.object)}: ${verdict?.server ?? 'no verdict'}`);
      if (verdict === undefined) continue;
      judged.push({ ...one, ...verdict });
      if (verdict.server === '') bases.push(one);
    }
    const isRich = (index: number): boolean => index < rich.length;
    const objects = bases.map(({ object }) => object);
    const elsewhere = valuesByField(objects);
    const seed = Number(values.seed);
    const fromRich = objects.filter((_, index) => isRich(index));
    const count = Number(values.count);
    const mutants = [
      ...sweep(fromRich),
      ...sample((draw) => drawMutant(draw, fromRich, elsewhere), Math.ceil(count / 2), seed),
      ...sample((draw) => drawMutant(draw, objects, elsewhere), Math.floor(count / 2), seed + 1),
    ];
    const judge = async (some: readonly Mutant[], isForRequirement: boolean): Promise<void> => {
      const todo = [...some];
      const work = async (): Promise<void> => {
        for (let mutant = todo.shift(); mutant !== undefined; mutant = todo.shift()) {
          const object = mutated(objects[mutant.base] as KubeObject, mutant);
          const verdict = await verdictOf(cluster.api, object);
          if (verdict === undefined) continue;
          judged.push({ from: bases[mutant.base]?.from ?? '', object, mutant, ...verdict, isForRequirement });
        }
      };
      await Promise.all(Array.from({ length: 6 }, work));
    };
    await judge(mutants, false);
    await judge(listedChanges(fromRich), true);
    const without = requirementsWithout(judged.filter(({ from }) => from.endsWith('objects.yaml')));
    const candidates = candidatesFor(fromRich, (index) => without.has(index), { seed, count: GUIDED });
    await judge(
      candidates.map(({ mutant }) => mutant),
      true,
    );
    const stored = [...fromRich, ...storedObjects().map(inDefault)];
    const updates = await judgeUpdates(cluster.api, stored, { seed, count: Math.ceil(count / 4) });
    areUpdatesFound = reportUpdates(updates, Number(values.show));
    if (values.record !== undefined) writeFileSync(values.record, jsonText(judged as never));
    return judged;
  } finally {
    await cluster.stop();
  }
}

/** Returns the changes of changes.yaml. */
function listedChanges(objects: readonly KubeObject[]): Mutant[] {
  const file = 'test/cluster/refusals/changes.yaml';
  const [document] = readStreams([{ file, text: readFileSync(file, 'utf8') }], new Collector());
  return listOf(document?.object).map((change) => {
    const of = textAt(change, 'of');
    const base = objects.findIndex((object) => `${object.kind}/${nameOf(object)}` === of);
    if (base < 0) throw new Error(`objects.yaml has no ${of}`);
    const path = listOf(get(change, 'at')).map((step) => (typeof step === 'bigint' ? Number(step) : String(step)));
    return { base, path, ...(isMap(change) && 'value' in change ? { value: change.value as Value } : {}) };
  });
}

const inDefault = (object: KubeObject): KubeObject => {
  const metadata = { ...(object.metadata as ValueMap) };
  if (builtinKinds.find(groupVersionKind(object))?.namespaced) metadata.namespace = 'default';
  return { ...object, metadata };
};

/** What the API server says of an object. */
type Verdict = Pick<Judged, 'server' | 'fields'>;

/** Returns the verdict of the API server; `undefined` if its error is about the server or other objects. */
async function verdictOf(api: Api, object: KubeObject): Promise<Verdict | undefined> {
  const { status, body } = await api
    .create(object, { dryRun: true })
    .catch(() => ({ status: 0, body: {} as ValueMap }));
  // A dry run allocates no node port, so it does not find that a negative one is in no range.
  const ports = getAt(object, ['spec', 'ports']);
  const isAllocated = !Array.isArray(ports) || ports.every((port) => Number(get(port, 'nodePort') ?? 0) >= 0);
  if (status === 200 || status === 201) return isAllocated ? { server: '', fields: [] } : undefined;
  if (status !== 400 && status !== 422) return undefined;
  const fields = listOf(getAt(body, ['details', 'causes'])).map((cause) => String(get(cause, 'field') ?? ''));
  return { server: String(body.message ?? 'refused'), fields: [...new Set(fields)].sort() };
}

/** Returns the requirements without a change that the API server rejects at the same field. */
function requirementsWithout(judged: readonly Judged[]): ReadonlySet<number> {
  const check = requirementRecorder();
  const without = new Set(requirements.keys());
  for (const { object, server, fields } of judged)
    if (server !== '') for (const index of confirmedBy(check(object), fields)) without.delete(index);
  return without;
}

/** Writes one line for each change of the objects beside this file. */
function writeFixture(judged: readonly Judged[], file: string): void {
  const lines = new Set<string>();
  for (const { from, object, mutant, server, fields, isForRequirement } of judged) {
    if (mutant === undefined || !from.endsWith('objects.yaml') || nameOf(object) === '') continue;
    const refused = server !== '';
    const line = jsonText({ ...mutant, refused, ...(refused ? { fields } : {}) } as never);
    if (line.length < (isForRequirement ? LINE.forRequirement : LINE.drawn)) lines.add(line);
  }
  writeFileSync(file, `${[...lines].sort().join('\n')}\n`);
  for (const index of requirementsWithout(judged)) {
    const { of, requirement } = requirements[index] ?? {};
    console.log(`WITHOUT A CASE ${of} ${JSON.stringify(requirement)}`);
  }
}

function report(judged: readonly Judged[]): void {
  let [refused, found, taken] = [0, 0, 0];
  const missed: string[] = [];
  const strict: string[] = [];
  for (const { object, mutant, server } of judged) {
    const ours = faultsOf(object);
    const what = `${object.kind} ${mutant === undefined ? '' : `${pathText(mutant.path)} = ${short(mutant.value)}`}`;
    // Rendered objects always have names.
    if (nameOf(object) === '') continue;
    if (server === '') {
      taken += 1;
      if (ours.length > 0) strict.push(`${what}: ${ours.join('; ')}`);
    } else {
      refused += 1;
      if (ours.length > 0) found += 1;
      else missed.push(`${what}: ${server.slice(0, 300)}`);
    }
  }
  const show = Number(values.show);
  for (const line of missed.slice(0, show)) console.log(`MISSED ${line}`);
  for (const line of strict.slice(0, show)) console.log(`TOO STRICT ${line}`);
  console.log(
    `${judged.length} objects: ${refused} refused by the API server, ${found} of them found (${((100 * found) / refused).toFixed(1)} %); ${taken} taken, ${strict.length} of them refused here`,
  );
  process.exitCode = strict.length === 0 && found >= 0.97 * refused && areUpdatesFound ? 0 : 1;
}

const pathText = (path: Path): string => path.join('.');
const short = (value: unknown): string => (value === undefined ? '(gone)' : jsonText(value as never).slice(0, 100));

if (!hasGo()) {
  console.log('SKIPPED: go is not here, so there is no API server');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
} else {
  const judged = values.verdicts === undefined ? await judgeAll() : readVerdicts(values.verdicts);
  if (values.fixture !== undefined) writeFixture(judged, values.fixture);
  report(judged);
}

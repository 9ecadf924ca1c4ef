import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { KubernetesObject } from '../../../src/api/index.ts';
import { toPlain } from '../../../src/api/plain.ts';
import { extract } from '../../../src/api/tools/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { toYaml } from '../../../src/yaml/emit/index.ts';
import { flattenObjects, readStreams } from '../../../src/yaml/parse/index.ts';
import { compared, ours, type Verdict } from '../../differential/compare.ts';
import { sample } from '../../differential/draw.ts';
import { startJudge } from '../../differential/judge.ts';
import { judgeCommand } from '../../differential/judge-program.ts';
import { purposeOf } from '../../differential/on-purpose.ts';
import { packageOf } from '../../differential/packages.ts';
import type { JsonMap } from '../../differential/types.ts';
import { oneCopyConditions } from './one-copy.ts';
import { instancesLike, kindOfRgd, type RoundTrip, roundTrip } from './round-trip.ts';
import { SPECS, TEXTS, THING } from './texts.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    packages: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    copies: { type: 'string', default: '4' },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    judge: { type: 'boolean', default: false },
    hostile: { type: 'boolean', default: false },
    sets: { type: 'string', default: '' },
    definitions: { type: 'string', default: '' },
  },
});

const seed = Number(values.seed);
const copies = Number(values.copies);

/** The packages of folders, each with an input.yaml, and generated ones. */
function* packages(): Iterable<{ title: string; objects: KubernetesObject[]; observed: KubernetesObject[] }> {
  for (const folder of positionals) {
    for (const name of readdirSync(folder).sort()) {
      const file = join(folder, name, 'input.yaml');
      if (!existsSync(file)) continue;
      const beside = join(folder, name, 'observed.yaml');
      yield { title: name, objects: objectsIn(file), observed: existsSync(beside) ? objectsIn(beside) : [] };
    }
  }
  for (const [at, { objects, observed }] of sample(packageOf, Number(values.packages), seed).entries()) {
    const given = {
      objects: objects as unknown as KubernetesObject[],
      observed: observed as unknown as KubernetesObject[],
    };
    yield { title: `package ${at}`, ...given };
  }
}

function objectsIn(file: string): KubernetesObject[] {
  const inputs = flattenObjects(readStreams([{ file, text: readFileSync(file, 'utf8') }], new Collector()));
  return inputs.map(({ object }) => toPlain(object) as unknown as KubernetesObject);
}

const trips: { title: string; trip: RoundTrip }[] = [];
for (const { title, objects } of packages()) {
  if (values.only !== '' && values.only !== title) continue;
  const rgds = objects.filter(({ kind }) => kind === 'ResourceGraphDefinition');
  const definitions = objects.filter(
    ({ kind }) => kind === 'ResourceGraphDefinition' || kind === 'CustomResourceDefinition',
  );
  for (const kind of new Set(rgds.map(kindOfRgd))) {
    const one = objects.find((object) => object.kind === kind);
    if (one === undefined) continue;
    const [instances = []] = sample((draw) => instancesLike(one, definitions, draw, copies), 1, seed);
    if (instances.length < 2) continue;
    const trip = roundTrip({ definitions, instances, observed: [] });
    trips.push({ title: `${title} ${kind}`, trip });
    if (values.verbose && trip.outcome !== 'nothing to extract') {
      console.log(
        `${title} ${kind}: ${trip.outcome} ${trip.found}/${trip.original} left one: ${trip.leftOne} ${trip.reasons.slice(0, 3).join(' | ')}`,
      );
    }
    if (values.only !== '') {
      console.log(Object.values(trip.result?.files ?? {}).join('---\n'));
      console.log(toYaml((trip.attempt ?? []) as unknown as KubeObject[]));
    }
  }
}
if (values.hostile) {
  for (const [at, text] of TEXTS.entries()) trips.push(hostile(`text ${at}`, text));
  for (const spec of SPECS) trips.push(contradicting(JSON.stringify(spec), spec));
}
const crdFiles = values.definitions === '' ? [] : filesIn(values.definitions);
const crdsOfSets = crdFiles.flatMap(objectsIn).filter(({ kind }) => kind === 'CustomResourceDefinition');
if (values.sets !== '') {
  for (const name of readdirSync(values.sets).sort()) trips.push(setIn(name, join(values.sets, name)));
}
const engine = values.judge ? await askEngine() : '';
const tried = trips.filter(({ trip }) => trip.outcome !== 'nothing to extract');
const count = (outcome: RoundTrip['outcome']): number => tried.filter(({ trip }) => trip.outcome === outcome).length;
const together = tried.filter(({ trip }) => trip.outcome === 'equal' && trip.together);
const left = tried.filter(({ trip }) => trip.leftOne !== undefined);
const inSize = tried.filter(({ trip }) => trip.outcome === 'equal' && trip.found <= trip.original * 1.3);
const fitting = left.filter(({ trip }) => trip.leftOne);
console.log(
  `${tried.length} sets of copies, seed ${seed}: ${count('equal')} accepted and equal, ${count('differs')} differ, ${count('refused')} refused`,
);
console.log(`${count('invalid')} of the sets are refused because an API server would refuse their objects`);
console.log(`${together.length} of those accepted have so little in common that they need --together`);
console.log(`${fitting.length} of ${left.length}: the last copy is an instance of what the others give`);
console.log(`${inSize.length} of ${count('equal')}: at most 1.3 times the fields and conditions of the original`);
printOneCopyConditions();
if (engine !== '') console.log(engine);
process.exitCode = count('differs') > 0 ? 1 : 0;

/** Extracts a set of copies: each file and folder of a folder is one. Secrets are left out. */
function setIn(title: string, folder: string): { title: string; trip: RoundTrip } {
  const copies = readdirSync(folder)
    .sort()
    .map((name) => ({ name: name.replace(/\.ya?ml$/, ''), objects: filesIn(join(folder, name)).flatMap(objectsIn) }));
  const definitions = definitionsOf(copies.flatMap(({ objects }) => objects));
  const options = { kind: 'Extracted', without: ['Secret', 'CustomResourceDefinition'] };
  const result = extract({ copies, definitions }, options);
  const reasons = result.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  const { report } = result;
  const found = (report?.fields.length ?? 0) + (report?.conditions.length ?? 0);
  if (values.verbose) {
    const size = `${report?.fields.length} fields, ${report?.conditions.length} conditions`;
    const lines = `${report?.lines.before} lines before, ${report?.lines.after} after`;
    console.log(
      `${title}: ${copies.length} copies, ${report?.objects} objects, ${size}, ${lines} ${reasons.join(' | ')}`,
    );
  }
  const outcome = result.rgd === undefined ? 'refused' : 'equal';
  return { title, trip: { outcome, reasons, found, original: found, result, definitions } };
}

/** Returns the CRDs of the kinds of objects. */
function definitionsOf(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const kinds = new Set(objects.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`));
  return crdsOfSets.filter((crd) => {
    const { group, names } = (crd as unknown as { spec: { group: string; names: { kind: string } } }).spec;
    return kinds.has(`${group}/${names.kind}`);
  });
}

/** Counts the conditions that hold for exactly one copy, and prints those for which a field would do. */
function printOneCopyConditions(): void {
  let total = 0;
  let withField = 0;
  const avoidable: string[] = [];
  for (const { title, trip } of tried) {
    if (trip.outcome !== 'equal' || trip.result === undefined) continue;
    const found = oneCopyConditions(trip.result);
    total += found.total;
    withField += found.withField.length;
    for (const one of found.avoidable) avoidable.push(`  ${title}: ${one}`);
  }
  const fields = `that copy alone sets a field for ${withField}, and one of the same object for ${avoidable.length}`;
  console.log(`${total} conditions by a boolean are true for exactly one copy: ${fields}`);
  for (const line of avoidable) console.log(line);
}

function filesIn(path: string): string[] {
  return statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
}

/** Extracts copies whose texts have a meaning in templates: everywhere, in a field, and in a part that some lack. */
function hostile(title: string, text: string): { title: string; trip: RoundTrip } {
  const pod = (name: string, own: string, args: string[] | undefined): KubernetesObject => {
    const env = [
      { name: 'SAME', value: text },
      { name: 'OWN', value: own },
    ];
    const container = { name: 'web', image: 'nginx', env, ...(args === undefined ? {} : { args }) };
    return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: name }, spec: { containers: [container] } };
  };
  const copies = [pod('one', text, [text, `in ${text}`]), pod('two', `${text}2`, undefined), pod('three', 'x', [text])];
  const named = copies.map((object) => ({ name: String(object.metadata.name), objects: [object] }));
  const result = extract({ copies: named }, { kind: 'Extracted' });
  const outcome = result.rgd === undefined ? 'refused' : 'equal';
  return { title, trip: { outcome, reasons: [], found: 0, original: 1, result } };
}

/** Extracts copies that all have the same values, which contradict formats of the kind's schema. */
function contradicting(title: string, spec: JsonMap): { title: string; trip: RoundTrip } {
  const definitions = [THING as unknown as KubernetesObject];
  const copies = ['one', 'two'].map((name) => {
    const metadata = { name, namespace: name };
    const object = { apiVersion: 'example.org/v1', kind: 'Thing', metadata, spec } as unknown as KubernetesObject;
    return { name, objects: [object] };
  });
  const result = extract({ copies, definitions }, { kind: 'Extracted' });
  const outcome = result.rgd === undefined ? 'refused' : 'equal';
  return { title, trip: { outcome, reasons: [], found: 0, original: 1, result, definitions } };
}

/**
 * Lets kro's engine render what was extracted, and compares its objects: all instances of a set at once, or each alone if
 * objects of several have the same name, as those of overlays for different clusters do.
 */
async function askEngine(): Promise<string> {
  const accepted = trips.flatMap(({ title, trip }) => {
    const inputs = packagesOf(trip).map((objects) => ({ objects, observed: [] }));
    return inputs.length > 0 && inputs.every((input) => ours(input).stage === '') ? [{ title, inputs }] : [];
  });
  const judge = startJudge(await judgeCommand());
  const verdicts = await judge.ask(accepted.flatMap(({ inputs }) => inputs));
  judge.close();
  const lines: string[] = [];
  let equal = 0;
  for (const { title, inputs } of accepted) {
    const answers = verdicts.splice(0, inputs.length);
    const [different] = inputs.flatMap((input, at) => {
      const found = compared(input, answers[at] as Verdict);
      return found === undefined ? [] : [{ ...found, purpose: purposeOf(found, input)?.reason }];
    });
    if (different === undefined) equal += 1;
    else if (different.purpose !== undefined) lines.push(`  ${title}: a deliberate difference: ${different.purpose}`);
    else lines.push(`  ${title}: ${different.group}\n    ${different.ours}\n    ${different.theirs}`);
  }
  return [`${equal} of ${accepted.length}: kro's engine renders the same objects`, ...lines].join('\n');
}

/** Returns the packages of an accepted set that kro's engine is asked for. */
function packagesOf({ outcome, result, definitions = [] }: RoundTrip): JsonMap[][] {
  if (outcome !== 'equal' || result?.rgd === undefined) return [];
  const shared = [...definitions, result.rgd] as unknown as JsonMap[];
  const instances = result.instances as unknown as JsonMap[];
  const together = [...shared, ...instances];
  if (ours({ objects: together, observed: [] }).stage === '') return [together];
  return instances.map((instance) => [...shared, instance]);
}

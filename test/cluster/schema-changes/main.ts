import { parseArgs } from 'node:util';
import type { JsonValue } from '../../../src/api/index.ts';
import { fromPlain } from '../../../src/api/plain.ts';
import { nameOf } from '../../../src/core/model/object.ts';
import { getAt, type ValueMap } from '../../../src/core/model/value.ts';
import { generateInstances } from '../../../src/describe/instances/index.ts';
import type { Graph } from '../../../src/kro/compile/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { type Draw, sample } from '../../differential/draw.ts';
import { type Judge, startJudge } from '../../differential/judge.ts';
import { judgeCommand } from '../../differential/judge-program.ts';
import type { JsonSchema } from '../../differential/objects/schemas.ts';
import { objectOf } from '../../differential/objects/values.ts';
import { type GeneratedUpdate, graphsOf, updateFrom } from '../../differential/updates.ts';
import type { Api } from '../control-plane/api.ts';
import { buildApiServer, hasGo } from '../control-plane/build.ts';
import { startControlPlane } from '../control-plane/start.ts';
import { versions } from '../control-plane/versions.ts';
import { jsonText } from '../documents.ts';
import { brokenBy, compareInstance, type Figures, noFigures } from './compare.ts';
import { judged, plainNumbers, verdictOf } from './ours.ts';
import { type Lived, live, RejectedCrd } from './server.ts';

const { values } = parseArgs({
  options: {
    /** The number of pairs of versions. */
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});

/** How many instances of each pair are drawn at random, and how many come from the bounds of its schema. */
const DRAWN = 8;
const GENERATED = 8;
/** How many pairs are compared at a time. */
const TOGETHER = 12;

/** Two versions of an RGD that are both valid, and their CRDs as kro generates them. */
interface Pair {
  /** Of its instances. */
  seed: number;
  update: GeneratedUpdate;
  graphs: readonly [Graph, Graph];
  crds: readonly [ValueMap, ValueMap];
}

/** What became of all pairs. */
interface Result {
  figures: Figures;
  pairs: number;
  /** Pairs of which a version is not valid by itself. */
  invalid: number;
  /** Pairs with an instance that is broken. */
  breaking: number;
  /** Pairs with a difference in the verdict about the RGD. */
  openVerdicts: number;
}

async function pairOf(update: GeneratedUpdate, seed: number, judge: Judge): Promise<Pair | undefined> {
  const [before, after] = graphsOf(update);
  if (before === undefined || after === undefined) return undefined;
  const packages = [update.before, update.after].map((rgd) => ({ objects: [rgd], observed: [] }));
  const [older, newer] = (await judge.ask(packages, { crds: true })).map(({ crds = [] }) => crds[0]);
  if (older === undefined || newer === undefined) return undefined;
  return { update, seed, graphs: [before, after], crds: [withoutStatus(older), withoutStatus(newer)] };
}

const withoutStatus = ({ apiVersion, kind, metadata, spec }: ValueMap): ValueMap => ({
  apiVersion: apiVersion ?? 'apiextensions.k8s.io/v1',
  kind: kind ?? 'CustomResourceDefinition',
  metadata: { name: getAt(metadata, ['name']) ?? '' },
  spec: spec ?? {},
});

const SPEC = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec'];

/** Returns instances of the older version: random ones, and those that `compat` generates. */
function manifestsOf({ crds: [crd], graphs, seed }: Pair): ValueMap[] {
  const schema = (getAt(crd, SPEC) ?? { type: 'object' }) as JsonSchema;
  const specs = (draw: Draw): JsonValue[] => draw.times(DRAWN, DRAWN, (index) => objectOf(draw, schema, index));
  const drawn = (sample(specs, 1, seed)[0] ?? []).map((spec) => fromPlain(spec));
  const { instances } = generateInstances([...graphs], {
    ...defaultRenderOptions,
    most: GENERATED,
    triesExtremes: false,
  });
  const generated = instances.map(({ object }) => object.spec ?? {});
  const { group, version, kind } = graphs[0];
  return [...drawn, ...generated].map((spec, index) => ({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: `one-${index}`, namespace: 'default' },
    spec: plainNumbers(spec),
  }));
}

/** Compares one pair; returns what differs in its verdict. */
function compareVerdict({ update }: Pair, lives: readonly Lived[]): string[] {
  const accepted = lives.filter(({ rejectedBefore }) => rejectedBefore === undefined);
  const [before, after] = [update.before, update.after].map((rgd) => fromPlain(rgd) as ValueMap) as [
    ValueMap,
    ValueMap,
  ];
  const verdict = verdictOf(
    before,
    after,
    accepted.map(({ manifest }) => manifest),
  );
  const names = accepted.map(({ manifest }) => nameOf(manifest));
  const broken = brokenBy(lives).map(nameOf);
  if (verdict === undefined) return [`compat has no verdict`];
  const said = verdict.rejected.map(({ object }) => nameOf(object)).filter((name) => names.includes(name));
  const faults: string[] = [];
  if (JSON.stringify(said.sort()) !== JSON.stringify(broken.sort())) {
    faults.push(
      `compat says that ${said.join(', ') || 'none'} are rejected, the API server ${broken.join(', ') || 'none'}`,
    );
  }
  if (broken.length > 0 && verdict.level !== 'major') faults.push(`the verdict is ${verdict.level}`);
  return faults;
}

async function run(): Promise<boolean> {
  const seed = Number(values.seed);
  const judge = startJudge(await judgeCommand());
  const cluster = await startControlPlane(buildApiServer());
  const result: Result = { figures: noFigures(), pairs: 0, invalid: 0, breaking: 0, openVerdicts: 0 };
  try {
    const pairs = await drawnPairs(seed, judge, result);
    // A CRD is in force seconds after it was created, so that several pairs wait at a time.
    const work = async (): Promise<void> => {
      for (let next = pairs.shift(); next !== undefined; next = pairs.shift()) {
        await comparePair(next, cluster.api, result);
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, work));
  } finally {
    judge.close();
    await cluster.stop();
  }
  return report(result);
}

/** Draws pairs of valid versions, each of a kind of its own. */
async function drawnPairs(seed: number, judge: Judge, result: Result): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let at = 0; pairs.length < Number(values.count); at += 1) {
    const own = seed * 10_000 + at;
    const [update] = sample((draw) => updateFrom(draw, `Site${at}`), 1, own);
    const pair = await pairOf(update as GeneratedUpdate, own, judge);
    if (pair === undefined) result.invalid += 1;
    else pairs.push(pair);
  }
  return pairs;
}

async function comparePair(pair: Pair, api: Api, result: Result): Promise<void> {
  const lives = await live(api, pair.crds, manifestsOf(pair)).catch((cause: Error) => {
    if (cause instanceof RejectedCrd) return cause.message;
    throw cause;
  });
  result.pairs += 1;
  const show = (fault: string): void => {
    console.log(`DIFFERS ${pair.graphs[0].kind}: ${fault}`);
    for (const rgd of [pair.update.before, pair.update.after]) console.log(`    ${jsonText(fromPlain(rgd))}`);
  };
  if (typeof lives === 'string') {
    result.openVerdicts += 1;
    return show(lives);
  }
  for (const lived of lives) {
    const faults = compareInstance(lived, judged(pair.graphs, lived.manifest), result.figures);
    if (faults.length > 0)
      show(
        `${faults.join('; ')}\n    ${jsonText(lived.manifest)}\n    ${jsonText(lived.stored.spec ?? null)}\n    ${jsonText(lived.read.spec ?? null)}`,
      );
  }
  if (brokenBy(lives).length > 0) result.breaking += 1;
  const faults = compareVerdict(pair, lives);
  if (faults.length > 0) result.openVerdicts += 1;
  for (const fault of faults) show(fault);
}

function report({ figures, pairs, invalid, breaking, openVerdicts }: Result): boolean {
  console.log(
    `updates of CRDs, Kubernetes ${versions.kubernetes}, seed ${values.seed}: ${pairs} pairs, ${breaking} of them break an ` +
      `instance, ${openVerdicts} verdicts open; ${invalid} drawn pairs have an invalid version`,
  );
  console.log(
    `${figures.instances} instances, ${figures.live} accepted by the older CRD: ${figures.rejected} rejected as new objects, ` +
      `${figures.losing} lose a field, ${figures.seenInUpdate} updates and ${figures.seenInApply} applies are rejected, ` +
      `${figures.ratcheted} are invalid and neither; ${figures.open} open`,
  );
  return figures.open === 0 && openVerdicts === 0 && figures.rejected > 0 && figures.losing > 0;
}

if (hasGo()) process.exitCode = (await run()) ? 0 : 1;
else {
  console.log('SKIPPED: go is not here, so there is no API server');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { hasGo, kroSources } from '../cluster/control-plane/build.ts';
import { type Count, writeSection } from '../fidelity/page.ts';
import { asText } from './as-text.ts';
import { packagesByHand, recordByHand } from './by-hand.ts';
import { type Comparison, compareWith } from './comparison.ts';
import { staleLines } from './documented.ts';
import { sample } from './draw.ts';
import { staleInventory, writeInventory } from './drawn/inventory.ts';
import { worldExpression } from './expression-packages.ts';
import { foldersOfKro } from './folders.ts';
import { graphPackageOf } from './graphs.ts';
import { recordGraphs } from './graphs-recorded.ts';
import { type Judge, startJudge } from './judge.ts';
import { judgeCommand, nextJudgeCommands, versionJudgeCommand } from './judge-program.ts';
import { compareGenerated } from './objects/generated.ts';
import { nextPurposes, staleEntries } from './on-purpose.ts';
import { omittingPackageOf, packageOf } from './packages.ts';
import { lacks, staleLacks } from './published.ts';
import { recordPurposes } from './purposes-recorded.ts';
import { recordAnswers } from './recorded.ts';
import { printGroups } from './report.ts';
import { conformancePackages, expressionsOfLibraries, packagesOfCases, packagesOfKro } from './sources.ts';
import { compareUpdates } from './updates.ts';
import { compareUpgrades } from './upgrade.ts';
import { staleVariations } from './variations.ts';

const { values } = parseArgs({
  options: {
    packages: { type: 'string', default: '1000' },
    expressions: { type: 'string', default: '5000' },
    objects: { type: 'string', default: '1000' },
    graphs: { type: 'string', default: '500' },
    updates: { type: 'string', default: '1000' },
    sources: { type: 'boolean', default: false },
    cases: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
    shrink: { type: 'boolean', default: false },
    show: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    /** Writes the answers for quick tests to a folder, and compares nothing. */
    record: { type: 'string' },
    /** Only packages that omit fields, beside kro with the feature gate for it. */
    omit: { type: 'boolean', default: false },
    kro: { type: 'string', default: '0.9' },
    'kro-sources': { type: 'string', default: process.env.KRO_SOURCES ?? '' },
  },
});

/** Packages in memory at a time. */
const BATCH = 200;
/** Expressions in memory at a time. */
const EXPRESSIONS = 2000;

/** A published version of kro, `v0.10.0`, by its minor release. */
const published = /^v0\.(\d+)\./.exec(values.kro);
const isNext = values.kro === '0.10' || Number(published?.[1] ?? 0) >= 10;
if (!['0.9', '0.10'].includes(values.kro) && published === null) {
  console.log(`--kro is 0.9, 0.10 or a version such as v0.10.0, got ${values.kro}`);
  process.exitCode = 2;
} else if (isNext && published === null && values['kro-sources'] === '') {
  console.log('SKIPPED: --kro 0.10 needs --kro-sources DIR, the sources of kro with the engine of pull request 1355');
} else if (hasGo()) await run();
else {
  console.log('SKIPPED: go is not here, so nobody can ask kro');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

async function run(): Promise<void> {
  const sources = isNext && published !== null ? kroSources(values.kro) : values['kro-sources'];
  const commands = isNext ? await nextJudgeCommands(sources) : undefined;
  const alone = (): Promise<string[]> => (published === null ? judgeCommand() : versionJudgeCommand(values.kro));
  const command = commands?.next ?? (await alone());
  const judge = startJudge(command, isNext ? '0.10' : undefined);
  const seed = Number(values.seed);
  if (values.record !== undefined) {
    const [packages, expressions, objects] = [values.packages, values.expressions, values.objects].map(Number);
    await recordAnswers(
      judge,
      command[0] ?? '',
      { packages: packages ?? 0, expressions: expressions ?? 0, objects: objects ?? 0, seed },
      values.record,
    );
    await recordByHand(judge);
    await recordPurposes(judge);
    judge.close();
    return;
  }
  if (values.omit) {
    judge.close();
    await compareOmissions([...command, '-feature-gates', 'CELOmitFunction=true'], Number(values.packages), seed);
    return;
  }
  const comparison = compareWith(judge, Number(values.show), values.kro);
  const counts: Count[] = [];
  const count = async (source: string, work: () => Promise<void>): Promise<void> => {
    const before = comparison.count();
    await work();
    const after = comparison.count();
    counts.push({
      source,
      total: after.total - before.total,
      onPurpose: after.onPurpose - before.onPurpose,
      open: after.open - before.open,
    });
  };
  const stale = await staleRows(judge, command[0] ?? '');
  await count('conformance cases', () => comparison.packages(conformancePackages(isNext)));
  await count('packages by hand', () => comparison.packages(packagesByHand().map(({ input }) => input)));
  if (values.sources) await ofOthers(comparison, count);
  for (const folder of values.cases)
    await count(`cases of ${basename(folder)}`, () => comparison.packages(packagesOfCases(folder)));
  const [packages, expressions] = [Number(values.packages), Number(values.expressions)];
  await count(`generated expressions, seed ${seed}`, async () => {
    for (let at = 0; at < expressions; at += EXPRESSIONS) {
      await comparison.expressions(sample(worldExpression, Math.min(EXPRESSIONS, expressions - at), seed + at));
    }
  });
  await count(`generated packages, seed ${seed}`, async () => {
    for (let at = 0; at < packages; at += BATCH) {
      await comparison.packages(sample(packageOf, Math.min(BATCH, packages - at), seed + at));
    }
  });
  const texts = Math.ceil(packages / 5);
  await count(`generated packages as YAML, seed ${seed}`, async () => {
    for (let at = 0; at < texts; at += BATCH) {
      const drawn = sample((draw) => asText(draw, packageOf(draw)), Math.min(BATCH, texts - at), seed + 500_000 + at);
      await comparison.texts(drawn);
    }
  });
  if (commands !== undefined) {
    const graphs = Number(values.graphs);
    await count(`generated Graphs, seed ${seed}`, async () => {
      for (let at = 0; at < graphs; at += BATCH) {
        await comparison.packages(sample(graphPackageOf, Math.min(BATCH, graphs - at), seed + at));
      }
    });
    const before = startJudge(commands.before);
    counts.push(await compareUpgrades(before, judge, packages, seed));
    before.close();
  } else {
    counts.push(await compareGenerated(command[0] ?? '', Number(values.objects), seed, Number(values.show) * 5));
    counts.push(await compareUpdates([...command, 'update'], Number(values.updates), seed, values.kro));
  }
  await printGroups(comparison, judge, values.shrink);
  if (isNext && values.write) await recordGraphs(judge);
  judge.close();
  for (const fault of stale) console.log(`FAIL ${fault}`);
  for (const { source, total, onPurpose, open } of counts) {
    console.log(`${source}: ${total} judged, ${onPurpose} different on purpose, ${open} open`);
  }
  if (values.write && !isNext && published === null) {
    writeInventory(command[0] ?? '');
    writeSection('differential', counts);
  }
  const [total, open] = [sum(counts, 'total'), sum(counts, 'open')];
  console.log(`differential: ${total - open} passed, ${open + stale.length} failed`);
  process.exitCode = open + stale.length === 0 ? 0 : 1;
}

/** Compares packages that omit fields with kro, which has a feature gate for it. */
async function compareOmissions(command: readonly string[], packages: number, seed: number): Promise<void> {
  const judge = startJudge(command, isNext ? '0.10' : undefined);
  const comparison = compareWith(judge, Number(values.show), values.kro);
  for (let at = 0; at < packages; at += BATCH) {
    await comparison.packages(sample(omittingPackageOf, Math.min(BATCH, packages - at), seed + at));
  }
  await printGroups(comparison, judge, values.shrink);
  judge.close();
  const { total, onPurpose, open } = comparison.count();
  console.log(
    `packages that omit fields, seed ${seed}: ${total} judged, ${onPurpose} different on purpose, ${open} open`,
  );
  console.log(`differential: ${total - open} passed, ${open} failed`);
  process.exitCode = open === 0 ? 0 : 1;
}

/** Returns the rows that no longer hold. Those of the release that is followed say nothing of an earlier one. */
async function staleRows(judge: Judge, program: string): Promise<string[]> {
  if (isNext) return staleEntries(judge, nextPurposes);
  if (values.kro in lacks) return staleLacks(judge, values.kro);
  const ofJudge = [...(await staleEntries(judge)), ...(await staleVariations(judge)), ...(await staleLines(judge))];
  return published === null ? [...ofJudge, ...staleInventory(program)] : ofJudge;
}

function sum(counts: readonly Count[], key: 'total' | 'open'): number {
  return counts.reduce((before, count) => before + count[key], 0);
}

async function ofOthers(comparison: Comparison, count: (source: string, work: () => Promise<void>) => Promise<void>) {
  await count('RGDs of kro: examples, documentation, tests', () => comparison.packages(packagesOfKro()));
  await count('folders of kro: RGDs with their instances', async () => comparison.packages(await foldersOfKro()));
  await count('expressions of the CEL tests of Kubernetes and cel-go', () =>
    comparison.expressions(expressionsOfLibraries()),
  );
}

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { explorePackage } from '../../src/check/explore/index.ts';
import { Collector, type Report } from '../../src/core/diagnostics/index.ts';
import type { ValueMap } from '../../src/core/model/value.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { readStreams } from '../../src/yaml/parse/index.ts';
import { findCases } from '../../tools/conformance-cases.mjs';
import { buildControlPlane, hasGo } from '../cluster/control-plane/build.ts';
import { startControlPlane } from '../cluster/control-plane/start.ts';
import { readPackageText } from '../cluster/documents.ts';
import { sample } from '../differential/draw.ts';
import { startJudge } from '../differential/judge.ts';
import { judgeCommand } from '../differential/judge-program.ts';
import { packageOf } from '../differential/packages.ts';
import { type Confirmation, confirm } from './confirm.ts';
import { explorePlanted } from './found.ts';
import { plantedRgd } from './plant.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The number of random packages, and of RGDs with a planted fault. */
    count: { type: 'string', default: '30' },
    planted: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    /** Prints each counterexample. */
    verbose: { type: 'boolean', default: false },
  },
});

/** The longest exploration of an RGD with a planted fault, in seconds of CPU, and how many of 100 must be found. */
const MOST_SECONDS = 2;
const LEAST_FOUND = 95;

interface Explored {
  name: string;
  text: string;
  reports: readonly Report[];
}

const documentsOf = (objects: readonly object[]): string =>
  objects
    .map((one) => JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? Number(value) : value)))
    .join('\n---\n');

/** Explores the RGDs of a package, with the CRDs beside them and without instances. */
function explored(name: string, objects: readonly object[]): Explored | undefined {
  const kept = objects.filter((one) =>
    ['ResourceGraphDefinition', 'CustomResourceDefinition'].includes(String((one as ValueMap).kind)),
  );
  const text = documentsOf(kept);
  const read = readStreams([{ file: name, text }], new Collector());
  const { explored: found, reports } = explorePackage({ objects: read }, defaultRenderOptions);
  return found.length === 0 ? undefined : { name, text, reports };
}

const ofFolders = (): Explored[] =>
  positionals
    .flatMap((folder) => findCases(folder))
    .flatMap((folder) => explored(folder, readPackageText(readFileSync(`${folder}/input.yaml`, 'utf8'))) ?? []);

const random = (): Explored[] =>
  sample(packageOf, Number(values.count), Number(values.seed)).flatMap(
    ({ objects }, index) => explored(`random ${index}`, objects) ?? [],
  );

/** Explores RGDs with a planted fault. Returns those that have a counterexample, too. */
function planted(): { explored: Explored[]; isGood: boolean } {
  const all = sample(plantedRgd, Number(values.planted), Number(values.seed));
  let found = 0;
  let longest = 0;
  const kept: Explored[] = [];
  for (const one of all) {
    const result = explorePlanted(one);
    if (result.broken.length > 0) throw new Error(`the generator made an invalid RGD: ${result.broken[0]}`);
    if (result.isFound && result.seconds <= MOST_SECONDS) found += 1;
    else console.log(`MISSED ${one.fault} in ${result.seconds.toFixed(2)} s: ${JSON.stringify(one.faulty)}`);
    longest = Math.max(longest, result.seconds);
    const package_ = explored(`planted ${one.fault}`, [one.faulty]);
    if (package_ !== undefined) kept.push(package_);
  }
  console.log(
    `planted faults: ${found} of ${all.length} found, the longest search took ${longest.toFixed(2)} s of CPU`,
  );
  return { explored: kept, isGood: found * 100 >= LEAST_FOUND * all.length };
}

async function run(): Promise<boolean> {
  const faults = planted();
  const packages = [...ofFolders(), ...random(), ...faults.explored];
  const judge = startJudge(await judgeCommand());
  const cluster = await startControlPlane(buildControlPlane());
  const counts = new Map<Confirmation, number>();
  try {
    for (const { name, text, reports } of packages) {
      for (const object of readPackageText(text)) {
        if (object.kind === 'CustomResourceDefinition') await cluster.api.create(object).catch(() => undefined);
      }
      for (const report of reports.filter(({ code }) => code === 'counterexample')) {
        const { by, why } = await confirm({ package: text, report }, judge, cluster.api);
        counts.set(by, (counts.get(by) ?? 0) + 1);
        const line = `${by.toUpperCase()} ${name} ${report.node ?? ''}: ${report.message}`;
        if (by === 'refuted' || by === 'unknown') console.log(`${line}\n${report.reproduction}`);
        else if (values.verbose) console.log(`${line}\n    ${why}`);
      }
    }
  } finally {
    judge.close();
    await cluster.stop();
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const listed = [...counts].map(([by, count]) => `${by} ${count}`).join(', ');
  console.log(`${packages.length} RGDs or packages, ${total} counterexamples: ${listed}`);
  return faults.isGood && (counts.get('refuted') ?? 0) === 0 && total > 0;
}

if (!hasGo()) {
  console.error('npm run explorations needs Go');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
} else {
  process.exitCode = (await run()) ? 0 : 1;
}

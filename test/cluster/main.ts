import { parseArgs } from 'node:util';
import { type ObjectSource, render } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import type { KubeObject } from '../../src/model/object.ts';
import { disagreement, ours } from '../differential/compare.ts';
import { isToldByValidate, purposeOf } from '../differential/on-purpose.ts';
import type { GeneratedPackage } from '../differential/packages.ts';
import { type Count, writeSection } from '../fidelity/page.ts';
import { apart } from './apart.ts';
import { type Judged, judgeBatch } from './batch.ts';
import { batchesOf } from './batches.ts';
import { type ClusterCase, readCases } from './cases.ts';
import { buildControlPlane, hasGo } from './control-plane/build.ts';
import { startControlPlane } from './control-plane/start.ts';
import { checkHomes } from './homes.ts';
import { permissiveCrds } from './kinds.ts';
import { checkKptLive } from './kpt-home.ts';
import type { Prepared } from './verdict.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    homes: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

if (hasGo()) await run();
else {
  console.log('SKIPPED: go is not here, so there is no cluster');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

async function run(): Promise<void> {
  const programs = buildControlPlane();
  const all = readCases(positionals).filter(({ name }) => name.includes(values.only));
  const prepared = await prepare(all);
  const tried = { CRDs: 0, objects: 0, foreseen: 0 };
  const counts = new Map<string, Count>();
  const failures: string[] = [];
  const batches = batchesOf(prepared);
  for (const [index, batch] of batches.entries()) {
    console.error(`cluster ${index + 1} of ${batches.length}: ${batch.length} cases`);
    const cluster = await startControlPlane(programs);
    try {
      const judged = await judgeBatch(cluster, batch as Prepared[]);
      for (const { one } of batch) note(one, judged.get(one.name) as Judged);
    } finally {
      await cluster.stop();
    }
  }

  function note({ name, objects, observed, leftOut }: ClusterCase, { verdict, crds, objects: dry }: Judged): void {
    tried.CRDs += crds.tried;
    tried.objects += dry.tried;
    const found = verdict && disagreement(verdict.ours, verdict.kro);
    // Cases of `beyond` hold what is different on purpose.
    const isDocumented = name.includes('/beyond/') || (found && purposeOf(found, { objects })) !== undefined;
    const isForeseen = (text: string): boolean => isDocumented || isToldByValidate(text, { objects, observed });
    const refused = [...crds.refused, ...dry.refused];
    const unforeseen = refused.filter((text) => !isForeseen(text));
    tried.foreseen += refused.length - unforeseen.length;
    const count = counts.get(sourceOf(name)) ?? { source: sourceOf(name), total: 0, onPurpose: 0, open: 0 };
    if (leftOut === undefined) {
      counts.set(sourceOf(name), count);
      count.total += 1;
    }
    const faults = [
      ...(found === undefined ? [] : [`${found.group}\n    here: ${found.ours}\n    kro:  ${found.theirs}`]),
      ...unforeseen.map((text) => `the API server refuses ${text}`),
    ];
    if (faults.length === 0) return;
    const isOnPurpose = unforeseen.length === 0 && (isDocumented || refused.length > 0);
    if (isOnPurpose) count.onPurpose += 1;
    else {
      count.open += 1;
      failures.push(name);
      console.log(`FAIL ${name}: ${faults.join('\n  ')}`.slice(0, 2000));
    }
  }

  const homeless = values.homes ? [...(await checkHomes(programs)), ...(await checkKptLive(programs))] : [];
  for (const fault of homeless) console.log(`FAIL homes: ${fault}`);
  const dryRun =
    `Dry runs: ${tried.CRDs.toLocaleString('en')} CRDs and ${tried.objects.toLocaleString('en')} objects, of which ` +
    `the API server refuses ${tried.foreseen} as expected`;
  const leftOut = all.filter(({ leftOut: reason }) => reason !== undefined);
  for (const { name, leftOut: reason } of leftOut) console.log(`left out: ${name}: ${reason}`);
  console.log(dryRun);
  for (const { source, total, onPurpose, open } of counts.values()) {
    console.log(`${source}: ${total} applied, ${onPurpose} different on purpose, ${open} open`);
  }
  if (values.write) writeSection('cluster', [...counts.values()], [`${dryRun}.`, '', ...openCases(failures)]);
  const total = [...counts.values()].reduce((sum, count) => sum + count.total, 0);
  const failed = failures.length + homeless.length;
  console.log(`cluster: ${total - failures.length} passed, ${failed} failed`);
  process.exitCode = failed === 0 && total > 0 ? 0 : 1;
}

/** Renders the cases, with CRDs for the kinds that nobody knows. */
async function prepare(cases: readonly ReturnType<typeof readCases>[number][]): Promise<Prepared[]> {
  const cluster = await startControlPlane(buildControlPlane());
  try {
    const prepared: Prepared[] = [];
    for (const [index, each] of cases.entries()) {
      const one = apart(each, index);
      const permissive = await permissiveCrds([...one.objects, ...one.observed], cluster.api);
      one.objects.push(...permissive);
      const input = { objects: one.objects as ObjectSource[], observed: one.observed as ObjectSource[] };
      const { objects } = render(input, { strict: true, namespace: one.namespace });
      prepared.push({
        one,
        crds: one.objects.filter(({ kind }) => kind === 'CustomResourceDefinition'),
        written: objects.map((object) => fromPlain(object) as KubeObject),
        ours: ours(input as unknown as GeneratedPackage, one.namespace),
      });
    }
    return prepared;
  } finally {
    await cluster.stop();
  }
}

const openCases = (failures: readonly string[]): string[] =>
  failures.length === 0
    ? ['Nothing is open. Cases that are left out are listed with their reasons in `test/cluster/cases.ts`.']
    : failures.map((name) => `- open: \`${name.split('/').slice(-2).join('/')}\``);

/** Where a case comes from; paths of this machine are nobody's concern. */
function sourceOf(name: string): string {
  if (name.startsWith('examples/')) return 'examples';
  return name.startsWith('test/') ? 'conformance cases' : 'RGDs of others';
}

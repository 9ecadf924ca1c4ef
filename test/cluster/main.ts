import { parseArgs } from 'node:util';
import { type ObjectSource, render } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import type { KubeObject } from '../../src/model/object.ts';
import { disagreement, ours } from '../differential/compare.ts';
import { purposeOf } from '../differential/on-purpose.ts';
import type { GeneratedPackage } from '../differential/packages.ts';
import { type Count, writeSection } from '../fidelity/page.ts';
import { apart } from './apart.ts';
import { judgeBatch, type Prepared, type Verdict } from './batch.ts';
import { batchesOf } from './batches.ts';
import { type ClusterCase, readCases } from './cases.ts';
import { buildControlPlane, hasGo } from './control-plane/build.ts';
import { startControlPlane } from './control-plane/start.ts';
import { checkHomes } from './homes.ts';
import { permissiveCrds } from './kinds.ts';

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
  const leftOut = all.flatMap(({ name, leftOut: reason }) => (reason === undefined ? [] : [`${name}: ${reason}`]));
  const prepared = await prepare(all.filter((one) => one.leftOut === undefined));
  const counts = new Map<string, Count>();
  const failures: string[] = [];
  const batches = batchesOf(prepared);
  for (const [index, batch] of batches.entries()) {
    console.error(`cluster ${index + 1} of ${batches.length}: ${batch.length} cases`);
    const cluster = await startControlPlane(programs);
    try {
      const verdicts = await judgeBatch(cluster, batch as Prepared[]);
      for (const { one } of batch) note(one, verdicts.get(one.name));
    } finally {
      await cluster.stop();
    }
  }

  function note({ name, objects }: ClusterCase, verdict: Verdict | undefined): void {
    const source = sourceOf(name);
    const count = counts.get(source) ?? { source, total: 0, onPurpose: 0, open: 0 };
    counts.set(source, count);
    count.total += 1;
    const found = verdict && disagreement(verdict.ours, verdict.kro);
    const faults = [
      ...(found === undefined ? [] : [`${found.group}\n    here: ${found.ours}\n    kro:  ${found.theirs}`]),
      ...(verdict?.refused ?? ['no verdict']).map((text) => `the API server refuses ${text}`),
    ];
    if (faults.length === 0) return;
    // Cases of `beyond` hold what is different on purpose.
    if (name.includes('/beyond/') || (found !== undefined && purposeOf(found, { objects }) !== undefined))
      count.onPurpose += 1;
    else {
      count.open += 1;
      failures.push(name);
      console.log(`FAIL ${name}: ${faults.join('\n  ')}`.slice(0, 2000));
    }
  }

  const homeless = values.homes ? await checkHomes(programs) : [];
  for (const fault of homeless) console.log(`FAIL homes: ${fault}`);
  for (const reason of leftOut) console.log(`left out: ${reason}`);
  for (const { source, total, onPurpose, open } of counts.values()) {
    console.log(`${source}: ${total} applied, ${onPurpose} different on purpose, ${open} open`);
  }
  if (values.write)
    writeSection(
      'cluster',
      [...counts.values()],
      leftOut.map((reason) => `- left out: ${reason}`),
    );
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

/** Where a case comes from; paths of this machine are nobody's concern. */
function sourceOf(name: string): string {
  if (name.startsWith('examples/')) return 'examples';
  return name.startsWith('test/') ? 'conformance cases' : 'other cases';
}

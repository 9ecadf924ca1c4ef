import { parseArgs } from 'node:util';
import { type ObjectSource, render } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import type { KubeObject } from '../../src/core/model/object.ts';
import { ours } from '../differential/compare.ts';
import type { GeneratedPackage } from '../differential/packages.ts';
import { writeSection } from '../fidelity/page.ts';
import { apart } from './apart.ts';
import { type Judged, judgeBatch, neverJudged } from './batch.ts';
import { batchesOf } from './batches.ts';
import { type ClusterCase, migrated, readCases } from './cases.ts';
import { buildApiServer, buildControlPlane, hasGo, type Programs } from './control-plane/build.ts';
import { startControlPlane } from './control-plane/start.ts';
import { checkHomes } from './homes.ts';
import { approved, permissiveCrds } from './kinds.ts';
import { checkKptLive } from './kpt-home.ts';
import { checkMigrations } from './migration.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { checkPlans } from './plan/index.ts';
import { checkPolicies } from './policies/index.ts';
import { checkRoles } from './roles.ts';
import { checkSchemaUpdates } from './schema-updates.ts';
import { countsOf, remarksOn } from './summary.ts';
import type { Prepared } from './verdict.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    homes: { type: 'boolean', default: false },
    part: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    plan: { type: 'boolean', default: false },
    policies: { type: 'boolean', default: false },
    show: { type: 'string', default: '20' },
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});

/** What `--homes` checks beside the cases. */
const PARTS = ['kubectl', 'kpt', 'roles', 'migrations', 'updates'];
/** The approximate number of clusters for cases that are retried. */
const CLUSTERS_OF_SECOND_CHANCES = 10;

if (hasGo()) await (values.policies ? runPolicies() : values.plan ? runPlans() : run());
else {
  console.log('SKIPPED: go is not here, so there is no cluster');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

async function run(): Promise<void> {
  const programs = buildControlPlane();
  const prepared = await prepare(
    programs,
    readCases(positionals).filter(({ name }) => name.includes(values.only)),
  );
  if (values.part !== '') {
    const faults = await checkParts(programs, prepared, [values.part]);
    return finish(faults.length === 0 ? 1 : 0, faults);
  }
  const outcomes = new Map<string, Outcome>();
  await judgeAll(programs, batchesOf(prepared), outcomes);
  await tryAgain(programs, prepared, outcomes);
  const results = prepared.map(({ one }) => ({ one, outcome: outcomes.get(one.name) as Outcome }));
  const failures = results.filter(({ outcome }) => outcome.kind === 'open');
  for (const { one, outcome } of failures) console.log(faultsOf(one.name, outcome));
  const homeless = values.homes ? await checkParts(programs, prepared, PARTS) : [];
  const [counts, remarks] = [countsOf(results), remarksOn(results)];
  console.log(remarks.join('\n'));
  for (const { source, total, onPurpose, open } of counts) {
    console.log(`${source}: ${total} applied, ${onPurpose} different on purpose, ${open} open`);
  }
  if (values.write) writeSection('cluster', counts, remarks);
  finish(results.length - failures.length, [...failures.map(({ one }) => one.name), ...homeless]);
  if (results.length === 0) process.exitCode = 1;
}

function finish(passed: number, failed: readonly string[]): void {
  console.log(`cluster: ${passed} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Checks what pages about a cluster say; returns what differs. */
async function checkParts(
  programs: Programs,
  prepared: readonly Prepared[],
  parts: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const part of parts) {
    const found = await checkPart(programs, prepared, part).catch((cause) => [String(cause)]);
    for (const fault of found) console.log(`FAIL ${part}: ${fault}`);
    faults.push(...found);
  }
  return faults;
}

async function checkPart(programs: Programs, prepared: readonly Prepared[], part: string): Promise<string[]> {
  if (part === 'kubectl') return checkHomes(programs);
  if (part === 'kpt') return checkKptLive(programs);
  if (part === 'roles') return checkRoles(programs, prepared);
  if (part === 'updates') return checkSchemaUpdates(programs);
  if (part !== 'migrations') return [`no such part; known: ${PARTS.join(', ')}`];
  const own = migrated().filter(({ name }) => name.includes(values.only));
  return checkMigrations(programs, [...prepared, ...(await prepare(programs, own, prepared.length))]);
}

/** Compares `plan` with what kro does to random pull requests. */
async function runPlans(): Promise<void> {
  const [count, seed] = [Number(values.count), Number(values.seed)];
  const found = await checkPlans(buildControlPlane(), { folders: positionals, count, seed });
  const total = Object.values(found).reduce((sum, one) => sum + one, 0);
  console.log(
    `plan, seed ${seed}: ${total} pull requests, ${found.equal} equal, ${found.announced} rejected as announced, ` +
      `${found.invalid} rejected as validate says, ` +
      `${found.open} open, ${found.broken} not compared`,
  );
  process.exitCode = total === count && found.open === 0 && found.broken <= count / 10 ? 0 : 1;
}

/** Compares what policies decide with an API server. */
async function runPolicies(): Promise<void> {
  const [count, seed, show] = [Number(values.count), Number(values.seed), Number(values.show)];
  const found = await checkPolicies(buildApiServer(), { folders: positionals, count, seed, show });
  console.log(
    `policies, seed ${seed}: ${found.policies} policies, ${found.decisions} decisions, ${found.equal} equal, ` +
      `${found.undecided} not decided, ${found.open} open; ${found.invalid} requests invalid`,
  );
  for (const [reason, decisions] of found.reasons) console.log(`  not decided: ${reason}: ${decisions}`);
  process.exitCode = found.open === 0 && found.equal > 0 ? 0 : 1;
}

/** Runs batches, each in its own cluster; a failure leaves only the cases of its batch open. */
async function judgeAll(
  programs: Programs,
  batches: readonly Prepared[][],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  for (const [index, batch] of batches.entries()) {
    console.error(`cluster ${index + 1} of ${batches.length}: ${batch.length} cases`);
    const judged = await judgeApart(programs, batch);
    for (const { one } of batch) {
      const outcome = outcomeOf(one, judged.get(one.name) ?? neverJudged('nobody came to it'));
      outcomes.set(one.name, outcome);
      if (outcome.kind === 'open') console.error(`so far ${faultsOf(one.name, outcome)}`);
    }
  }
}

async function judgeApart(programs: Programs, batch: readonly Prepared[]): Promise<Map<string, Judged>> {
  const cluster = await startControlPlane(programs).catch((cause) => String(cause));
  if (typeof cluster === 'string') return new Map(batch.map(({ one }) => [one.name, neverJudged(cluster)]));
  try {
    return await judgeBatch(cluster, batch);
  } finally {
    await cluster.stop();
  }
}

/** Retries open cases with fewer cases beside them, because the machine or other cases may have caused the failure. */
async function tryAgain(
  programs: Programs,
  prepared: readonly Prepared[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const open = prepared.filter(({ one }) => outcomes.get(one.name)?.kind === 'open');
  if (open.length === 0) return;
  console.error(`once more: ${open.length} cases`);
  const before = new Map(outcomes);
  await judgeAll(programs, batchesOf(open, Math.ceil(open.length / CLUSTERS_OF_SECOND_CHANCES)), outcomes);
  for (const { one } of open) {
    const [first, second] = [before.get(one.name), outcomes.get(one.name)];
    if (first && second?.kind !== 'open')
      console.log(`only the second time ${second?.kind}: ${faultsOf(one.name, first)}`);
  }
}

function faultsOf(name: string, { faults }: Outcome): string {
  return `FAIL ${name}: ${faults.join('\n  ')}`.slice(0, 2000);
}

/** Renders the cases, with CRDs for unknown kinds. */
async function prepare(programs: Programs, cases: readonly ClusterCase[], first = 0): Promise<Prepared[]> {
  const cluster = await startControlPlane(programs);
  try {
    const prepared: Prepared[] = [];
    for (const [index, each] of cases.entries()) {
      const one = apart(each, first + index);
      const permissive = await permissiveCrds([...one.objects, ...one.observed], cluster.api);
      one.objects = [...one.objects.map(approved), ...permissive];
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

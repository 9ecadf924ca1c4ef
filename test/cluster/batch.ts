import { nameOf } from '../../src/core/model/object.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { disagreement } from '../differential/compare.ts';
import type { ControlPlane } from './control-plane/start.ts';
import { serveCrds, type Unserved } from './crds.ts';
import { type DryRun, dryRun, dryRunCrds, failure, messageOf, noDryRun } from './dry-run.ts';
import {
  fixturesOf,
  instancesOf,
  namespaces,
  placed,
  placeFixture,
  placeStatus,
  withoutReadiness,
} from './fixtures.ts';
import { kindsOfRgds } from './kinds.ts';
import { type Sight, untilAtRest } from './rest.ts';
import { type Prepared, problemsOfRgds, refusedVerdict, type Verdict, verdictOf } from './verdict.ts';

export interface Judged {
  /** `undefined` for a case that is omitted: only its dry runs are performed. */
  verdict: Verdict | undefined;
  crds: DryRun;
  objects: DryRun;
  /** Why there is no result for the case: an unrelated failure. */
  broken?: string | undefined;
}

/** The result of a case that was never applied. */
export const neverJudged = (broken: string): Judged => ({
  verdict: undefined,
  crds: noDryRun,
  objects: noDryRun,
  broken,
});

/**
 * Applies cases to an empty cluster, waits until kro is idle, and reads the results. After a failure, the cases that
 * were not finished are broken, each with the reason.
 */
export async function judgeBatch(cluster: ControlPlane, cases: readonly Prepared[]): Promise<Map<string, Judged>> {
  const runs = cases.map((each) => new CaseRun(cluster, each));
  try {
    await judgeRuns(cluster, runs);
  } catch (cause) {
    for (const { judged } of runs) if (judged.broken !== undefined) judged.broken = String(cause);
  }
  return new Map(runs.map((run) => [run.prepared.one.name, run.judged]));
}

async function judgeRuns(cluster: ControlPlane, runs: readonly CaseRun[]): Promise<void> {
  const { api } = cluster;
  await namespaces(
    cluster,
    runs.map(({ prepared }) => prepared),
  );
  const crds = new Map(runs.flatMap(({ prepared }) => prepared.crds).map((crd) => [nameOf(crd), crd]));
  const unserved = await serveCrds(api, [...crds.values()]);
  for (const [name, { reason }] of unserved) console.error(`CRD ${name} is not served: ${reason}`);
  for (const run of runs) await run.start(unserved);
  const kro = await cluster.startKro();
  await untilAtRest(
    runs.filter(({ isWatched }) => isWatched),
    async () => {
      if ((await api.get('/livez')).status !== 200) throw new Error('the API server is not well');
      return kro.turns();
    },
  );
  for (const run of runs) if (run.isLeftOut) await run.tryObjects();
}

class CaseRun {
  readonly isLeftOut: boolean;
  readonly label: string;
  readonly judged: Judged = neverJudged('nobody came to it');
  /** Whether kro reconciles objects of it. */
  isWatched = false;
  /** What the API server rejected permanently. */
  private readonly refused: string[] = [];
  private areApplied = false;
  private lastFault: string | undefined;

  constructor(
    private readonly cluster: ControlPlane,
    readonly prepared: Prepared,
  ) {
    this.isLeftOut = prepared.one.leftOut !== undefined;
    this.label = prepared.one.label;
  }

  /** Applies all objects except instances, given which CRDs are not served. */
  async start(unserved: ReadonlyMap<string, Unserved>): Promise<void> {
    const { api } = this.cluster;
    const { one, ours, crds } = this.prepared;
    this.judged.crds = await dryRunCrds(api, this.prepared);
    if (this.isLeftOut) return;
    for (const name of new Set(crds.map(nameOf))) {
      const { reason, isFinal } = unserved.get(name) ?? {};
      if (isFinal === true) this.refused.push(`the CRD ${name}: ${reason}`);
      else if (isFinal === false) return this.ended(`the CRD ${name} is not served: ${reason}`);
    }
    for (const object of fixturesOf(one)) await placeFixture(this.cluster, object, one.namespace);
    for (const rgd of one.objects.filter(isRgd)) {
      const answer = await api.create(ours.stage === '' || ours.stage === 'pending' ? withoutReadiness(rgd) : rgd);
      if (answer.status >= 400) this.refused.push(messageOf(answer));
    }
    this.isWatched = true;
  }

  ended(reason?: string): void {
    this.judged.broken = reason ?? this.lastFault;
  }

  /** Performs the dry run of a case that is omitted. */
  async tryObjects(): Promise<void> {
    this.judged.objects = await dryRun(this.cluster.api, this.prepared.written);
    this.ended();
  }

  /** A failed read is retried the next time, and does not block the others. */
  async look(): Promise<Sight> {
    this.lastFault = undefined;
    try {
      return await this.see();
    } catch (cause) {
      this.lastFault = String(cause);
      return { gist: this.lastFault, state: 'open', objects: 0 };
    }
  }

  private async see(): Promise<Sight> {
    const { ours } = this.prepared;
    const problems = this.refused.length > 0 ? [] : await problemsOfRgds(this.cluster, this.prepared);
    if (problems.length === 0 && this.refused.length === 0 && !this.areApplied) await this.applyInstances();
    const isRefused = problems.length + this.refused.length > 0;
    if (isRefused) this.judged.verdict = refusedVerdict([...this.refused, ...problems], ours);
    else await this.lookAtObjects();
    const { kro, ours: stored, waiting } = this.judged.verdict as Verdict;
    const isAlike = disagreement(stored, kro) === undefined;
    const isFinal = this.refused.length > 0 || (isAlike && ours.stage === '' && this.areApplied);
    const state = isFinal ? 'final' : isAlike ? 'expected' : problems.length > 0 ? 'refused' : 'open';
    const gist = [kro.stage, kro.objects.size, problems.length, waiting, this.areApplied].join(' ');
    return { gist, state, objects: problems.length + waiting };
  }

  private async lookAtObjects(): Promise<void> {
    const { one } = this.prepared;
    for (const object of one.observed) await placeStatus(this.cluster, object, one.namespace);
    this.judged.objects = await dryRun(this.cluster.api, this.prepared.written);
    this.judged.verdict = await verdictOf(this.cluster, this.prepared, this.judged.objects);
  }

  /** Applies the instances as soon as their kinds are served. */
  private async applyInstances(): Promise<void> {
    const { api } = this.cluster;
    const { one } = this.prepared;
    const instances = instancesOf(one);
    // An RGD is Active shortly before its kind is known everywhere.
    for (const kind of kindsOfRgds(one.objects)) if (!(await api.knows(kind))) return;
    this.areApplied = true;
    for (const instance of instances) {
      const answer = await api.create(placed(instance, one.namespace)).catch(failure);
      if (answer.status >= 400) this.refused.push(messageOf(answer));
    }
  }
}

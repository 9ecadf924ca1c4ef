import { type KubeObject, nameOf } from '../../src/model/object.ts';
import { getAt } from '../../src/model/value.ts';
import { isRgd } from '../../src/rgd/definition/definition.ts';
import { disagreement } from '../differential/compare.ts';
import type { ControlPlane } from './control-plane/start.ts';
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
import { type Sight, untilAtRest } from './rest.ts';
import { type Prepared, problemsOfRgds, refusedVerdict, type Verdict, verdictOf } from './verdict.ts';

export interface Judged {
  /** `undefined` for a case that is left out: only the dry runs are made. */
  verdict: Verdict | undefined;
  crds: DryRun;
  objects: DryRun;
}

/** How long an API server may take to serve a CRD, in milliseconds. */
const LONGEST = 600_000;
const POLL = 1_000;

/** Applies cases to an empty cluster, lets kro work until it is at rest, and reads what it did. */
export async function judgeBatch(cluster: ControlPlane, cases: readonly Prepared[]): Promise<Map<string, Judged>> {
  const { api } = cluster;
  await namespaces(cluster, cases);
  const crds = new Map(cases.flatMap((each) => each.crds).map((crd) => [nameOf(crd), crd]));
  for (const crd of crds.values()) await api.create(crd);
  await established(cluster, [...crds.values()]);
  const runs = cases.map((each) => new CaseRun(cluster, each));
  for (const run of runs) await run.start();
  const kro = await cluster.startKro();
  await untilAtRest(
    runs.filter(({ isLeftOut }) => !isLeftOut),
    kro.turns,
  );
  for (const run of runs) if (run.isLeftOut) await run.tryObjects();
  return new Map(runs.map((run) => [run.prepared.one.name, run.judged]));
}

class CaseRun {
  readonly isLeftOut: boolean;
  readonly label: string;
  readonly judged: Judged = { verdict: undefined, crds: noDryRun, objects: noDryRun };
  /** What the API server did not take: nothing changes that. */
  private readonly refused: string[] = [];
  private areApplied = false;

  constructor(
    private readonly cluster: ControlPlane,
    readonly prepared: Prepared,
  ) {
    this.isLeftOut = prepared.one.leftOut !== undefined;
    this.label = prepared.one.label;
  }

  /** Applies everything but instances. */
  async start(): Promise<void> {
    const { api } = this.cluster;
    const { one, ours } = this.prepared;
    this.judged.crds = await dryRunCrds(api, this.prepared);
    if (this.isLeftOut) return;
    for (const object of fixturesOf(one)) await placeFixture(this.cluster, object, one.namespace);
    for (const rgd of one.objects.filter(isRgd)) {
      const answer = await api.create(ours.stage === '' || ours.stage === 'pending' ? withoutReadiness(rgd) : rgd);
      if (answer.status >= 400) this.refused.push(messageOf(answer));
    }
  }

  async tryObjects(): Promise<void> {
    this.judged.objects = await dryRun(this.cluster.api, this.prepared.written);
  }

  async look(): Promise<Sight> {
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
    await this.tryObjects();
    this.judged.verdict = await verdictOf(this.cluster, this.prepared, this.judged.objects);
  }

  /** Applies the instances as soon as their kinds are served. */
  private async applyInstances(): Promise<void> {
    const { api } = this.cluster;
    const { one } = this.prepared;
    const instances = instancesOf(one);
    // An RGD is Active a little before everybody knows its kind.
    for (const instance of instances) if (!(await api.knows(instance))) return;
    this.areApplied = true;
    for (const instance of instances) {
      const answer = await api.create(placed(instance, one.namespace)).catch(failure);
      if (answer.status >= 400) this.refused.push(messageOf(answer));
    }
  }
}

async function established({ api }: ControlPlane, crds: readonly KubeObject[]): Promise<void> {
  for (const end = Date.now() + LONGEST; Date.now() < end; ) {
    const all = await Promise.all(crds.map(async (crd) => isEstablished((await api.read(crd)).body as KubeObject)));
    if (all.every(Boolean)) return;
    await new Promise((done) => setTimeout(done, POLL));
  }
  throw new Error('the API server does not serve all CRDs');
}

function isEstablished(crd: KubeObject): boolean {
  const conditions = getAt(crd, ['status', 'conditions']);
  return (Array.isArray(conditions) ? conditions : []).some(
    (one) => getAt(one, ['type']) === 'Established' && getAt(one, ['status']) === 'True',
  );
}

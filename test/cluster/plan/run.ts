import { type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { getAt, type ValueMap } from '../../../src/core/model/value.ts';
import { isRgd } from '../../../src/kro/definition/read.ts';
import { canonical } from '../../differential/compare.ts';
import type { ControlPlane } from '../control-plane/start.ts';
import { serveCrds } from '../crds.ts';
import { failure, messageOf } from '../dry-run.ts';
import { FIXTURE, namespaces } from '../fixtures.ts';
import { identityIn } from '../identity.ts';
import { definedKinds, groupKind, mentionedKinds } from '../kinds.ts';
import { type Sight, untilAtRest, type Watched } from '../rest.ts';
import type { Reality } from './compare.ts';
import { changeBetween, LiveObjects } from './live.ts';
import type { PullRequest } from './requests.ts';

export interface PreparedRequest {
  request: PullRequest;
  crds: readonly KubeObject[];
  /** The rendered objects of both revisions. */
  written: readonly KubeObject[];
  /** The number of rendered objects of the older revision. */
  expected: number;
}

/** What happened to a pull request, or why that is unknown. */
export type Happened = Reality | { broken: string };

/** Applies both revisions of pull requests to an empty cluster, and reads the objects that kro manages after each. */
export async function runRequests(cluster: ControlPlane, all: readonly PreparedRequest[]): Promise<Happened[]> {
  const live = new LiveObjects(cluster.api);
  const planned = all.map(({ request: { one, after }, crds, written }) => ({
    one: { ...one, observed: [...after] },
    crds,
    written,
    ours: { stage: '' },
  }));
  await namespaces(cluster, planned);
  const crds = new Map(all.flatMap((one) => one.crds).map((crd) => [nameOf(crd), crd]));
  await serveCrds(cluster.api, [...crds.values()]);
  const kro = await cluster.startKro();
  const turns = (): Promise<ReadonlyMap<string, number>> => kro.turns();
  const runs = all.map((prepared) => new RequestRun(cluster, live, prepared));
  for (const run of runs) await run.start();
  await untilAtRest(runs, turns);
  const begun = runs.filter(({ broken }) => broken === undefined);
  for (const run of begun) await run.change();
  await untilAtRest(begun, turns);
  return runs.map((run) => run.happened());
}

class RequestRun implements Watched {
  readonly label: string;
  broken: string | undefined;
  private objects: readonly KubeObject[];
  private before: ReadonlyMap<string, string> | undefined;
  private now: ReadonlyMap<string, string> = new Map();
  private refused: string[] = [];
  private problems: string[] = [];
  /** The instances that the API server has not accepted. */
  private waiting: KubeObject[] = [];
  private unaccepted: string[] = [];

  constructor(
    private readonly cluster: ControlPlane,
    private readonly live: LiveObjects,
    private readonly prepared: PreparedRequest,
  ) {
    this.label = prepared.request.one.label;
    this.objects = prepared.request.before;
  }

  async start(): Promise<void> {
    this.waiting = this.instances();
    await this.applyAll(this.objects.filter(isRgd));
  }

  /** Applies the newer revision: what changes, and then what goes. */
  async change(): Promise<void> {
    const { before, after } = this.prepared.request;
    this.before = this.now;
    this.objects = after;
    this.waiting = this.instances();
    const old = new Map(before.map((object) => [identityIn(object, 'default'), canonical(object)]));
    const differs = (object: KubeObject): boolean => old.get(identityIn(object, 'default')) !== canonical(object);
    await this.applyAll(after.filter((object) => isRgd(object) && differs(object)));
    const kept = new Set(after.map((object) => identityIn(object, 'default')));
    for (const object of before) {
      if (kept.has(identityIn(object, 'default')) || object.kind === 'CustomResourceDefinition') continue;
      await this.cluster.api.remove(object).catch(failure);
    }
  }

  async look(): Promise<Sight> {
    try {
      return await this.see();
    } catch (cause) {
      return { gist: String(cause), state: 'open', objects: 1 };
    }
  }

  /** The older revision must be applied whole; the newer one as far as it goes. */
  ended(reason?: string): void {
    if (reason !== undefined) this.broken = reason;
    else if (this.before === undefined) {
      const faults = this.faults();
      const missing = this.prepared.expected - this.now.size;
      if (faults.length > 0) this.broken = `the older revision is rejected: ${faults.join('; ')}`;
      else if (missing !== 0) this.broken = `kro applies ${this.now.size} of ${this.prepared.expected} objects`;
    }
  }

  happened(): Happened {
    if (this.broken !== undefined) return { broken: this.broken };
    return {
      change: changeBetween(this.before ?? new Map(), this.now),
      refused: this.faults(),
    };
  }

  private faults(): string[] {
    return [...this.refused, ...this.unaccepted, ...this.problems];
  }

  private async see(): Promise<Sight> {
    const late: string[] = [];
    this.problems = [];
    for (const object of this.objects.filter(isRgd)) await this.stateOf(object, 'Active', late);
    if (late.length === 0) await this.applyInstances();
    const applied = this.instances().filter((object) => !this.waiting.includes(object));
    for (const object of applied) await this.stateOf(object, 'ACTIVE', late);
    this.now = await this.live.of(this.label, this.kinds());
    const isWhole = this.faults().length === 0 && this.waiting.length === 0 && late.length === 0;
    const isStarted = this.before === undefined && isWhole && this.now.size === this.prepared.expected;
    const gist = canonical([...this.now.entries(), late, this.faults(), this.waiting.length].flat() as never);
    // What kro has not seen yet is still reconciled.
    return { gist, state: isStarted ? 'final' : 'open', objects: late.length };
  }

  /** Notes an object that is not in the wanted state, and one of which kro has not seen the last generation. */
  private async stateOf(object: KubeObject, wanted: string, late: string[]): Promise<void> {
    const { status, body } = await this.cluster.api.read(object).catch(failure);
    const title = `${object.kind}/${nameOf(object)}`;
    if (status !== 200) {
      this.problems.push(`${title} is not there`);
      return;
    }
    const conditions = getAt(body, ['status', 'conditions']);
    const seen = (Array.isArray(conditions) ? conditions : []).map((one) => Number(getAt(one, ['observedGeneration'])));
    const generation = Number(getAt(body, ['metadata', 'generation']));
    if (!seen.some((one) => one >= generation)) late.push(title);
    if (getAt(body, ['status', 'state']) !== wanted) this.problems.push(`${title}: ${reasonsOf(conditions)}`);
  }

  /** Applies the instances that are not accepted yet: a new field is known after kro has updated the CRD. */
  private async applyInstances(): Promise<void> {
    this.unaccepted = [];
    for (const object of [...this.waiting]) {
      const answer = await this.cluster.api.apply(object, { manager: FIXTURE }).catch(failure);
      if (answer.status >= 400) this.unaccepted.push(messageOf(answer));
      else this.waiting = this.waiting.filter((one) => one !== object);
    }
  }

  private async applyAll(objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const answer = await this.cluster.api.apply(object, { manager: FIXTURE }).catch(failure);
      if (answer.status >= 400) this.refused.push(messageOf(answer));
    }
  }

  private instances(): KubeObject[] {
    return this.objects.filter((object) => !isRgd(object) && object.kind !== 'CustomResourceDefinition');
  }

  /** The kinds of the objects that kro may write; nested instances are no rendered objects. */
  private kinds(): ValueMap[] {
    const { before, after } = this.prepared.request;
    const all = [...before, ...after];
    const { byRgd } = definedKinds(all);
    const kinds = [...mentionedKinds(all), ...this.prepared.written].filter((one) => !byRgd.has(groupKind(one)));
    const byKind = new Map(kinds.map((one) => [`${one.apiVersion} ${one.kind}`, one]));
    return [...byKind.values()];
  }
}

function reasonsOf(conditions: unknown): string {
  return (Array.isArray(conditions) ? conditions : [])
    .filter((one) => getAt(one, ['status']) === 'False')
    .map((one) => ['reason', 'message'].map((key) => String(getAt(one, [key]) ?? '')).join(' '))
    .join('; ');
}

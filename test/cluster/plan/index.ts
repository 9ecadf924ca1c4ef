import { type ObjectSource, render, validate } from '../../../src/api/index.ts';
import { fromPlain } from '../../../src/api/plain.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { ours } from '../../differential/compare.ts';
import type { GeneratedPackage } from '../../differential/packages.ts';
import { batchesOf } from '../batches.ts';
import { type ClusterCase, readCases } from '../cases.ts';
import type { Programs } from '../control-plane/build.ts';
import { type ControlPlane, startControlPlane } from '../control-plane/start.ts';
import { fixturesOf, instancesOf } from '../fixtures.ts';
import { approved, permissiveCrds } from '../kinds.ts';
import { comparePlan, type Kind, plannedChange } from './compare.ts';
import { drawRequests, type PullRequest } from './requests.ts';
import { type Happened, type PreparedRequest, runRequests } from './run.ts';

/** How many pull requests have which result. */
export type PlanCounts = Record<Kind | 'broken', number>;

export interface PlanOptions {
  folders: readonly string[];
  count: number;
  seed: number;
}

/** Compares `plan` with what kro does in a cluster, for random pull requests. */
export async function checkPlans(programs: Programs, { folders, count, seed }: PlanOptions): Promise<PlanCounts> {
  const cases = readCases(folders).filter(isSuitable);
  const own = cases.filter(({ name }) => name.startsWith('examples/'));
  const others = cases.filter(({ name }) => !/^(?:examples|test)\//.test(name));
  const conformance = cases.filter(({ name }) => name.startsWith('test/conformance/'));
  const sources = [own, others.length > 0 ? others : conformance];
  const first = await startControlPlane(programs);
  let requests: PreparedRequest[];
  try {
    const known = await Promise.all(sources.map((all) => Promise.all(all.map((one) => withCrds(one, first)))));
    const rendered = known.map((all) => all.filter(isRendered));
    console.error(`pull requests over ${rendered.map(({ length }) => length).join(' + ')} packages`);
    requests = drawRequests(rendered, count, seed).map(prepared);
  } finally {
    await first.stop();
  }
  const counts: PlanCounts = { equal: 0, announced: 0, invalid: 0, open: 0, broken: 0 };
  const batches = batchesOf(
    requests.map((each) => ({
      ...each,
      one: { ...each.request.one, name: each.request.one.label },
      ours: { stage: '' },
    })),
  );
  for (const [index, batch] of batches.entries()) {
    console.error(`cluster ${index + 1} of ${batches.length}: ${batch.length} pull requests`);
    const happened = await happenedTo(programs, batch);
    for (const [at, { request }] of batch.entries()) {
      const one = happened[at] ?? { broken: 'nobody came to it' };
      const kind = 'broken' in one ? 'broken' : comparePlan(request.plan, one, () => isNewlyInvalid(request));
      counts[kind] += 1;
      console.log(toldOf(kind, request, one));
    }
  }
  return counts;
}

/** Reports whether a case has only definitions and instances. */
function isSuitable(one: ClusterCase): boolean {
  if (one.leftOut !== undefined || one.observed.length > 0) return false;
  const apart = { ...one, label: '', namespace: 'default' };
  return instancesOf(apart).length > 0 && fixturesOf(apart).length === 0;
}

const isRendered = ({ objects }: ClusterCase): boolean =>
  ours({ objects, observed: [] } as unknown as GeneratedPackage).stage === '';

/** Reports whether `validate` has an error for the newer revision that it does not have for the older one. */
function isNewlyInvalid({ before, after }: PullRequest): boolean {
  const errors = (objects: PullRequest['after']): string[] =>
    validate({ objects: objects as ObjectSource[] })
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ code, field, message }) => [code, field, message].join(' '));
  const known = new Set(errors(before));
  return errors(after).some((error) => !known.has(error));
}

async function withCrds(one: ClusterCase, { api }: ControlPlane): Promise<ClusterCase> {
  return { ...one, objects: [...one.objects.map(approved), ...(await permissiveCrds(one.objects, api))] };
}

function prepared(request: PullRequest): PreparedRequest {
  const rendered = (objects: readonly KubeObject[]): KubeObject[] =>
    render({ objects: objects as ObjectSource[] }, { onPending: 'skip' }).objects.map(
      (object) => fromPlain(object) as KubeObject,
    );
  const before = rendered(request.before);
  return {
    request,
    crds: request.before.filter(({ kind }) => kind === 'CustomResourceDefinition'),
    written: [...before, ...rendered(request.after)],
    expected: before.length,
  };
}

async function happenedTo(programs: Programs, batch: readonly PreparedRequest[]): Promise<Happened[]> {
  const cluster = await startControlPlane(programs);
  try {
    return await runRequests(cluster, batch);
  } catch (cause) {
    return batch.map(() => ({ broken: String(cause) }));
  } finally {
    await cluster.stop();
  }
}

function toldOf(kind: Kind | 'broken', { name, plan }: PullRequest, happened: Happened): string {
  const title = `${kind.toUpperCase()} ${name}`;
  if (kind === 'equal') return title;
  const errors = plan.applications.flatMap(({ error }) => error ?? []);
  const dangers = plan.dangers.map(({ code, message }) => `${code} ${message}`);
  const planned = JSON.stringify({ ...plannedChange(plan), errors, dangers });
  return `${title}\n  plan: ${planned}\n  kro:  ${JSON.stringify(happened)}`.slice(0, 3000);
}

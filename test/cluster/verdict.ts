import { type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { getAt, isMap, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { type Answer, byIdentity } from '../differential/compare.ts';
import type { Planned } from './batches.ts';
import type { ControlPlane } from './control-plane/start.ts';
import type { DryRun } from './dry-run.ts';
import { instancesOf, placed } from './fixtures.ts';
import { appliedBy } from './managed-fields.ts';

/** The result of a case in a cluster. */
export interface Verdict {
  /** What kro applied, as far as it got. */
  kro: Answer;
  /** What is rendered here, as the API server would store it. */
  ours: Answer;
  /** The number of instances that are not active. */
  waiting: number;
}

export interface Prepared extends Planned {
  ours: Answer;
}

/** The field manager of kro. */
export const KRO = 'kro.run/applyset';

/** Returns the verdict on a case that the API server or kro rejected. */
export const refusedVerdict = (refused: readonly string[], ours: Answer): Verdict => ({
  kro: { stage: 'compile', message: refused.join('\n'), objects: new Map() },
  ours,
  waiting: 0,
});

/** Returns the current verdict on a case whose instances have been applied. */
export async function verdictOf(
  { api }: ControlPlane,
  { one, written, ours }: Prepared,
  { stored }: DryRun,
): Promise<Verdict> {
  const waiting: string[] = [];
  for (const instance of instancesOf(one)) {
    const { body } = await api.read(placed(instance, one.namespace));
    const status = getAt(body, ['status', 'state']);
    if (status !== 'ACTIVE') waiting.push(`${instance.kind}/${nameOf(instance)} ${status}: ${conditionsOf(body)}`);
  }
  const message = waiting.join('\n');
  if (ours.stage !== '') {
    const stage = waiting.length === 0 ? '' : ours.stage;
    return { kro: { stage, message, objects: new Map() }, ours, waiting: waiting.length };
  }
  const [theirParts, ourParts]: [ValueMap[], ValueMap[]] = [[], []];
  for (const [index, object] of written.entries()) {
    const identity = { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata ?? null };
    ourParts.push(whole(stored[index] ?? object, identity));
    const live = await api.read(object);
    const applied = live.status === 200 ? appliedBy(live.body, KRO) : undefined;
    if (applied !== undefined) theirParts.push(whole(applied, identity));
  }
  const missing = theirParts.length < ourParts.length;
  return {
    kro: { stage: missing && waiting.length > 0 ? 'pending' : '', message, objects: byIdentity(theirParts) },
    ours: { ...ours, objects: byIdentity(ourParts) },
    waiting: waiting.length,
  };
}

/** Returns what a manager applied, with the identity of the object. */
export function whole(part: ValueMap, { apiVersion, kind, metadata }: ValueMap): ValueMap {
  const { name, namespace } = isMap(metadata) ? metadata : {};
  const own = isMap(part.metadata) ? part.metadata : {};
  const named = { ...own, ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
  return { ...part, apiVersion: apiVersion ?? null, kind: kind ?? null, metadata: named };
}

/** The RGDs of a case that are not Active, with kro's reason. */
export async function problemsOfRgds({ api }: ControlPlane, { one }: Prepared): Promise<string[]> {
  const problems: string[] = [];
  for (const rgd of one.objects.filter(isRgd)) {
    const { status, body } = await api.read(rgd);
    if (status !== 200) problems.push(`${nameOf(rgd)} is not there`);
    else if (getAt(body, ['status', 'state']) !== 'Active')
      problems.push(`${nameOf(rgd)} is not Active: ${conditionsOf(body as KubeObject)}`);
  }
  return problems;
}

function conditionsOf(object: ValueMap): string {
  const conditions = getAt(object, ['status', 'conditions']);
  const text = (one: Value, key: string): string => String(getAt(one, [key]) ?? '');
  return (Array.isArray(conditions) ? conditions : [])
    .filter((one) => text(one, 'status') === 'False')
    .map((one) => `${text(one, 'type')} ${text(one, 'reason')} ${text(one, 'message')}`)
    .join('; ');
}

import { crds as crdsOf, type ObjectSource } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import { type KubeObject, nameOf, namespaceOf } from '../../src/model/object.ts';
import { getAt, isMap, type Value, type ValueMap } from '../../src/model/value.ts';
import { isRgd } from '../../src/rgd/definition/definition.ts';
import { type Answer, byIdentity, disagreement } from '../differential/compare.ts';
import type { Planned } from './batches.ts';
import type { Answer as Response } from './control-plane/api.ts';
import type { ControlPlane } from './control-plane/start.ts';
import { definedKinds } from './kinds.ts';
import { appliedBy } from './managed-fields.ts';

/** What a cluster says of a case. */
export interface Verdict {
  /** What kro applied, as far as it got. */
  kro: Answer;
  /** What is rendered here, as the API server would store it. */
  ours: Answer;
  /** CRDs and objects of ours that the API server refuses, with its reason. */
  refused: readonly string[];
}

export interface Prepared extends Planned {
  ours: Answer;
}

const KRO = 'kro.run/applyset';
const OURS = 'render-rgd';
const FIXTURE = 'fixture';
/** How long nothing may change before kro counts as idle, and how long all may take, in milliseconds. */
const QUIET = 15_000;
const LONGEST = 120_000;
const POLL = 2_000;

/** Applies cases to an empty cluster, lets kro work until nothing changes, and reads what it did. */
export async function judgeBatch(cluster: ControlPlane, cases: readonly Prepared[]): Promise<Map<string, Verdict>> {
  const { api } = cluster;
  const refusals = new Map<string, string[]>(cases.map(({ one }) => [one.name, []]));
  const crdRefusals = new Map<string, string[]>(cases.map(({ one }) => [one.name, []]));
  await namespaces(cluster, cases);
  const crds = new Map(cases.flatMap((each) => each.crds).map((crd) => [nameOf(crd), crd]));
  for (const crd of crds.values()) await api.create(crd);
  await until(async () => (await Promise.all([...crds.values()].map((crd) => isEstablished(api, crd)))).every(Boolean));
  for (const { one, ours } of cases) {
    if (ours.stage === '') {
      const { objects } = crdsOf({ objects: one.objects as ObjectSource[] }, { strict: true });
      for (const crd of objects) {
        const answer = await api.apply(fromPlain(crd) as KubeObject, { manager: OURS, dryRun: true });
        if (answer.status >= 400) crdRefusals.get(one.name)?.push(messageOf(answer));
      }
    }
    for (const object of fixturesOf(one)) await placeFixture(cluster, object, one.namespace);
    for (const rgd of one.objects.filter(isRgd)) {
      const answer = await api.create(ours.stage === '' || ours.stage === 'pending' ? withoutReadiness(rgd) : rgd);
      if (answer.status >= 400) refusals.get(one.name)?.push(messageOf(answer));
    }
  }
  await cluster.startKro();
  // Messages of what waits change all the time; who has a problem does not.
  const rgdProblems = await settled(
    () => problemsOfRgds(cluster, cases),
    (problems) => [...problems].map(([name, { length }]) => `${name} ${length}`).join('\n'),
  );
  for (const { one } of cases) {
    refusals.get(one.name)?.push(...(rgdProblems.get(one.name) ?? []));
    if (refusals.get(one.name)?.length !== 0) continue;
    for (const instance of instancesOf(one)) {
      const answer = await api.create(placed(instance, one.namespace)).catch((cause: Error) => failure(cause));
      if (answer.status >= 400) refusals.get(one.name)?.push(messageOf(answer));
    }
  }
  const verdicts = new Map<string, Verdict>();
  const look = async (): Promise<Map<string, Verdict>> => {
    for (const each of cases) {
      const before = verdicts.get(each.one.name);
      // What has been applied alike stays so; the others are looked at again.
      if (before?.ours.stage === '' && disagreement(before.ours, before.kro) === undefined) continue;
      for (const object of each.one.observed) await placeStatus(cluster, object, each.one.namespace);
      const refused = refusals.get(each.one.name) ?? [];
      verdicts.set(each.one.name, await verdictOf(cluster, each, refused, crdRefusals.get(each.one.name) ?? []));
    }
    return verdicts;
  };
  return settled(look, (all) =>
    [...all].map(([name, { kro }]) => `${name} ${kro.stage} ${kro.objects.size}`).join('\n'),
  );
}

async function verdictOf(
  { api }: ControlPlane,
  { one, written, ours }: Prepared,
  refused: readonly string[],
  crdRefusals: readonly string[],
): Promise<Verdict> {
  const noObjects = new Map<string, string>();
  if (refused.length > 0) {
    return { kro: { stage: 'compile', message: refused.join('\n'), objects: noObjects }, ours, refused: crdRefusals };
  }
  const waiting: string[] = [];
  for (const instance of instancesOf(one)) {
    const { body } = await api.read(placed(instance, one.namespace));
    const status = getAt(body, ['status', 'state']);
    if (status !== 'ACTIVE') waiting.push(`${instance.kind}/${nameOf(instance)} ${status}: ${conditionsOf(body)}`);
  }
  if (ours.stage !== '') {
    const stage = waiting.length === 0 ? '' : ours.stage;
    return { kro: { stage, message: waiting.join('\n'), objects: noObjects }, ours, refused: crdRefusals };
  }
  const [theirParts, ourParts, faults]: [ValueMap[], ValueMap[], string[]] = [[], [], [...crdRefusals]];
  for (const object of written) {
    const dryRun = await api.apply(object, { manager: OURS, dryRun: true });
    if (dryRun.status >= 400) faults.push(`${object.kind}/${nameOf(object)}: ${messageOf(dryRun)}`);
    const identity = { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata ?? null };
    const asStored = dryRun.status < 400 ? appliedBy(dryRun.body, OURS) : undefined;
    ourParts.push(whole(asStored ?? object, identity));
    const live = await api.read(object);
    const applied = live.status === 200 ? appliedBy(live.body, KRO) : undefined;
    if (applied !== undefined) theirParts.push(whole(applied, identity));
  }
  const message = waiting.join('\n');
  const missing = theirParts.length < ourParts.length;
  return {
    kro: { stage: missing && waiting.length > 0 ? 'pending' : '', message, objects: byIdentity(theirParts) },
    ours: { ...ours, objects: byIdentity(ourParts) },
    refused: faults,
  };
}

/** What a manager applied, with what names the object. */
function whole(part: ValueMap, { apiVersion, kind, metadata }: ValueMap): ValueMap {
  const { name, namespace } = isMap(metadata) ? metadata : {};
  const own = isMap(part.metadata) ? part.metadata : {};
  const named = { ...own, ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) };
  return { ...part, apiVersion: apiVersion ?? null, kind: kind ?? null, metadata: named };
}

async function namespaces({ api }: ControlPlane, cases: readonly Prepared[]): Promise<void> {
  const wanted = new Set(
    cases.flatMap(({ one, written }) => [
      one.namespace,
      ...[...one.objects, ...one.observed, ...written].map(namespaceOf),
    ]),
  );
  // Those that kro is to write are not there before.
  for (const { written } of cases)
    for (const object of written) if (object.kind === 'Namespace') wanted.delete(nameOf(object));
  for (const name of wanted) {
    if (name !== '') await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

/** Everything but RGDs, CRDs and instances. */
function fixturesOf({ objects, observed }: Prepared['one']): KubeObject[] {
  const { byRgd } = definedKinds(objects);
  return [...objects, ...observed].filter(
    (object) =>
      !isRgd(object) && object.kind !== 'CustomResourceDefinition' && !byRgd.has(`${object.apiVersion} ${object.kind}`),
  );
}

function instancesOf({ objects }: Prepared['one']): KubeObject[] {
  const { byRgd } = definedKinds(objects);
  return objects.filter((object) => byRgd.has(`${object.apiVersion} ${object.kind}`));
}

/** Puts an object there. What an observed object lacks to be valid, kro has to write first. */
async function placeFixture(cluster: ControlPlane, object: KubeObject, namespace: string): Promise<void> {
  await cluster.api.apply(placed(object, namespace), { manager: FIXTURE }).catch(() => undefined);
  await placeStatus(cluster, object, namespace);
}

/** Writes the status of an observed object, as soon as the object is there, as if controllers had been at work. */
async function placeStatus({ api }: ControlPlane, object: KubeObject, namespace: string): Promise<void> {
  if (object.status === undefined) return;
  const { apiVersion, kind, metadata } = placed(object, namespace);
  const { name, namespace: within } = metadata as ValueMap;
  const only = { apiVersion, kind, metadata: { name: name ?? null, namespace: within ?? null }, status: object.status };
  const there = await api.read(only).catch(failure);
  if (there.status === 200) await api.apply(only, { manager: FIXTURE, subresource: 'status' });
}

/** An object as a user applies it, in a namespace. */
function placed(object: KubeObject, namespace: string): KubeObject {
  const { uid, resourceVersion, generation, creationTimestamp, managedFields, ...metadata } = isMap(object.metadata)
    ? object.metadata
    : ({} as ValueMap);
  return { ...object, metadata: { ...metadata, namespace: metadata.namespace ?? namespace } };
}

/** Nothing becomes ready here: what waits for that would wait for ever. */
function withoutReadiness(rgd: KubeObject): KubeObject {
  const spec = rgd.spec;
  if (!isMap(spec) || !Array.isArray(spec.resources)) return rgd;
  const resources = spec.resources.map((node) => {
    if (!isMap(node)) return node;
    const { readyWhen, ...rest } = node;
    return rest;
  });
  return { ...rgd, spec: { ...spec, resources } };
}

/** RGDs that are not Active, with kro's reason, by case. */
async function problemsOfRgds({ api }: ControlPlane, cases: readonly Prepared[]): Promise<Map<string, string[]>> {
  const kind = { apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition' };
  const live = new Map((await api.list(kind)).map((rgd) => [nameOf(rgd), rgd]));
  return new Map(
    cases.map(({ one }) => [
      one.name,
      one.objects.filter(isRgd).flatMap((rgd) => {
        const found = live.get(nameOf(rgd));
        if (found === undefined || getAt(found, ['status', 'state']) === 'Active') return [];
        return [`${nameOf(rgd)} is not Active: ${conditionsOf(found)}`];
      }),
    ]),
  );
}

function conditionsOf(object: ValueMap): string {
  const conditions = getAt(object, ['status', 'conditions']);
  const text = (one: Value, key: string): string => String(getAt(one, [key]) ?? '');
  return (Array.isArray(conditions) ? conditions : [])
    .filter((one) => text(one, 'status') === 'False')
    .map((one) => `${text(one, 'type')}: ${text(one, 'message')}`)
    .join('; ');
}

async function isEstablished(api: ControlPlane['api'], crd: KubeObject): Promise<boolean> {
  const { body } = await api.read(crd);
  const conditions = getAt(body, ['status', 'conditions']);
  return (Array.isArray(conditions) ? conditions : []).some(
    (one) => getAt(one, ['type']) === 'Established' && getAt(one, ['status']) === 'True',
  );
}

/** Asks until what matters of the answer has been the same for a while. */
async function settled<T>(ask: () => Promise<T>, gist: (answer: T) => string): Promise<T> {
  const started = Date.now();
  let [text, since] = ['', started];
  for (;;) {
    const answer = await ask();
    const now = gist(answer);
    if (now !== text) [text, since] = [now, Date.now()];
    else if (Date.now() - since > QUIET || Date.now() - started > LONGEST) return answer;
    await pause();
  }
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + LONGEST; Date.now() < end; await pause()) if (await check()) return;
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, POLL));
const failure = (cause: Error): Response => ({ status: 400, body: { message: cause.message } });
const messageOf = ({ body }: Response): string => String(body.message ?? '');

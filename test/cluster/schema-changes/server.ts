/** What an API server does with instances whose CRD changes. */
import { getAt, isMap, type Path, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import type { Answer, Api } from '../control-plane/api.ts';

/** What became of one instance. */
export interface Lived {
  manifest: ValueMap;
  /** Why the older CRD rejects the manifest; undefined if it accepts it. What follows is empty for a rejected one. */
  rejectedBefore: string | undefined;
  /** The instance as it was stored, and as it is read with the newer CRD. */
  stored: ValueMap;
  read: ValueMap;
  /** Why the newer CRD rejects the same manifest as a new object: strictly, and where unknown fields are dropped. */
  rejectedStrictly: string | undefined;
  rejectedAsNew: string | undefined;
  /** Whether the older CRD accepts the live object with another label, and why the newer one rejects it. */
  isUpdatedBefore: boolean;
  rejectedUpdate: string | undefined;
  /** Whether the older CRD accepts a server-side apply of the manifest, which has no null, and why the newer one rejects the next one. */
  isAppliedBefore: boolean;
  rejectedApply: string | undefined;
}

const APPLIER = 'render-rgd-test';
/** How often the API server is asked whether a CRD is in force, and the pause between, in milliseconds. */
const READS = 6000;
const PAUSE = 100;

const CRD = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };

/** A CRD that the API server rejects as an update of the older one. */
export class RejectedCrd extends Error {}

/** Installs a CRD, creates instances, replaces the CRD, and looks at the instances again. */
export async function live(
  api: Api,
  [before, after]: readonly [ValueMap, ValueMap],
  manifests: readonly ValueMap[],
): Promise<Lived[]> {
  const kind: ValueMap = { apiVersion: apiVersionOf(before), kind: getAt(before, ['spec', 'names', 'kind']) ?? '' };
  try {
    await install(api, before, kind);
    const created: Lived[] = [];
    for (const manifest of manifests) created.push(await create(api, manifest));
    await update(api, after, kind);
    for (const one of created) if (one.rejectedBefore === undefined) await lookAgain(api, one);
    return created;
  } finally {
    await api.remove({ ...CRD, metadata: { name: nameOf(before) } });
  }
}

const nameOf = (crd: ValueMap): string => String(getAt(crd, ['metadata', 'name']));

function apiVersionOf(crd: ValueMap): string {
  const group = getAt(crd, ['spec', 'group']);
  const version = getAt(crd, ['spec', 'versions', 0, 'name']);
  return `${group}/${version}`;
}

async function install(api: Api, crd: ValueMap, kind: ValueMap): Promise<void> {
  const { status, body } = await api.create(withMark(crd, 'Older'));
  if (status >= 300) throw new RejectedCrd(`the older CRD: ${body.message}`);
  await untilMarked(api, kind, 'Older');
}

/** Replaces the CRD by another version of it. */
async function update(api: Api, crd: ValueMap, kind: ValueMap): Promise<void> {
  for (;;) {
    const { body: current } = await api.read({ ...CRD, metadata: { name: nameOf(crd) } });
    const { spec = null } = withMark(crd, 'Newer');
    const { status, body } = await api.replace({ ...current, spec });
    // A controller of the API server may have written the status meanwhile.
    if (status === 409) continue;
    if (status >= 300) throw new RejectedCrd(`the newer CRD: ${body.message}`);
    break;
  }
  await untilMarked(api, kind, 'Newer');
}

const COLUMNS: Path = ['spec', 'versions', 0, 'additionalPrinterColumns'];

/**
 * Returns a CRD with one more column: its name tells which version is in force. Without short names: CRDs that are there at
 * the same time may not share one.
 */
function withMark(crd: ValueMap, name: string): ValueMap {
  const columns = getAt(crd, COLUMNS);
  const mark: ValueMap = { name, type: 'string', jsonPath: '.metadata.name' };
  const spec = crd.spec as ValueMap;
  const { shortNames: _, ...names } = spec.names as ValueMap;
  const [version] = spec.versions as ValueMap[];
  const additionalPrinterColumns = [...(Array.isArray(columns) ? columns : []), mark];
  return { ...crd, spec: { ...spec, names, versions: [{ ...version, additionalPrinterColumns }] } };
}

/** Waits until the API server uses a version of a CRD. */
async function untilMarked(api: Api, kind: ValueMap, mark: string): Promise<void> {
  const instance = { ...kind, metadata: { namespace: 'default' } };
  for (let read = 0; read < READS; read += 1) {
    const isServed = await api.knows(kind);
    if (isServed && (await api.columns(instance)).includes(mark)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error(`the API server does not use the CRD of ${kind.kind}`);
}

async function create(api: Api, manifest: ValueMap): Promise<Lived> {
  const answer = await api.create(manifest);
  const rejectedBefore = rejection(answer);
  const applied = rejectedBefore === undefined ? await api.apply(manifest, { manager: APPLIER }) : answer;
  return {
    manifest,
    rejectedBefore,
    stored: answer.body,
    read: {},
    rejectedStrictly: undefined,
    rejectedAsNew: undefined,
    // A validation rule may reject every update, whatever changes.
    isUpdatedBefore: rejectedBefore === undefined && (await rejectedLabel(api, manifest)) === undefined,
    rejectedUpdate: undefined,
    // A null is dropped where an object is created. A server-side apply with one is rejected, unless there is a default.
    isAppliedBefore: rejection(applied) === undefined && !hasNull(manifest),
    rejectedApply: undefined,
  };
}

function hasNull(value: Value): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(hasNull);
  return isMap(value) && Object.values(value).some(hasNull);
}

/** Fills in what becomes of a live instance with the newer CRD. */
async function lookAgain(api: Api, lived: Lived): Promise<void> {
  const { manifest } = lived;
  const { body: read } = await api.read(manifest);
  lived.read = read;
  const fresh = withMetadata(manifest, { name: `${getAt(manifest, ['metadata', 'name'])}-new` });
  lived.rejectedStrictly = rejection(await api.create(fresh, { dryRun: true }));
  lived.rejectedAsNew = rejection(await api.create(fresh, { dryRun: true, drops: true }));
  if (lived.isUpdatedBefore) lived.rejectedUpdate = await rejectedLabel(api, manifest);
  if (lived.isAppliedBefore) {
    lived.rejectedApply = rejection(await api.apply(manifest, { manager: APPLIER, dryRun: true }));
  }
}

/** Returns why a live object is rejected with another label. */
async function rejectedLabel(api: Api, manifest: ValueMap): Promise<string | undefined> {
  const { body } = await api.read(manifest);
  return rejection(await api.replace(withMetadata(body, { labels: { changed: 'yes' } }), { dryRun: true }));
}

const withMetadata = (object: ValueMap, more: ValueMap): ValueMap => ({
  ...object,
  metadata: { ...(isMap(object.metadata) ? object.metadata : {}), ...more },
});

/** Returns why a request was rejected; undefined if it was not. */
function rejection({ status, body }: Answer): string | undefined {
  if (status < 300) return undefined;
  if (status === 400 || status === 422 || status === 500) return String(body.message ?? status);
  throw new Error(`unexpected answer ${status}: ${body.message}`);
}

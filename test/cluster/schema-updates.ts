import { crds, type ObjectSource } from '../../src/api/index.ts';
import { isBreaking } from '../../src/compare/compat/index.ts';
import type { KubeObject } from '../../src/core/model/object.ts';
import { getAt, isMap, type ValueMap } from '../../src/core/model/value.ts';
import { canonical } from '../differential/compare.ts';
import { updateBetween } from '../differential/updates.ts';
import type { Api } from './control-plane/api.ts';
import type { Programs } from './control-plane/build.ts';
import { startControlPlane } from './control-plane/start.ts';

const MANAGER = 'render-rgd-test';
/** How often an RGD is read until kro has reconciled it, and the pause between, in milliseconds. */
const READS = 240;
const PAUSE = 250;

/** What becomes of an update: refused, accepted and in the CRD, or accepted and not in the CRD. */
type Fate = 'refused' | 'written' | 'not written';

/** The versions of a field of one kind, each with what `docs/compat.md` says about the update to it. */
interface History {
  kind: string;
  first: string;
  updates: readonly (readonly [field: string, fate: Fate])[];
}

const HISTORIES: readonly History[] = [
  {
    kind: 'Enumerated',
    first: 'string',
    updates: [
      ['string | enum="a,b"', 'not written'],
      ['string | enum="a,b" description="one of two"', 'written'],
      ['string | enum="a" description="one of two"', 'refused'],
    ],
  },
  {
    kind: 'Ruled',
    first: 'string',
    updates: [
      ['string | validation="self != \\"x\\""', 'not written'],
      ['string | validation="self != \\"x\\"" default="a"', 'written'],
    ],
  },
  { kind: 'Bounded', first: 'integer', updates: [['integer | minimum=3', 'refused']] },
  {
    kind: 'Freed',
    first: 'string | enum="a,b"',
    updates: [
      ['string', 'not written'],
      ['string | default="c"', 'written'],
    ],
  },
];

/** Updates RGDs in a cluster, and compares what kro does to their CRDs with `compat`; returns what differs. */
export async function checkSchemaUpdates(programs: Programs): Promise<string[]> {
  const cluster = await startControlPlane(programs);
  const faults: string[] = [];
  try {
    await cluster.startKro();
    for (const history of HISTORIES) faults.push(...(await follow(history, cluster.api)));
  } finally {
    await cluster.stop();
  }
  return faults;
}

async function follow({ kind, first, updates }: History, api: Api): Promise<string[]> {
  const faults: string[] = [];
  let inCluster = rgdOf(kind, first);
  if (!(await applied(inCluster, api))) return [`${kind}: the first version is not accepted`];
  for (const [field, documented] of updates) {
    const next = rgdOf(kind, field);
    const isAccepted = await applied(next, api);
    const live = schemaOf(await crdOf(kind, api));
    const isWritten = live === schemaOf(generated(next));
    const fate: Fate = isAccepted ? (isWritten ? 'written' : 'not written') : 'refused';
    if (!isWritten && live !== schemaOf(generated(inCluster))) faults.push(`${kind}: the CRD has neither schema`);
    if (fate !== documented) faults.push(`${kind}, ${field}: documented as ${documented}, kro: ${fate}`);
    const expected = expectedFate(inCluster, next);
    if (fate !== expected) faults.push(`${kind}, ${field}: compat says ${expected}, kro: ${fate}`);
    if (isWritten) inCluster = next;
  }
  return faults;
}

function expectedFate(before: KubeObject, after: KubeObject): Fate | undefined {
  const update = updateBetween({ before: before as ValueMap as never, after: after as ValueMap as never });
  if (update === undefined) return undefined;
  if (update.changes.some(isBreaking)) return 'refused';
  return update.isWritten ? 'written' : 'not written';
}

const rgdOf = (kind: string, field: string): KubeObject => ({
  apiVersion: 'kro.run/v1alpha1',
  kind: 'ResourceGraphDefinition',
  metadata: { name: kind.toLowerCase() },
  spec: {
    schema: { apiVersion: 'v1alpha1', kind, spec: { field } },
    resources: [{ id: 'conf', template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' } } }],
  },
});

/** Applies an RGD, and reports whether kro accepts it. */
async function applied(rgd: KubeObject, api: Api): Promise<boolean> {
  const { status, body } = await api.apply(rgd, { manager: MANAGER });
  if (status >= 300) throw new Error(`the API server refuses the RGD: ${body.message}`);
  for (let read = 0; read < READS; read += 1) {
    const { body: live } = await api.read(rgd);
    const ready = readiness(live);
    if (ready !== undefined) return ready;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  throw new Error(`kro did not reconcile ${rgd.kind}`);
}

/** Returns whether kro accepts the newest generation of an RGD; `undefined` as long as it has not decided. */
function readiness(rgd: ValueMap): boolean | undefined {
  const generation = getAt(rgd, ['metadata', 'generation']);
  const conditions = getAt(rgd, ['status', 'conditions']);
  if (!Array.isArray(conditions)) return undefined;
  const ready = conditions.filter(isMap).find(({ type }) => type === 'Ready');
  if (ready === undefined || ready.observedGeneration !== generation || ready.status === 'Unknown') return undefined;
  return ready.status === 'True';
}

const crdName = (kind: string): string => `${kind.toLowerCase()}s.kro.run`;

async function crdOf(kind: string, api: Api): Promise<ValueMap> {
  const { body } = await api.read({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdName(kind) },
  });
  return body;
}

const generated = (rgd: KubeObject): ValueMap =>
  crds({ objects: [rgd as ObjectSource] }).objects[0] as unknown as ValueMap;

const FIELD = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', 'field'];

/** Returns the schema of the field. */
const schemaOf = (crd: ValueMap): string => canonical(getAt(crd, FIELD));

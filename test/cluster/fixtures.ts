import { type KubeObject, nameOf, namespaceOf } from '../../src/core/model/object.ts';
import { isMap, type ValueMap } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import type { Planned } from './batches.ts';
import type { ControlPlane } from './control-plane/start.ts';
import { definedKinds, groupKind } from './kinds.ts';

export const FIXTURE = 'fixture';

/** Creates the namespaces of cases, except for those that kro is to write. */
export async function namespaces({ api }: ControlPlane, cases: readonly Planned[]): Promise<void> {
  const wanted = new Set(
    cases.flatMap(({ one, written }) => [
      one.namespace,
      ...[...one.objects, ...one.observed, ...written].map(namespaceOf),
    ]),
  );
  for (const { one, written } of cases) {
    if (one.leftOut !== undefined) continue;
    for (const object of written) if (object.kind === 'Namespace') wanted.delete(nameOf(object));
  }
  for (const name of wanted) {
    if (name !== '') await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

/** Returns all objects except RGDs, CRDs and instances. */
export function fixturesOf({ objects, observed }: Planned['one']): KubeObject[] {
  const { byRgd } = definedKinds(objects);
  return [...objects, ...observed].filter(
    (object) => !isRgd(object) && object.kind !== 'CustomResourceDefinition' && !byRgd.has(groupKind(object)),
  );
}

/** Returns objects of the kinds of RGDs, in any version. */
export function instancesOf({ objects }: Planned['one']): KubeObject[] {
  const { byRgd } = definedKinds(objects);
  return objects.filter((object) => byRgd.has(groupKind(object)));
}

/** Creates an object. If an observed object is not valid, kro has to write its missing fields first. */
export async function placeFixture(cluster: ControlPlane, object: KubeObject, namespace: string): Promise<void> {
  await cluster.api.apply(placed(object, namespace), { manager: FIXTURE }).catch(() => undefined);
  await placeStatus(cluster, object, namespace);
}

/** Writes the status of an observed object, as soon as the object exists, as controllers would do. */
export async function placeStatus({ api }: ControlPlane, object: KubeObject, namespace: string): Promise<void> {
  if (object.status === undefined) return;
  const { apiVersion, kind, metadata } = placed(object, namespace);
  const { name, namespace: within } = metadata as ValueMap;
  const only = { apiVersion, kind, metadata: { name: name ?? null, namespace: within ?? null }, status: object.status };
  const there = await api.read(only).catch(() => undefined);
  if (there?.status !== 200) return;
  const answer = await api.apply(only, { manager: FIXTURE, subresource: 'status' });
  // The CRD of the kind may have no status subresource. A separate manager does not own the other fields.
  if (answer.status === 404) await api.apply(only, { manager: `${FIXTURE}-status` });
}

/** Returns an object as a user applies it, in a namespace. */
export function placed(object: KubeObject, namespace: string): KubeObject {
  const { uid, resourceVersion, generation, creationTimestamp, managedFields, ...metadata } = isMap(object.metadata)
    ? object.metadata
    : ({} as ValueMap);
  return { ...object, metadata: { ...metadata, namespace: metadata.namespace ?? namespace } };
}

/** No controller makes objects ready here, so readyWhen would never hold. */
export function withoutReadiness(rgd: KubeObject): KubeObject {
  const spec = rgd.spec;
  if (!isMap(spec) || !Array.isArray(spec.resources)) return rgd;
  const resources = spec.resources.map((node) => {
    if (!isMap(node)) return node;
    const { readyWhen, ...rest } = node;
    return rest;
  });
  return { ...rgd, spec: { ...spec, resources } };
}

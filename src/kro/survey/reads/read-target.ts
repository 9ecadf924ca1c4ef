import { type GroupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import type { Path, Value } from '../../../core/model/value.ts';
import type { CelValue } from '../../../languages/cel/index.ts';
import { type InstanceRun, nestedView, type RenderedItem, statusOf, viewOf, type World } from '../../expand/index.ts';

/** An object that expressions read: one that is rendered, or one that a reference names. */
export interface ReadTarget {
  apiVersion: string;
  kind: string;
  /** '' for none. */
  namespace: string;
  /** `undefined` as long as the name or the namespace waits itself. */
  name: string | undefined;
  /** What the package has of it, without what waits; `undefined` when it has nothing. */
  own: Value | undefined;
  /** What expressions see: `own`, with what is observed. */
  seen: CelValue | undefined;
  /** Fields that the template sets to values that wait. */
  holes: readonly Path[];
  /** It was found by reference: an observed object takes its place instead of lying under it. */
  referenced: boolean;
  /** It is an instance itself, and its status is computed here. */
  nested: InstanceRun | undefined;
}

/** The target of an object that was made. */
export function readTargetOf(rendered: RenderedItem, world: World): ReadTarget {
  if (rendered.nested !== undefined) return instanceReadTarget(rendered.nested, world);
  const { object } = rendered;
  return { ...identityIn(object), own: object, seen: viewOf(rendered, world), ...PLAIN };
}

/** The target of an instance: it is in no cluster, so what it says of itself is computed from its own nodes. */
export function instanceReadTarget(run: InstanceRun, world: World): ReadTarget {
  const own: Value = { ...run.instance, status: statusOf(run, world) };
  return { ...identityIn(run.instance), own, seen: nestedView(run, world), ...PLAIN, nested: run };
}

/** The target of an object that a reference found, wherever it was. */
export function referencedReadTarget(seen: KubeObject, gvk: GroupVersionKind, world: World): ReadTarget {
  const key = identityOf(seen);
  const instance = world.objects.instance(key);
  const observed = world.observed.find(key) !== undefined;
  // The version is the one that the reference asks for, whatever was found.
  const found = { apiVersion: apiVersionOf(gvk), seen: seen as CelValue, referenced: true };
  if (instance !== undefined) return { ...instanceReadTarget(instance, world), ...found };
  const own = world.plain.get(key) ?? world.objects.rendered(key) ?? (observed ? undefined : seen);
  return { ...identityIn(seen), own, ...PLAIN, ...found };
}

export const PLAIN = { holes: [], referenced: false, nested: undefined } as const;

export const identityIn = (object: KubeObject): Pick<ReadTarget, 'apiVersion' | 'kind' | 'namespace' | 'name'> => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  namespace: namespaceOf(object),
  name: nameOf(object),
});

/** The identity by which a live object is found; `undefined` as long as it waits. */
export const keyOf = ({
  apiVersion,
  kind,
  namespace,
  name,
}: Pick<ReadTarget, 'apiVersion' | 'kind' | 'namespace' | 'name'>): string | undefined =>
  name === undefined ? undefined : identityOf({ apiVersion, kind, metadata: { name, namespace } });

/** The opposite of splitting it: the core group is left out. */
export const apiVersionOf = ({ group, version }: GroupVersionKind): string =>
  group === '' ? version : `${group}/${version}`;

import { type GroupVersionKind, identityOf, type KubeObject, nameOf, namespaceOf } from '../../../core/model/object.ts';
import type { Path, Value } from '../../../core/model/value.ts';
import type { CelValue } from '../../../languages/cel/index.ts';
import { type InstanceRun, nestedView, type RenderedItem, statusOf, viewOf, type World } from '../../expand/index.ts';

/** An object that expressions read: a rendered one, or one that a reference names. */
export interface ReadTarget {
  apiVersion: string;
  kind: string;
  /** '' for none. */
  namespace: string;
  /** `undefined` while the name or the namespace is pending. */
  name: string | undefined;
  /** The package's part of it, without pending values; `undefined` if there is none. */
  own: Value | undefined;
  /** The object for expressions: `own`, merged with the observed state. */
  seen: CelValue | undefined;
  /** Fields whose values are pending. */
  holes: readonly Path[];
  /** It was found by reference: an observed object replaces it instead of being merged. */
  referenced: boolean;
  /** It is an instance, whose status is computed here. */
  nested: InstanceRun | undefined;
}

/** Returns the target of a rendered object. */
export function readTargetOf(rendered: RenderedItem, world: World): ReadTarget {
  if (rendered.nested !== undefined) return instanceReadTarget(rendered.nested, world);
  const { object } = rendered;
  return { ...identityIn(object), own: object, seen: viewOf(rendered, world), ...PLAIN };
}

/** Returns the target of an instance: it is not in a cluster, so its status is computed from its own nodes. */
export function instanceReadTarget(run: InstanceRun, world: World): ReadTarget {
  const own: Value = { ...run.instance, status: statusOf(run, world) };
  return { ...identityIn(run.instance), own, seen: nestedView(run, world), ...PLAIN, nested: run };
}

/** Returns the target of an object that a reference found anywhere. */
export function referencedReadTarget(seen: KubeObject, gvk: GroupVersionKind, world: World): ReadTarget {
  const key = identityOf(seen);
  const instance = world.objects.instance(key);
  const observed = world.observed.find(key) !== undefined;
  // The version is that of the reference, whatever was found.
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

/** Returns the identity by which a live object is found; `undefined` while it is pending. */
export const keyOf = ({
  apiVersion,
  kind,
  namespace,
  name,
}: Pick<ReadTarget, 'apiVersion' | 'kind' | 'namespace' | 'name'>): string | undefined =>
  name === undefined ? undefined : identityOf({ apiVersion, kind, metadata: { name, namespace } });

/** Formats an apiVersion; the core group is omitted. */
export const apiVersionOf = ({ group, version }: GroupVersionKind): string =>
  group === '' ? version : `${group}/${version}`;

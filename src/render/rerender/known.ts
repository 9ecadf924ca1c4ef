import { groupBy } from '../../core/model/group-by.ts';
import { lazily } from '../../core/model/lazily.ts';
import {
  groupKind,
  groupVersionKind,
  identityOf,
  type KubeObject,
  nameOf,
  namespaceOf,
} from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { DEFAULT_NAMESPACE, GROUP, SET } from '../../core/model/resource-set.ts';
import { get, getAt, isMap } from '../../core/model/value.ts';
import type { Outline } from '../../kubernetes/front-end/index.ts';
import { instanceId, labelValue, ownerOf } from '../../kubernetes/label/index.ts';
import type { RenderOutput } from '../pipeline.ts';

/** Returns a label of a rendered object with its origin; 'kind' stands for `kro.run/instance-kind`. */
export function originLabel(object: KubeObject, key: string): string {
  const name = key.includes('/') ? key : `kro.run/instance-${key}`;
  const value = getAt(object, ['metadata', 'labels', name]);
  return typeof value === 'string' ? value : (ownerLabel(object, key) ?? '');
}

/** Returns the same for an object of a ResourceSet, which has other labels. */
function ownerLabel(object: KubeObject, key: string): string | undefined {
  const labels = getAt(object, ['metadata', 'labels']);
  const owner = isMap(labels) ? ownerOf(labels) : undefined;
  if (owner === undefined) return undefined;
  const origin = { ...RESOURCE_SET, ...owner };
  if (key === 'id') return instanceId(origin);
  return key === 'kind' || key === 'group' || key === 'name' || key === 'namespace' ? origin[key] : undefined;
}

/** A built-in kind, which needs no definition in the input. */
const RESOURCE_SET = { group: GROUP, kind: SET };

export const originKind = (object: KubeObject): string =>
  `${originLabel(object, 'kind')}.${originLabel(object, 'group')}`;

const kindAsOrigin = (object: KubeObject): string => definedKindAsOrigin(groupVersionKind(object));

export const definedKindAsOrigin = ({ kind, group }: { kind: string; group: string }): string =>
  `${asLabel(kind)}.${asLabel(group)}`;

function idsOfInstance(instance: KubeObject, defaultNamespace: string): string[] {
  const uid = get(get(instance, 'metadata'), 'uid');
  if (typeof uid === 'string' && uid !== '') return [asLabel(uid)];
  const { group, kind } = groupVersionKind(instance);
  const name = nameOf(instance);
  const isSet = kind === RESOURCE_SET.kind && group === RESOURCE_SET.group;
  if (isSet)
    return [
      instanceId({ group, kind, namespace: namespaceOf(instance) || defaultNamespace || DEFAULT_NAMESPACE, name }),
    ];
  const namespaces = [namespaceOf(instance) || defaultNamespace, ''];
  return namespaces.map((namespace) => instanceId({ group, kind, namespace, name }));
}

const asLabel = (value: string): string => labelValue(value, () => undefined);

/** What a rendering knows of an earlier object. */
export interface Known {
  /** Returns the newly rendered object of the same identity. */
  again(object: KubeObject): KubeObject | undefined;
  /** Reports whether its instance was rendered or is pending. */
  answered(object: KubeObject): boolean;
  /** Reports whether it belongs to an instance with a pending node, or to a nested one of such a node. */
  mayBePending(object: KubeObject): boolean;
  /** Reports whether its RGD is in the input. */
  defined(object: KubeObject): boolean;
  /** Reports whether its instance is a plain object that no RGD defines. */
  orphaned(object: KubeObject): boolean;
}

/** Returns what a rendering knows. Each answer is computed from the output on demand. */
export function knownOf(output: RenderOutput, { namespace }: RenderOptions): Known {
  const rendered = output.entries.flatMap((entry) => entry.rendered);
  const again = lazily(() => new Map(rendered.map(({ object }) => [identityOf(object), object])));
  const answered = lazily(() => {
    const instances = output.entries.filter(({ role }) => role === 'instance').map(({ input }) => input.object);
    const ids = [...rendered, ...output.pending].map((one) => one.instanceId);
    return new Set([...instances.flatMap((instance) => idsOfInstance(instance, namespace)), ...ids]);
  });
  const defined = lazily(() => new Set([...output.defined, RESOURCE_SET].map(definedKindAsOrigin)));
  const mayBePending = lazily(() => createPendingTest(output));
  const orphaned = lazily(() => orphanTest(output, namespace));
  return {
    again: (object) => again().get(identityOf(object)),
    answered: (object) => answered().has(originLabel(object, 'id')),
    mayBePending: (object) => mayBePending()(object),
    defined: (object) => defined().has(originKind(object)),
    orphaned: (object) => orphaned()(object),
  };
}

function createPendingTest({ entries, pending, defined }: RenderOutput): (object: KubeObject) => boolean {
  if (pending.length === 0) return () => false;
  // While an instance has pending nodes, its other objects are unknown: a node may have been renamed.
  const ids = new Set(pending.map(({ instanceId }) => instanceId));
  const live = new Set([...ids, ...entries.flatMap(({ rendered }) => rendered.map((one) => one.instanceId))]);
  const nested = kindsOfPendingNodes(new Set(pending.map(({ node }) => node)), defined);
  return (object) => {
    const id = originLabel(object, 'id');
    return ids.has(id) || (!live.has(id) && nested.has(originKind(object)));
  };
}

function orphanTest({ entries }: RenderOutput, namespace: string): (object: KubeObject) => boolean {
  const plain = entries.filter(({ role }) => role === 'other').map(({ input }) => input.object);
  const rendered = entries.flatMap((entry) => entry.rendered.map(({ object }) => object));
  const byKind = groupBy([...plain, ...rendered], kindAsOrigin);
  return (object) => {
    const candidates = byKind.get(originKind(object)) ?? [];
    return candidates.some((one) => idsOfInstance(one, namespace).includes(originLabel(object, 'id')));
  };
}

/** Objects of nested instances name only the nearest instance, and those of a pending node are unknown. */
function kindsOfPendingNodes(ids: ReadonlySet<string>, defined: readonly Outline[]): Set<string> {
  const rendersOf = new Map(defined.map((rgd) => [groupKind(rgd), rgd.nodes.map(groupKind)]));
  const found = new Set(defined.flatMap(({ nodes }) => nodes.filter(({ id }) => ids.has(id)).map(groupKind)));
  // Iterating a Set includes items that are added meanwhile.
  for (const kind of found) for (const inner of rendersOf.get(kind) ?? []) found.add(inner);
  return new Set([...found].filter((kind) => rendersOf.has(kind)));
}

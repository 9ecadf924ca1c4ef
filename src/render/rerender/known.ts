import { groupBy } from '../../core/model/group-by.ts';
import { lazily } from '../../core/model/lazily.ts';
import { groupKind, identityOf, type KubeObject } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import type { Outline } from '../../kubernetes/front-end/index.ts';
import type { RenderOutput } from '../pipeline.ts';
import { definedKindAsOrigin, idsOfInstance, kindAsOrigin, originKind, originLabel, RESOURCE_SET } from './origin.ts';

/** What a rendering knows of an earlier object. */
export interface Known {
  /** Returns the newly rendered object of the same identity. */
  again(object: KubeObject): KubeObject | undefined;
  /** Reports whether its instance was rendered or is pending. */
  answered(object: KubeObject): boolean;
  /** Reports whether it belongs to an instance with a pending node, or to a nested one of such a node. */
  isPending(object: KubeObject): boolean;
  /** Reports whether its RGD is in the input. */
  defined(object: KubeObject): boolean;
  /** Reports whether its instance is a plain object that no RGD defines. */
  orphaned(object: KubeObject): boolean;
}

/** Each answer is computed from the output on demand. */
export function knownOf(output: RenderOutput, { namespace }: RenderOptions): Known {
  const rendered = output.entries.flatMap((entry) => entry.rendered);
  const again = lazily(() => new Map(rendered.map(({ object }) => [identityOf(object), object])));
  const answered = lazily(() => {
    const instances = output.entries.filter(({ role }) => role === 'instance').map(({ input }) => input.object);
    const ids = [...rendered, ...output.pending].map((one) => one.instanceId);
    return new Set([...instances.flatMap((instance) => idsOfInstance(instance, namespace)), ...ids]);
  });
  const defined = lazily(() => new Set([...output.defined, RESOURCE_SET].map(definedKindAsOrigin)));
  const isPending = lazily(() => createPendingTest(output));
  const orphaned = lazily(() => orphanTest(output, namespace));
  return {
    again: (object) => again().get(identityOf(object)),
    answered: (object) => answered().has(originLabel(object, 'id')),
    isPending: (object) => isPending()(object),
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

/**
 * Returns the kinds, as `Kind.group`, that nodes with these ids render if they are kinds of RGDs, and the kinds that
 * those render in turn. Objects of such nested instances name only the nearest instance, and the instances of a pending
 * node are unknown.
 */
function kindsOfPendingNodes(ids: ReadonlySet<string>, defined: readonly Outline[]): Set<string> {
  const rendersOf = new Map(defined.map((rgd) => [groupKind(rgd), rgd.nodes.map(groupKind)]));
  const found = new Set(defined.flatMap(({ nodes }) => nodes.filter(({ id }) => ids.has(id)).map(groupKind)));
  // Iterating a Set includes items that are added meanwhile.
  for (const kind of found) for (const inner of rendersOf.get(kind) ?? []) found.add(inner);
  return new Set([...found].filter((kind) => rendersOf.has(kind)));
}

import { composeText, HIDDEN, publicText, type Text } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupVersionKind, type InputObject, isKubeObject, nameOf } from '../../core/model/object.ts';
import { PROVIDER, SET } from '../../core/model/resource-set.ts';
import { counted } from '../../core/text/counted.ts';
import type { ExpandedSet } from '../../flux/index.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { groupKind } from '../../kro/definition/index.ts';
import type { Other } from '../explain/index.ts';
import type { Picture, PictureNode } from './picture.ts';

/**
 * Returns pictures of ResourceSets: the sources of inputs, and the objects by kind. An instance refers to its RGD,
 * which is in `graphs` from `first` on.
 */
export const picturesOfSets = (sets: readonly ExpandedSet[], graphs: readonly Graph[], first: number): Picture[] =>
  sets.map((set) => pictureOfSet(set, graphs, first));

function pictureOfSet(
  { input, inputs, used, missing, rendered }: ExpandedSet,
  graphs: readonly Graph[],
  first: number,
): Picture {
  const awaited = new Set(missing.map(({ name }) => name));
  const own = inputs.filter(({ index, provider }) => index !== undefined && provider === undefined).length;
  const isPermuted = inputs.some(({ index }) => index === undefined);
  const sources: PictureNode[] = [
    ...(own > 0 || (isPermuted && hasInline(input.object))
      ? [box(composeText`inputs`, own > 0 ? publicText`${counted(own, 'input set')}` : composeText`inline`)]
      : []),
    ...used.map((one): PictureNode => {
      const { object } = one;
      const outcome = awaited.has(nameOf(object)) ? 'pending' : undefined;
      return { ...box(shownNameOf(one), publicText`${PROVIDER}`), kind: 'external', outcome };
    }),
  ];
  const kinds = new Map<string, { kind: string; count: number; rgd: number }>();
  for (const { object } of rendered) {
    if (!isKubeObject(object)) continue;
    const gvk = groupVersionKind(object);
    const key = groupKind(gvk);
    const known = kinds.get(key) ?? {
      kind: gvk.kind,
      count: 0,
      rgd: graphs.findIndex((one) => groupKind(one) === key),
    };
    kinds.set(key, { ...known, count: known.count + 1 });
  }
  const groups = [...kinds.values()].map(({ kind, count, rgd }) => ({
    ...box(publicText`${kind}`, publicText`${counted(count, 'object')}`),
    chained: rgd < 0 ? undefined : first + rgd,
  }));
  const edges = sources.flatMap((_, from) => groups.map((__, to) => [from, sources.length + to] as const));
  return { name: shownNameOf(input), title: publicText`${SET}`, nodes: [...sources, ...groups], edges };
}

const hasInline = ({ spec }: ExpandedSet['input']['object']): boolean =>
  typeof spec === 'object' && spec !== null && 'inputs' in spec && Array.isArray(spec.inputs) && spec.inputs.length > 0;

const shownNameOf = ({ object, secret }: InputObject): Text =>
  secret === 'name' ? HIDDEN : publicText`${nameOf(object)}`;

/** Returns pictures of the results of other front ends: the kinds that each of their nodes renders. */
export const picturesOfOthers = (others: readonly Other[]): Picture[] =>
  others.map(({ object, outcome: { input, rendered } }) => ({
    name: shownNameOf(input),
    title: publicText`${object.kind}`,
    nodes: [...groupBy(rendered, ({ node }) => node)].map(([node, made]) =>
      box(publicText`${node}`, publicText`${[...new Set(made.map((one) => one.object.kind))].join(', ')}`),
    ),
    edges: [],
  }));

const box = (id: Text, object: Text): PictureNode => ({
  id,
  kind: 'resource',
  object,
  iterators: [],
  conditions: [],
  chained: undefined,
  outcome: undefined,
});

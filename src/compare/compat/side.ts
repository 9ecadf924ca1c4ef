/** One version of RGDs, which renders instances, and counts on request what they cover. */
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKindOf, type InputObject } from '../../core/model/object.ts';
import type { KroVersion, RenderInput, RenderOptions } from '../../core/model/render.ts';
import { type CoverageItem, createCollector } from '../../describe/coverage/index.ts';
import { type Graph, type Graphs, reachedFrom } from '../../kro/compile/index.ts';
import { isRgd } from '../../kro/definition/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type ComparedVersion, renderCompared } from '../review/index.ts';

/** What a version of RGDs renders with. */
export interface SideVersion {
  graphs: Graphs;
  kro: KroVersion;
}

export interface Side extends SideVersion {
  /** Whether it counts what instances cover. */
  measures: boolean;
  /** Renders instances of these kinds together, with the other objects of the package. */
  render(instances: readonly InputObject[], kinds: ReadonlySet<string>): ComparedVersion;
  /** Returns what the instances of these kinds covered that were rendered since the last call; nothing without measuring. */
  takeCovered(kinds: ReadonlySet<string>): readonly CoverageItem[];
}

/** Both versions. */
export type Sides = readonly [before: Side, after: Side];

/**
 * Returns a version that renders with the other objects of `beside`: those that are no RGDs, and no instances of them.
 * With `measures`, it counts what the instances cover.
 */
export function createSide(
  { graphs, kro }: SideVersion,
  beside: RenderInput,
  options: RenderOptions,
  measures: boolean,
): Side {
  const kinds = new Set(graphs.keys());
  const isOther = ({ object }: InputObject): boolean => !isRgd(object) && !kinds.has(groupKindOf(object));
  const others = objectsIn(beside.objects).filter(isOther);
  const given = objectsIn(beside.definitions ?? []).filter(isOther);
  const collector = measures ? createCollector() : undefined;
  const copies = new Map<Graph, InputObject>();
  // The result of a compilation is cached with the collector that counts its runs, so that each collector has a copy.
  const definitionOf = (graph: Graph): InputObject =>
    measures ? getOrCompute(copies, graph, () => ({ ...graph.input, object: { ...graph.input.object } })) : graph.input;
  return {
    graphs,
    kro,
    measures,
    render(instances, kindsOfInstances) {
      const reached = new Set([...kindsOfInstances].flatMap((kind) => reachedFrom(kind, graphs)));
      const definitions = [...reached].map(definitionOf);
      const package_: RenderInput = {
        ...beside,
        definitions: [...given, ...definitions],
        objects: [...others, ...instances],
      };
      const asked = { ...options, kro, comparesReleases: true, all: false };
      const compared = renderCompared(package_, asked, collector?.onExpression, FRONT_ENDS, true);
      collector?.ran(compared.version.expansion);
      return compared;
    },
    takeCovered(kindsOfInstances) {
      const reached = [...kindsOfInstances].flatMap((kind) => reachedFrom(kind, graphs));
      return collector?.takeItems(reached.map(({ name }) => name)) ?? [];
    },
  };
}

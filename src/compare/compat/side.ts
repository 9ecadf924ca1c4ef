/** One version of RGDs, which renders instances, and counts on request what they cover. */
import { groupKindOf, type InputObject } from '../../core/model/object.ts';
import type { KroVersion, RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { CoverageCollector, CoverageItem } from '../../describe/coverage/index.ts';
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

/** A version whose RGDs are compiled, and count what instances cover. */
export interface CountedVersion extends SideVersion {
  coverage: CoverageCollector;
}

export interface Side extends SideVersion {
  /** Renders instances of these kinds together, with the other objects of the package. */
  render(instances: readonly InputObject[], kinds: ReadonlySet<string>): ComparedVersion;
  /** Returns what the instances of these kinds covered that were rendered since the last call. */
  takeCovered(kinds: ReadonlySet<string>): readonly CoverageItem[];
}

/** Both versions. */
export type Sides = readonly [before: Side, after: Side];

/** Returns a version that renders with the other objects of `beside`: those that are no RGDs, and no instances of them. */
export function createSide(
  { graphs, kro, coverage }: CountedVersion,
  beside: RenderInput,
  options: RenderOptions,
): Side {
  const kinds = new Set(graphs.keys());
  const isOther = ({ object }: InputObject): boolean => !isRgd(object) && !kinds.has(groupKindOf(object));
  const others = objectsIn(beside.objects).filter(isOther);
  const given = objectsIn(beside.definitions ?? []).filter(isOther);
  const reachedBy = (some: ReadonlySet<string>): Graph[] => [...some].flatMap((kind) => reachedFrom(kind, graphs));
  return {
    graphs,
    kro,
    render(instances, kindsOfInstances) {
      const definitions = [...new Set(reachedBy(kindsOfInstances))].map(({ input }) => input);
      const package_: RenderInput = {
        ...beside,
        definitions: [...given, ...definitions],
        objects: [...others, ...instances],
      };
      const asked = { ...options, kro, comparesReleases: true, all: false };
      const compared = renderCompared(package_, asked, coverage.onExpression, FRONT_ENDS, true);
      coverage.ran(compared.version.expansion);
      return compared;
    },
    takeCovered: (kindsOfInstances) => coverage.takeItems(reachedBy(kindsOfInstances).map(({ name }) => name)),
  };
}

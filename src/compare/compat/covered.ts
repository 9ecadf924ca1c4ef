/** What the compared instances covered of both versions of an RGD. */
import { getOrCompute } from '../../core/model/lazily.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { CoverageItem } from '../../describe/coverage/index.ts';
import { type OptionalFields, optionalFields } from '../../describe/instances/index.ts';
import type { Graph } from '../../kro/compile/index.ts';

/** The nodes, conditions, sizes and arms of one version, as `test --coverage` counts them. */
export interface CoveredSide {
  reached: number;
  all: number;
  missed: readonly CoverageItem[];
}

export interface Covered {
  before: CoveredSide;
  after: CoveredSide;
  optional: OptionalFields;
}

/** The items that instances covered, of both versions. */
export type SidesCovered = readonly [before: readonly CoverageItem[], after: readonly CoverageItem[]];

export const NOT_COVERED: Covered = {
  before: { reached: 0, all: 0, missed: [] },
  after: { reached: 0, all: 0, missed: [] },
  optional: { reached: 0, all: 0, missed: [] },
};

/** The RGDs that render the instances of one RGD in each version: itself, and those of nested instances. */
export type Reached = readonly [before: readonly Graph[], after: readonly Graph[]];

/** Returns what several sets of instances covered together. */
export function coveredBy(
  graph: Graph,
  reached: Reached,
  sets: readonly SidesCovered[],
  instances: readonly InputObject[],
): Covered {
  return {
    before: joined(
      sets.map(([items]) => items),
      reached[0],
    ),
    after: joined(
      sets.map(([, items]) => items),
      reached[1],
    ),
    optional: optionalFields(graph, instances),
  };
}

function joined(sets: readonly (readonly CoverageItem[])[], graphs: readonly Graph[]): CoveredSide {
  const names = new Set(graphs.map(({ name }) => name));
  const items = new Map<string, CoverageItem>();
  for (const item of sets.flat()) {
    if (!names.has(item.rgd)) continue;
    const { measure, file, line, column, node, what } = item;
    const known = getOrCompute(items, JSON.stringify([measure, file, line, column, node, what]), () => ({
      ...item,
      hits: 0,
    }));
    known.hits += item.hits;
  }
  const all = [...items.values()];
  const missed = all.filter(({ hits }) => hits === 0);
  return { reached: all.length - missed.length, all: all.length, missed };
}

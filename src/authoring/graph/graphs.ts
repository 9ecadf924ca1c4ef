import { hasErrors, type Report } from '../../core/diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { definedKind, groupKind } from '../../kro/definition/index.ts';
import { kro } from '../../kro/front-end.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { compilePackage } from '../../render/pipeline.ts';

export interface PackageGraphs {
  own: Graph[];
  /** Those of `definitions` too. */
  all: Graphs;
  /** There are errors, and there is no graph. */
  failed: boolean;
  reports: readonly Report[];
}

/** The graphs of the RGDs of a package: those that are right, and so is every RGD whose kind they render. */
export function graphsOf(input: RenderInput, options: RenderOptions): PackageGraphs {
  const { compiled, reports } = compilePackage(input, options, FRONT_ENDS, true);
  const rgds = compiled?.of(kro);
  const kinds = rgds?.pack.rgds.map(({ object }) => definedKind(object)) ?? [];
  const all = withoutBroken(rgds?.graphs ?? new Map(), kinds);
  const own = rgds?.ownGraphs().filter((graph) => all.get(groupKind(graph)) === graph) ?? [];
  return { own, all, failed: all.size === 0 && hasErrors(reports), reports };
}

/** Leaves out the graphs that render a kind whose RGD is broken. */
function withoutBroken(graphs: Graphs, kinds: readonly string[]): Graphs {
  const left = new Map(graphs);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const broken = new Set(kinds.filter((kind) => !left.has(kind)));
    for (const [kind, { nodes }] of left) if (nodes.some(({ gvk }) => broken.has(groupKind(gvk)))) left.delete(kind);
  }
  return left;
}

import { hasErrors, type Report } from '../../core/diagnostics/index.ts';
import { groupKind } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { Graph, Graphs } from '../../kro/compile/index.ts';
import { definedKind } from '../../kro/definition/index.ts';
import { kro } from '../../kro/front-end.ts';
import { compilePackage } from '../../render/pipeline.ts';

export interface PackageGraphs {
  own: Graph[];
  /** Including those of `definitions`. */
  all: Graphs;
  /** After an error there is no graph. */
  failed: boolean;
  reports: readonly Report[];
}

/** Returns the graphs of the valid RGDs of a package that render only kinds of valid RGDs. */
export function graphsOf(input: RenderInput, options: RenderOptions): PackageGraphs {
  const { compiled, reports } = compilePackage(input, options);
  const rgds = compiled?.of(kro);
  const kinds = rgds?.pack.rgds.map(({ object }) => definedKind(object)) ?? [];
  const all = withoutBroken(rgds?.graphs ?? new Map(), kinds);
  const own = rgds?.ownGraphs().filter((graph) => all.get(groupKind(graph)) === graph) ?? [];
  return { own, all, failed: all.size === 0 && hasErrors(reports), reports };
}

/** Removes the graphs that render a kind of a broken RGD. */
function withoutBroken(graphs: Graphs, kinds: readonly string[]): Graphs {
  const left = new Map(graphs);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const broken = new Set(kinds.filter((kind) => !left.has(kind)));
    for (const [kind, { nodes }] of left) if (nodes.some(({ gvk }) => broken.has(groupKind(gvk)))) left.delete(kind);
  }
  return left;
}

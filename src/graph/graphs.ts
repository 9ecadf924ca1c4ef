import type { Report } from '../diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { compilePackage } from '../pipeline.ts';
import type { Graph, Graphs } from '../rgd/compile/index.ts';

export interface PackageGraphs {
  own: Graph[];
  /** Those of `definitions` too. */
  all: Graphs;
  /** There is an error, and so no graph. */
  failed: boolean;
  reports: readonly Report[];
}

/** The graphs of the RGDs of a package. */
export function graphsOf(input: RenderInput, options: RenderOptions): PackageGraphs {
  const { compiled, reports } = compilePackage(input, options);
  if (compiled === undefined) return { own: [], all: new Map(), failed: true, reports };
  const { pack, graphs } = compiled;
  const objects = new Set(pack.objects);
  return { own: [...graphs.values()].filter((graph) => objects.has(graph.input)), all: graphs, failed: false, reports };
}

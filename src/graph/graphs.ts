import type { Report } from '../diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { compilePackage } from '../pipeline.ts';
import type { Graph, Graphs } from '../rgd/compile/index.ts';

/** The graphs of the RGDs of a package; those of `definitions` are among `all` only. None when there is an error. */
export function graphsOf(input: RenderInput, options: RenderOptions): { own: Graph[]; all: Graphs; reports: Report[] } {
  const reports: Report[] = [];
  const compiled = compilePackage(input, options, reports);
  if (compiled === undefined) return { own: [], all: new Map(), reports };
  const { pack, graphs } = compiled;
  const objects = new Set(pack.objects);
  return { own: [...graphs.values()].filter((graph) => objects.has(graph.input)), all: graphs, reports };
}

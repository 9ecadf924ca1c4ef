/** What RGDs offer to those who write instances: samples, JSON Schemas, a reference. */
import type { Report } from '../diagnostics/index.ts';
import { graphsOf } from '../graph/index.ts';
import { instanceJsonSchema } from '../jsonschema/index.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import type { ValueMap } from '../model/value.ts';
import { objectsIn } from '../parse/index.ts';
import { referencePage } from '../reference/index.ts';
import { isResourceSet } from '../resourceset/index.ts';
import type { Graph } from '../rgd/compile/index.ts';
import { type Sample, sampleInstance } from '../sample/index.ts';
import { didYouMean } from '../text/nearest.ts';

/** With an error among the reports there is neither an offer nor a fault. */
export interface Offered<Offer> {
  offer?: Offer;
  /** Why there is none of what was asked for. */
  fault?: string;
  reports: readonly Report[];
}

/** A sample instance of a kind, `Kind` or `Kind.group`. Pure, as all verbs here. */
export const samplePackage = (input: RenderInput, kind: string, options: RenderOptions): Offered<Sample> =>
  ofKind(input, kind, options, (graph) => sampleInstance(graph, options));

/** The JSON Schema of the instances of a kind, `Kind` or `Kind.group`. */
export const schemaOfPackage = (input: RenderInput, kind: string, options: RenderOptions): Offered<ValueMap> =>
  ofKind(input, kind, options, instanceJsonSchema);

/** A Markdown page about the RGDs. */
export function documentPackage(input: RenderInput, options: RenderOptions): Offered<string> {
  const { graphs, reports } = graphsIn(input, options);
  if (graphs === undefined) return { reports };
  return graphs.length === 0
    ? { fault: `there is no RGD${aboutSets(input)}`, reports }
    : { offer: referencePage(graphs), reports };
}

function ofKind<Offer>(
  input: RenderInput,
  kind: string,
  options: RenderOptions,
  make: (graph: Graph) => Offer,
): Offered<Offer> {
  const { graphs, reports } = graphsIn(input, options);
  if (graphs === undefined) return { reports };
  const found = graphs.filter((one) => one.kind === kind || `${one.kind}.${one.group}` === kind);
  const [graph] = found;
  if (graph === undefined) {
    const kinds = graphs.map((one) => one.kind);
    const hint =
      didYouMean(kind, kinds) ??
      (kinds.length === 0 ? `there is no RGD${aboutSets(input)}` : `there is ${kinds.join(', ')}`);
    return { fault: `no RGD defines ${kind}; ${hint}`, reports };
  }
  if (found.length > 1) {
    const names = found.map((one) => `${one.kind}.${one.group}`);
    return { fault: `several RGDs define ${kind}: write ${names.join(' or ')}`, reports };
  }
  return { offer: make(graph), reports };
}

/** Who looks for what a ResourceSet offers is told that it is nothing. */
export const aboutSets = ({ objects }: RenderInput): string =>
  objectsIn(objects).some(({ object }) => isResourceSet(object))
    ? ', and a ResourceSet defines no kind: its inputs have no schema'
    : '';

/** The RGDs of the package, or else those of `definitions`; none when there is an error. */
function graphsIn(input: RenderInput, options: RenderOptions): { graphs?: Graph[]; reports: readonly Report[] } {
  const { own, all, reports, failed } = graphsOf(input, options);
  if (failed) return { reports };
  return { graphs: own.length > 0 ? own : [...all.values()], reports };
}

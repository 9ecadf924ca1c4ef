/** Samples, JSON Schemas and reference pages of RGDs. */
import { composeText, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupKind } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { ValueMap } from '../../core/model/value.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import { isResourceSet } from '../../flux/index.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { graphsOf, mermaidText, picturesOf } from '../graph/index.ts';
import { editorJsonSchema, editorSchemas } from '../jsonschema/index.ts';
import { referencePage } from '../reference/index.ts';
import { type Extent, type Sample, sampleInstance } from '../sample/index.ts';

/** After an error in the reports there is neither an offer nor a fault. */
export interface Offered<Offer> {
  offer?: Offer;
  /** Why the requested output does not exist. */
  fault?: Text;
  reports: readonly Report[];
}

/** Returns a sample instance of a kind, `Kind` or `Kind.group`. Pure, as all functions here. */
export const samplePackage = (
  input: RenderInput,
  kind: string,
  options: RenderOptions,
  extent: Extent = 'commented',
): Offered<Sample> => ofKind(input, kind, options, (graph) => sampleInstance(graph, options, extent));

export const schemaOfPackage = (input: RenderInput, kind: string, options: RenderOptions): Offered<ValueMap> =>
  ofKind(input, kind, options, (graph) => editorJsonSchema(graph, options));

export function schemasOfPackage(input: RenderInput, options: RenderOptions): Offered<ReadonlyMap<string, ValueMap>> {
  return ofAll(input, options, (graphs) => editorSchemas(graphs, options));
}

/** Returns a Markdown page about the RGDs; `level` is that of its headings. */
export function documentPackage(input: RenderInput, options: RenderOptions, level = 1): Offered<string> {
  return ofAll(input, options, (graphs) => {
    const byKind = new Map(graphs.map((graph) => [groupKind(graph), graph]));
    const graphOf = (graph: Graph): string => mermaidText(picturesOf([graph], byKind));
    const sampleOf = (graph: Graph): string => sampleInstance(graph, options, 'minimal').text.replace(/^##.*\n/, '');
    return referencePage(graphs, { graphOf, sampleOf, level });
  });
}

function ofAll<Offer>(input: RenderInput, options: RenderOptions, make: (graphs: Graph[]) => Offer): Offered<Offer> {
  const { graphs, reports } = graphsIn(input, options);
  if (graphs === undefined) return { reports };
  return graphs.length === 0
    ? { fault: composeText`there is no RGD${aboutSets(input)}`, reports }
    : { offer: make(graphs), reports };
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
    const there = kinds.length === 0 ? `there is no RGD${aboutSets(input)}` : `there is ${kinds.join(', ')}`;
    const hint = trusted.definition(didYouMean(kind, kinds) ?? there);
    return { fault: composeText`no RGD defines ${trusted.argument(kind)}; ${hint}`, reports };
  }
  if (found.length > 1) {
    const names = trusted.definition(found.map((one) => `${one.kind}.${one.group}`).join(' or '));
    return { fault: composeText`several RGDs define ${trusted.argument(kind)}: write ${names}`, reports };
  }
  return { offer: make(graph), reports };
}

/** Reports that ResourceSets have no such output. */
export const aboutSets = ({ objects }: RenderInput): Text =>
  objectsIn(objects).some(({ object }) => isResourceSet(object))
    ? composeText`, and a ResourceSet defines no kind: its inputs have no schema`
    : composeText``;

/** Returns the valid RGDs of the package, or else those of `definitions`; none after errors only. */
function graphsIn(input: RenderInput, options: RenderOptions): { graphs?: Graph[]; reports: readonly Report[] } {
  const { own, all, reports, failed } = graphsOf(input, options);
  if (failed) return { reports };
  return { graphs: own.length > 0 ? own : [...all.values()], reports };
}

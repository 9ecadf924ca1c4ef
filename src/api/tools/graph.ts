import { type Diagnostic, hasErrors } from '../../diagnostics/index.ts';
import { dotText, drawPackage, mermaidText, type Picture, svgText } from '../../graph/index.ts';
import { toDiagnostics } from '../../locate/index.ts';
import { visible } from '../../text/visible.ts';
import { readRenderInput } from '../package.ts';
import type { RenderInput, RenderOptions } from '../types.ts';
import { textIn, withFault } from './read.ts';

export interface GraphOptions extends RenderOptions {
  /**
   * The names of the RGDs to draw.
   * @default all of `objects`, or else all of `definitions`
   */
  readonly rgds?: readonly string[] | undefined;
  /**
   * The instance whose nodes are told by what became of them, `KIND/NAME` or `KIND/NAMESPACE/NAME`, in place of RGDs.
   * What waits is told in the picture and is no error.
   */
  readonly instance?: string | undefined;
}

export interface GraphResult {
  /** One for each RGD; empty when there is an error among the diagnostics. */
  readonly pictures: readonly Picture[];
  /** `not-found` (an error) when there is nothing of what was asked for. */
  readonly diagnostics: Diagnostic[];
}

/**
 * The graphs of RGDs: nodes, and which reads which. `formatGraph` draws them.
 * @throws TypeError as `render` does, and for `rgds` together with `instance`
 */
export function graph(input: RenderInput, { rgds = [], instance, ...others }: GraphOptions = {}): GraphResult {
  if (!Array.isArray(rgds) || !rgds.every((name) => typeof name === 'string')) {
    throw new TypeError('rgds must be a list of names');
  }
  if (instance !== undefined && rgds.length > 0) throw new TypeError('graph takes rgds or instance');
  const subject = { rgds, instance: instance === undefined ? '' : textIn(instance, 'instance') };
  const { input: pack, options, reports } = readRenderInput(input, others);
  if (hasErrors(reports)) return { pictures: [], diagnostics: toDiagnostics(reports) };
  const drawn = drawPackage(pack, options, subject);
  const all = withFault(drawn.fault, [...reports, ...drawn.reports]);
  return { pictures: hasErrors(all) ? [] : drawn.pictures, diagnostics: toDiagnostics(all) };
}

const FORMATS = { mermaid: mermaidText, dot: dotText, svg: svgText };

/**
 * Pictures as text: `mermaid`, `dot` of Graphviz, or `svg`, which needs nothing else and is drawn for light and dark pages.
 * @throws TypeError for another format
 */
export function formatGraph(pictures: readonly Picture[], format: 'mermaid' | 'dot' | 'svg' = 'mermaid'): string {
  if (!Object.hasOwn(FORMATS, format)) throw new TypeError(`no format of graphs: ${String(format)}`);
  return visible(FORMATS[format](pictures));
}

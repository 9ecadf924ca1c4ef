import {
  type DrawOptions,
  dotText,
  drawPackage,
  mermaidText,
  type Picture,
  svgText,
} from '../../authoring/graph/index.ts';
import { type Diagnostic, hasErrors } from '../../core/diagnostics/index.ts';
import { visible } from '../../core/text/visible.ts';
import { toDiagnostics } from '../../yaml/locate/index.ts';
import { objectIn } from '../arguments.ts';
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
   * An instance to draw instead of RGDs, with the states of its nodes: `KIND/NAME` or `KIND/NAMESPACE/NAME`. Pending
   * nodes are drawn and are not errors.
   */
  readonly instance?: string | undefined;
}

export interface GraphResult {
  /** One picture for each RGD without errors; with `instance`, empty if one of the diagnostics is an error. */
  readonly pictures: readonly Picture[];
  /** `not-found` (an error) if the requested objects do not exist. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Returns the graphs of RGDs: nodes and their dependencies. `formatGraph` draws them.
 * @throws TypeError as `render` does, and for `rgds` together with `instance`
 */
export function graph(input: RenderInput, given: GraphOptions = {}): GraphResult {
  const { rgds = [], instance, ...others } = objectIn(given, 'options');
  if (!Array.isArray(rgds) || !rgds.every((name) => typeof name === 'string')) {
    throw new TypeError('rgds must be a list of names');
  }
  if (instance !== undefined && rgds.length > 0) throw new TypeError('graph takes rgds or instance');
  const subject = { rgds, instance: instance === undefined ? '' : textIn(instance, 'instance') };
  const { input: pack, options, reports } = readRenderInput(input, others);
  if (hasErrors(reports)) return { pictures: [], diagnostics: toDiagnostics(reports) };
  const drawn = drawPackage(pack, options, subject);
  const all = withFault(drawn.fault, [...reports, ...drawn.reports]);
  return { pictures: instance !== undefined && hasErrors(all) ? [] : drawn.pictures, diagnostics: toDiagnostics(all) };
}

export type { DrawOptions };

const FORMATS = { mermaid: mermaidText, dot: dotText, svg: svgText };

/**
 * Formats pictures as text: `mermaid`, `dot` of Graphviz, or `svg`, which is self-contained and has colours for light
 * and dark pages.
 * @throws TypeError for another format
 */
export function formatGraph(
  pictures: readonly Picture[],
  format: 'mermaid' | 'dot' | 'svg' = 'mermaid',
  options: DrawOptions = {},
): string {
  if (!Object.hasOwn(FORMATS, format)) throw new TypeError(`no format of graphs: ${String(format)}`);
  return visible(FORMATS[format](pictures, options));
}

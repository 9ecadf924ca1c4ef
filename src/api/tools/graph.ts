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
import { formatIn, objectIn, textIn } from '../arguments.ts';
import { askPackage } from '../package.ts';
import type { RenderInput, RenderOptions } from '../types.ts';

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
  const { answer, reports } = askPackage(input, others, (pack, options) => drawPackage(pack, options, subject));
  const isShown = instance === undefined || !hasErrors(reports);
  return { pictures: (isShown && answer?.pictures) || [], diagnostics: toDiagnostics(reports) };
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
  return visible(formatIn(FORMATS, format, 'graphs')(pictures, options));
}

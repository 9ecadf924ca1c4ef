import type { Collector } from '../../core/diagnostics/index.ts';
import { counted } from '../../core/text/counted.ts';
import type { Examined } from './examined.ts';
import { layersOf } from './layers.ts';
import { reportOrder } from './order.ts';
import { reportUnreached } from './unreached.ts';
import { reportUnrendered } from './unrendered.ts';

export { groupSimilar } from './group.ts';

/**
 * Finds what runners do not report: RGDs and instances that were not rendered, and kustomizations whose changes miss
 * the rendering. Returns a line that summarizes the input.
 */
export function examine(examined: Examined, reports: Collector): string {
  const layers = layersOf(examined.streams, examined.objects);
  if (layers.length > 0) {
    // The input of a kustomization is not rendered yet; its output can be checked separately.
    reportOrder(layers, examined, reports);
    reportUnreached(layers, examined, reports);
    const render = 'kustomize build --enable-alpha-plugins --enable-exec LAYER | render-rgd doctor -';
    return `${counted(layers.length, 'kustomization')} checked; to check their output, run\n  ${render}\n`;
  }
  const { all, rendered } = reportUnrendered(examined, reports);
  return `${counted(all, 'object')} checked, ${rendered} of them rendered by render-rgd\n`;
}

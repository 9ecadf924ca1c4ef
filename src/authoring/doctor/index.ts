import type { Collector } from '../../core/diagnostics/index.ts';
import { counted } from '../../core/text/counted.ts';
import type { Examined } from './examined.ts';
import { layersOf } from './layers.ts';
import { reportOrder } from './order.ts';
import { reportUnreached } from './unreached.ts';
import { reportUnrendered } from './unrendered.ts';

export { groupAlike } from './group.ts';

/**
 * Looks for what no runner tells: RGDs and instances that nobody rendered, and kustomizations whose changes miss the
 * rendering. Yields a line that says what was looked at.
 */
export function examine(examined: Examined, reports: Collector): string {
  const layers = layersOf(examined.streams, examined.objects);
  if (layers.length > 0) {
    // What a kustomization reads is not rendered yet; what comes out of it is for another look.
    reportOrder(layers, examined, reports);
    reportUnreached(layers, examined, reports);
    const render = 'kustomize build --enable-alpha-plugins --enable-exec LAYER | render-rgd doctor -';
    return `${counted(layers.length, 'kustomization')} checked; to check their output, run\n  ${render}\n`;
  }
  const { all, rendered } = reportUnrendered(examined, reports);
  return `${counted(all, 'object')} checked, ${rendered} of them rendered by render-rgd\n`;
}

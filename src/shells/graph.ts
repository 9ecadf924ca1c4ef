import { onlyAt } from '../address/index.ts';
import { hasErrors, type Report } from '../diagnostics/index.ts';
import {
  dotText,
  graphsOf,
  mermaidText,
  type Picture,
  picturesOf,
  picturesOfInstance,
  svgText,
} from '../graph/index.ts';
import type { RenderInput } from '../model/render.ts';
import type { Settings } from '../options/index.ts';
import { renderWithExpansion } from '../pipeline.ts';
import { withoutEarlier } from '../rerender/index.ts';
import { visible } from '../text/visible.ts';
import { concludeWith } from './conclude.ts';
import { gather, refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';

/** `render-rgd graph PATH... [options]` */
export async function graphCommand(args: readonly string[], io: Io): Promise<number> {
  const gathered = await gather('graph', args, io, 'graph');
  if (typeof gathered === 'number') return gathered;
  const { settings, input, reports } = gathered;
  if (settings.instance !== '' && settings.rgd.length > 0) return refuse('graph takes --instance or --rgd', io);
  if (hasErrors(reports)) return concludeWith(() => [], reports, settings, io);
  const drawn = settings.instance === '' ? ofPackage(input, settings) : ofInstance(input, settings);
  const all = [...reports, ...drawn.reports];
  if (drawn.fault !== undefined && !hasErrors(all)) {
    io.stderr(visible(`render-rgd: graph: ${drawn.fault}\n`));
    return exitCode.input;
  }
  const write = (): string[] => {
    if (settings.output === 'svg') return [visible(svgText(drawn.pictures))];
    return [visible(settings.output === 'dot' ? dotText(drawn.pictures) : mermaidText(drawn.pictures))];
  };
  return concludeWith(write, all, settings, io);
}

interface Drawn {
  pictures: readonly Picture[];
  reports: readonly Report[];
  fault?: string;
}

/** The RGDs of the package, or else those of --definitions. */
function ofPackage(input: RenderInput, settings: Settings): Drawn {
  const { own, all, reports } = graphsOf(input, settings);
  const graphs = own.length > 0 ? own : [...all.values()];
  const names = settings.rgd;
  const shown = names.length === 0 ? graphs : [...all.values()].filter(({ name }) => names.includes(name));
  const pictures = picturesOf(shown, all);
  const missing = names.find((name) => !shown.some((graph) => graph.name === name));
  if (missing !== undefined) {
    const there = [...all.values()].map(({ name }) => name).join(', ');
    return { pictures, reports, fault: `there is no RGD ${missing}${there === '' ? '' : `; there is ${there}`}` };
  }
  return shown.length === 0 ? { pictures, reports, fault: 'there is no RGD to draw' } : { pictures, reports };
}

/** What waits is coloured, and so is no error here. */
function ofInstance(input: RenderInput, settings: Settings): Drawn {
  const { expansion, graphs, reports } = renderWithExpansion(withoutEarlier(input), { ...settings, onPending: 'skip' });
  if (expansion === undefined || graphs === undefined) return { pictures: [], reports };
  const found = onlyAt(expansion.runs, ({ instance }) => instance, settings.instance, 'instance');
  if ('fault' in found) return { pictures: [], reports, fault: found.fault };
  const isAboutWaiting = ({ code }: Report): boolean =>
    code === 'pending-value' || code === 'pending-reader' || code === 'pending-reference';
  return { pictures: picturesOfInstance(found.found, graphs), reports: reports.filter((one) => !isAboutWaiting(one)) };
}

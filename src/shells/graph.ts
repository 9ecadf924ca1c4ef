import { hasErrors } from '../diagnostics/index.ts';
import { dotText, drawPackage, mermaidText, type Picture, svgText } from '../graph/index.ts';
import type { Settings } from '../options/index.ts';
import { visible } from '../text/visible.ts';
import { concludeWith } from './conclude.ts';
import { gather, refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';

/** `render-rgd graph PATH... [options]` */
export async function graphCommand(args: readonly string[], io: Io): Promise<number> {
  const gathered = await gather('graph', args, io, 'graph');
  if (typeof gathered === 'number') return gathered;
  const { settings, input, reports } = gathered;
  const { rgd: rgds, instance } = settings;
  if (instance !== '' && rgds.length > 0) return refuse('graph takes --instance or --rgd', io);
  if (reports.hasErrors) return concludeWith(() => [], reports.all, settings, io);
  const drawn = drawPackage(input, settings, { rgds, instance });
  const all = [...reports, ...drawn.reports];
  if (drawn.fault !== undefined && !hasErrors(all)) {
    io.stderr(visible(`render-rgd: graph: ${drawn.fault}\n`));
    return exitCode.input;
  }
  return concludeWith(() => [visible(textOf(drawn.pictures, settings))], all, settings, io);
}

function textOf(pictures: readonly Picture[], { output }: Settings): string {
  if (output === 'svg') return svgText(pictures);
  return output === 'dot' ? dotText(pictures) : mermaidText(pictures);
}

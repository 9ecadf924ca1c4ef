import { hasErrors } from '../diagnostics/index.ts';
import { aboutSets } from '../offers/index.ts';
import { crdsOf } from '../pipeline.ts';
import { conclude } from './conclude.ts';
import { gather } from './gather.ts';
import type { Io } from './io.ts';

/** `render-rgd crd PATH... [options]` */
export async function crdCommand(args: readonly string[], io: Io): Promise<number> {
  const gathered = await gather('crd', args, io, 'crd');
  if (typeof gathered === 'number') return gathered;
  const { settings, input, reports } = gathered;
  if (reports.hasErrors) return conclude([], reports.all, settings, io);
  const generated = crdsOf(input, settings);
  const all = [...reports, ...generated.reports];
  const isNothing = generated.crds.length === 0 && !hasErrors(all) && !settings.quiet;
  const about = isNothing ? aboutSets(input) : '';
  if (about !== '') io.stderr(`render-rgd: crd: there is no RGD${about}\n`);
  return conclude(generated.crds, all, settings, io);
}

import { isError } from '../diagnostics/index.ts';
import { renderOverEarlier } from '../rerender/index.ts';
import { objectsToPrint } from '../select/index.ts';
import { conclude } from './conclude.ts';
import { gather } from './gather.ts';
import type { Io } from './io.ts';

/** `render-rgd render PATH... [options]` */
export async function renderCommand(args: readonly string[], io: Io): Promise<number> {
  const gathered = await gather('render', args, io);
  if (typeof gathered === 'number') return gathered;
  const { settings, input, reports } = gathered;
  if (reports.some(isError)) return conclude([], reports, settings, io);
  const output = renderOverEarlier(input, settings);
  const { objects, leftOut } = objectsToPrint(output, settings.all);
  const all = [...reports, ...output.reports];
  if (leftOut > 0) {
    const message = `${leftOut} object${leftOut === 1 ? ' was' : 's were'} left out; --all prints them`;
    all.push({ code: 'left-out', message, path: [], severity: 'info' });
  }
  if (objects.length === 0 && !settings.allowEmpty && !all.some(isError)) {
    const hint = leftOut > 0 ? '--all prints what is not rendered' : 'add an instance and its RGD';
    all.push({ code: 'empty-output', message: 'nothing is printed', path: [], severity: 'warning', hint });
  }
  return conclude(objects, all, settings, io);
}

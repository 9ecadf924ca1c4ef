import { surveyPackage } from '../pipeline.ts';
import { withoutEarlier } from '../rerender/index.ts';
import { awaitedText, awaitedValues, kubectlCommands } from '../survey/index.ts';
import { concludeWith } from './conclude.ts';
import { gather } from './gather.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';

/** `render-rgd pending PATH... [options]` */
export async function pendingCommand(args: readonly string[], io: Io): Promise<number> {
  const gathered = await gather('pending', args, io, 'pending');
  if (typeof gathered === 'number') return gathered;
  const { settings, input, reports } = gathered;
  const surveyed = reports.hasErrors ? { reports: [] } : surveyPackage(withoutEarlier(input), settings);
  const values = surveyed.survey === undefined ? [] : awaitedValues(surveyed.survey);
  const write = (): Output => {
    if (settings.kubectl) return [kubectlCommands(values)];
    return [settings.output === 'json' ? `${JSON.stringify(values, null, 2)}\n` : awaitedText(values, io.columns())];
  };
  return concludeWith(write, [...reports, ...surveyed.reports], settings, io);
}

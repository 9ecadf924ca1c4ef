import { existsSync } from 'node:fs';
import type { InputObject, KubeObject } from '../model/object.ts';
import { readStreams } from '../parse/index.ts';
import { surveyPackage } from '../pipeline.ts';
import { withoutEarlier } from '../rerender/index.ts';
import { liveObjects, observedObjects, withLive } from '../survey/index.ts';
import { visible } from '../text/visible.ts';
import { concludeWith } from './conclude.ts';
import { readFiles } from './files.ts';
import { type Gathered, gather, refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';
import { objectsOutput } from './output.ts';
import { replaceFault, replaceFile } from './replace.ts';

/** `render-rgd observe PATH... --from PATH [options]` */
export async function observeCommand(args: readonly string[], io: Io): Promise<number> {
  const gathered = await gather('observe', args, io, 'observe');
  if (typeof gathered === 'number') return gathered;
  const { settings } = gathered;
  if (settings.from.length === 0) return refuse('observe needs --from PATH; - reads standard input', io);
  const unfit = settings.write === '' ? undefined : replaceFault(settings.write);
  if (unfit !== undefined) return failed(unfit, io);
  const { reports } = gathered;
  const objects = observe(gathered);
  const write = () => objectsOutput(objects, settings.output);
  if (settings.write === '') return concludeWith(write, reports.all, settings, io);
  const code = concludeWith(() => [], reports.all, settings, io);
  if (code !== exitCode.ok) return code;
  const fault = replaceFile(settings.write, write());
  return fault === undefined ? code : failed(fault, io);
}

function failed(fault: string, io: Io): number {
  io.stderr(visible(`render-rgd: ${fault}\n`));
  return exitCode.input;
}

function observe({ settings, input, readOptions, reports }: Gathered): KubeObject[] {
  const read = (paths: readonly string[]): InputObject[] =>
    liveObjects(readStreams(readFiles(paths, readOptions, reports), reports), reports);
  const live = read(settings.from);
  const earlier = settings.write !== '' && existsSync(settings.write) ? read([settings.write]) : [];
  if (reports.hasErrors) return [];
  const surveyed = surveyPackage(withoutEarlier(withLive(input, { live, earlier }, reports)), settings);
  reports.addAll(surveyed.reports);
  if (surveyed.survey === undefined) return [];
  return observedObjects(surveyed.survey, { live, earlier }, settings.allowSecrets, reports);
}

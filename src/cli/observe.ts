import { existsSync } from 'node:fs';
import type { InputObject, KubeObject } from '../core/model/object.ts';
import { allowSecrets, flag, list, text } from '../render/options/index.ts';
import { surveyPackage } from '../render/pipeline.ts';
import { withoutEarlier } from '../render/rerender/index.ts';
import { awaitedText, kubectlCommands, liveObjects, observedObjects, withLive } from '../render/survey/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, forPackages, type Invocation } from './command.ts';
import { conclude, refuse } from './conclude.ts';
import { readFiles } from './files.ts';
import { type Gathered, gather } from './gather.ts';
import { objectFormat, objectsOutput, printedAs } from './output.ts';
import { readRegularFile } from './regular-file.ts';
import { replaceFault, replaceFile } from './write/index.ts';

const own = {
  from: list('PATH', 'Read live objects from this path, as printed by kubectl get -o yaml or -o json.'),
  write: text('FILE', 'Update this file instead of printing. Objects that are still read are kept.'),
  output: objectFormat,
  allowSecrets,
};

export const observe = defineCommand({
  group: 'Render',
  usage: 'PATH... --from PATH [options]',
  summary: 'Print the parts of live objects that the package reads, for --observed; - reads standard input.',
  own,
  ...forPackages,
  run: async (invocation) => {
    const { settings } = invocation;
    if (settings.from.length === 0) return refuse('observe needs --from PATH; - reads standard input', invocation);
    const unfit = settings.write === '' ? [] : replaceFault(settings.write);
    if (unfit.length > 0) return conclude(invocation, unfit);
    const before = settings.write !== '' && existsSync(settings.write) ? readRegularFile(settings.write) : undefined;
    const expects = (content?: Uint8Array): boolean =>
      content === undefined ? before === undefined : before?.equals(content) === true;
    const gathered = await gather(invocation, { others: settings.from });
    const objects = readLive(settings, gathered);
    const { reports } = gathered;
    const write = () => objectsOutput(objects, settings.output);
    if (settings.write === '') return conclude(invocation, reports.all, write);
    if (!reports.hasErrors) reports.addAll(replaceFile(settings.write, write(), { expects }));
    return conclude(invocation, reports.all);
  },
});

function readLive(
  settings: Invocation<typeof own>['settings'],
  { input, readOptions, reports }: Gathered,
): KubeObject[] {
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

export const pending = defineCommand({
  group: 'Render',
  usage: 'PATH... [options]',
  summary: 'List the values that only live objects have: which node needs which field of which object.',
  own: {
    output: printedAs(['text', 'yaml', 'json'], 'Print a table, YAML, or JSON.'),
    kubectl: flag('Print the commands that fetch the pending values instead of a table.'),
  },
  ...forPackages,
  run: async (invocation) => {
    const { settings, io } = invocation;
    const { input, reports } = await gather(invocation);
    const surveyed = reports.hasErrors ? { reports: [] } : surveyPackage(withoutEarlier(input), settings);
    const values = surveyed.survey?.flatMap((one) => one.pending()) ?? [];
    return conclude(invocation, [...reports, ...surveyed.reports], () => {
      if (settings.kubectl) return [kubectlCommands(values)];
      return [settings.output === 'json' ? `${JSON.stringify(values, null, 2)}\n` : awaitedText(values, io.columns())];
    });
  },
});

import { existsSync } from 'node:fs';
import { planMigration, planText, TOOLS } from '../author/migrate/index.ts';
import type { InputObject, KubeObject } from '../core/model/object.ts';
import { visible } from '../core/text/visible.ts';
import { shellWord } from '../kubernetes/kubectl/index.ts';
import { allowSecrets, choice, flag, list, sharedOptions, text } from '../render/options/index.ts';
import { surveyPackage } from '../render/pipeline.ts';
import { withoutEarlier } from '../render/rerender/index.ts';
import { awaitedText, kubectlCommands, liveObjects, observedObjects, withLive } from '../render/survey/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, forPackages, type Invocation } from './command.ts';
import { readRegularFile } from './file-system.ts';
import { type Gathered, gather, readFiles } from './files.ts';
import { conclude, objectFormat, objectsOutput, printedAs, refuse } from './output.ts';
import { replaceFault, replaceFile } from './write/index.ts';

const own = {
  from: list('PATH', 'Read live objects from this path, as printed by kubectl get -o yaml or -o json.'),
  write: text('FILE', 'Update this file instead of printing. Objects that are still read are kept.'),
  output: objectFormat,
  allowSecrets,
};

export const observe = defineCommand({
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

export const migrate = defineCommand({
  own: {
    from: list('PATH', 'The live instances and their objects, as printed by kubectl get -o yaml or -o json.'),
    tool: choice(TOOLS, 'What applies the rendered objects.'),
    back: flag('Print the steps from rendered objects to a kro controller.'),
    output: printedAs(['text', 'json'], 'Print Markdown, or the steps as JSON.'),
  },
  shared: sharedOptions,
  needs: [1, 'a PATH; - reads standard input'],
  run: async (invocation) => {
    const { settings, paths } = invocation;
    if (settings.from.length === 0) return refuse('migrate needs --from LIVE; - reads standard input', invocation);
    const { input, reports, readOptions } = await gather(invocation, { others: settings.from });
    const live = liveObjects(readStreams(readFiles(settings.from, readOptions, reports), reports), reports);
    if (reports.hasErrors) return conclude(invocation, reports.all);
    const shown = commandsFor(paths, settings);
    const { steps, reports: found } = planMigration(input, live, settings, { ...settings, ...shown });
    return conclude(invocation, [...reports, ...found], () => [
      settings.output === 'json' ? `${JSON.stringify(steps, null, 2)}\n` : visible(planText(steps)),
    ]);
  },
});

function commandsFor(
  paths: readonly string[],
  settings: Pick<Invocation['settings'], 'definitions' | 'observed' | 'namespace'> & { from: readonly string[] },
): Pick<Parameters<typeof planMigration>[3], 'render' | 'observe' | 'files'> {
  const { definitions, observed, namespace, from } = settings;
  const option = (name: string, values: readonly string[]): string =>
    values.map((value) => ` ${name} ${shellWord(value)}`).join('');
  const files = paths.map((path) => ` ${shellWord(path)}`).join('');
  const common = `${files}${option('--definitions', definitions)}${option('--namespace', namespace === '' ? [] : [namespace])}`;
  const kept = (needsObserved: boolean) => (needsObserved && observed.length === 0 ? ['observed.yaml'] : observed);
  return {
    render: (needsObserved) => `render-rgd render${common}${option('--observed', kept(needsObserved))}`,
    observe: observed.length > 0 ? '' : `render-rgd observe${common}${option('--from', from)} --write observed.yaml`,
    files: option('-f', [...paths, ...definitions]),
  };
}

import { flag } from '../render/options/index.ts';
import { surveyPackage } from '../render/pipeline.ts';
import { withoutEarlier } from '../render/rerender/index.ts';
import { awaitedText, kubectlCommands } from '../render/survey/index.ts';
import { defineCommand, forPackages } from './command.ts';
import { conclude } from './conclude.ts';
import { gather } from './gather.ts';
import { printedAs } from './output.ts';

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

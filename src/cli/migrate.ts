import { planMigration, planText, TOOLS } from '../authoring/migrate/index.ts';
import { visible } from '../core/text/visible.ts';
import { shellWord } from '../kubernetes/kubectl/index.ts';
import { choice, flag, list, sharedOptions } from '../render/options/index.ts';
import { liveObjects } from '../render/survey/index.ts';
import { readStreams } from '../yaml/parse/index.ts';
import { defineCommand, type Invocation } from './command.ts';
import { conclude, refuse } from './conclude.ts';
import { readFiles } from './files.ts';
import { gather } from './gather.ts';
import { printedAs } from './output.ts';

export const migrate = defineCommand({
  group: 'Set up',
  usage: 'PATH... --from LIVE [options]',
  summary: 'Print the steps that move instances from a kro controller to rendered objects without losing an object.',
  examples: [
    ['migrate apps/ --from live.yaml', 'Prints a plan for kubectl.'],
    ['migrate apps/ --from live.yaml --tool argocd', 'Prints a plan with the commits for Argo CD.'],
    ['migrate apps/ --from live.yaml --back', 'Prints the steps back to kro.'],
  ],
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

/** Returns the commands of the plan, with the files of this one. */
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

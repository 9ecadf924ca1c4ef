import { aboutSets } from '../authoring/offers/index.ts';
import { composeText, nothingFound } from '../core/diagnostics/index.ts';
import { crdsOf } from '../render/pipeline.ts';
import { defineCommand, forDefinitions } from './command.ts';
import { conclude } from './conclude.ts';
import { gather } from './gather.ts';
import { objectFormat, objectsOutput } from './output.ts';

export const crd = defineCommand({
  group: 'Render',
  usage: 'PATH... [options]',
  summary: 'Print the CustomResourceDefinitions that the RGDs generate, sorted by name.',
  own: { output: objectFormat },
  ...forDefinitions,
  needs: [1, 'a PATH; - reads standard input'],
  run: async (invocation) => {
    const { settings } = invocation;
    const { input, reports } = await gather(invocation);
    if (reports.hasErrors) return conclude(invocation, reports.all);
    const generated = crdsOf(input, settings);
    reports.addAll(generated.reports);
    if (generated.crds.length === 0 && !reports.hasErrors)
      reports.add(nothingFound(composeText`there is no RGD${aboutSets(input)}`));
    return conclude(invocation, reports.all, () => objectsOutput(generated.crds, settings.output));
  },
});

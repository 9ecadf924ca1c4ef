import { hasErrors } from '../core/diagnostics/index.ts';
import { visible } from '../core/text/visible.ts';
import { drawPackage, graphWriters } from '../describe/graph/index.ts';
import { choice, flag, integer, list, text } from '../render/options/index.ts';
import { defineCommand, forPackages } from './command.ts';
import { gather } from './files.ts';
import { conclude, concludePartly, fail, printedAs, refuse } from './output.ts';

export const graph = defineCommand({
  own: {
    output: printedAs(['mermaid', 'dot', 'svg']),
    direction: choice(
      ['auto', 'LR', 'TB', 'RL', 'BT'],
      'Where arrows lead: from left to right, from top to bottom, or the other way. auto is LR, or TB where --width asks.',
    ),
    edgeLabels: flag('Write the fields that are read on the arrows; without it SVG and DOT have them as tooltips.'),
    width: integer(
      'PIXELS',
      'Make an SVG at most so wide, such as 830 for a README: from top to bottom if need be, and scaled down. 0: any width.',
      { default: 0, minimum: 0 },
    ),
    rgd: list('NAME', 'Show only the RGD with this name.', { completes: 'rgds' }),
    instance: text('KIND/NAME', 'Color the nodes by their state in this instance: included, skipped, pending.', {
      completes: 'instances',
    }),
  },
  ...forPackages,
  run: async (invocation) => {
    const { settings } = invocation;
    const { rgd: rgds, instance } = settings;
    if (instance !== '' && rgds.length > 0) return refuse('graph takes --instance or --rgd', invocation);
    const { input, reports } = await gather(invocation);
    if (instance !== '' && reports.hasErrors) return conclude(invocation, reports.all);
    const drawn = drawPackage(input, settings, { rgds, instance });
    const all = [...reports, ...drawn.reports];
    if (drawn.fault !== undefined && !hasErrors(all)) return fail('not-found', drawn.fault, invocation);
    // A broken RGD does not affect the pictures of the others.
    if (drawn.pictures.length === 0 || (instance !== '' && hasErrors(all))) return conclude(invocation, all);
    const { direction: wanted, edgeLabels, width } = settings;
    const direction = wanted === 'auto' ? undefined : wanted;
    const options = { direction, edgeLabels, ...(width !== 0 && { width }) };
    return concludePartly(invocation, all, () => [visible(graphWriters[settings.output](drawn.pictures, options))]);
  },
});

import { type Offered, samplePackage } from '../authoring/offers/index.ts';
import { composeText, hasErrors, trusted } from '../core/diagnostics/index.ts';
import type { Value } from '../core/model/value.ts';
import { visible } from '../core/text/visible.ts';
import { flag, text } from '../render/options/index.ts';
import { toJsonText } from '../yaml/emit/index.ts';
import { defineCommand, forDefinitions, type Invocation } from './command.ts';
import { concludePartly, fail } from './conclude.ts';
import { type Gathered, gather } from './gather.ts';
import { printedAs } from './output.ts';

/** Prints the output for a package: a broken RGD does not affect the others. Returns the exit code. */
export function concludeOffer<Offer>(
  invocation: Invocation,
  { reports }: Gathered,
  { offer, fault, reports: found }: Offered<Offer>,
  write: (offer: Offer) => string,
): number {
  const all = [...reports, ...found];
  if (fault !== undefined && !hasErrors(all)) return fail('not-found', fault, invocation);
  return concludePartly(invocation, all, () => (offer === undefined ? [] : [write(offer)]));
}

export const jsonText = (value: Value): string => visible(`${toJsonText(value, 2)}\n`);

export const instance = defineCommand({
  group: 'Author',
  usage: 'KIND PATH... [options]',
  summary: 'Print an instance to start from, with a comment on every field.',
  examples: [['instance WebApp platform/ >shop.yaml', 'Starts a new instance.']],
  firstWord: 'kinds',
  own: {
    output: printedAs(['yaml']),
    minimal: flag('Write only the fields that an instance needs.'),
    full: flag('Write out every field.'),
    editWith: text('SCHEMA', 'Begin with a modeline that names this JSON Schema (file or URL) to editors.'),
  },
  ...forDefinitions,
  needs: [2, 'KIND and a PATH; - reads standard input'],
  run: async (invocation) => {
    const { editWith, minimal, full } = invocation.settings;
    const [kind = '', ...paths] = invocation.paths;
    const gathered = await gather({ ...invocation, paths });
    const extent = minimal ? 'minimal' : full ? 'all' : 'commented';
    const offered = samplePackage(gathered.input, kind, invocation.settings, extent);
    const modeline = editWith === '' ? '' : `# yaml-language-server: $schema=${editWith}\n`;
    const { faults = [] } = offered.offer ?? {};
    if (faults.length > 0) {
      const message = composeText`the sample is not valid yet; fill in:\n${trusted.definition(faults.join('\n'))}`;
      gathered.reports.add({ code: 'sample-incomplete', message, path: [], severity: 'warning' });
    }
    return concludeOffer(invocation, gathered, offered, ({ text }) => `${visible(modeline)}${text}`);
  },
});

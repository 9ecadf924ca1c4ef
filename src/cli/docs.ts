import { documentPackage } from '../authoring/offers/index.ts';
import { INJECTED, inject } from '../authoring/reference/index.ts';
import { composeText, trusted } from '../core/diagnostics/index.ts';
import { text } from '../render/options/index.ts';
import { defineCommand, forDefinitions, type Invocation } from './command.ts';
import { fail } from './conclude.ts';
import { gather } from './gather.ts';
import { concludeOffer } from './instance.ts';
import { printedAs } from './output.ts';
import { decode, readFault, readRegularText } from './regular-file.ts';
import { unwritable } from './report.ts';
import { replaceFile } from './write/index.ts';

export const docs = defineCommand({
  group: 'Author',
  usage: 'PATH... [options]',
  summary: 'Print a Markdown reference of what RGDs offer: fields, an example, objects, status, graph.',
  examples: [
    ['docs platform/ >PLATFORM.md', 'Documents a platform.'],
    ['docs platform/ --inject README.md', 'Updates a part of a README.'],
  ],
  own: {
    output: printedAs(['markdown']),
    inject: text('FILE', `Write the page into this file, between ${INJECTED.begin} and ${INJECTED.end}.`),
  },
  ...forDefinitions,
  needs: [1, 'a PATH; - reads standard input'],
  run: async (invocation) => {
    const { settings } = invocation;
    if (settings.inject !== '') return injectInto(settings.inject, invocation);
    const gathered = await gather(invocation);
    return concludeOffer(invocation, gathered, documentPackage(gathered.input, settings), (page) => page);
  },
});

/** Writes the page between the markers of a file, with headings one level deeper. Prints nothing. */
async function injectInto(file: string, invocation: Invocation): Promise<number> {
  let before: string;
  try {
    before = readRegularText(file);
  } catch (error) {
    return fail(
      'unreadable-file',
      composeText`cannot read ${trusted.file(file)}: ${trusted.error(readFault(error))}`,
      invocation,
    );
  }
  if (inject(before, '') === undefined) {
    const message = composeText`${trusted.file(file)} has no place for the page: write ${trusted.definition(INJECTED.begin)} and ${trusted.definition(INJECTED.end)} once, each on a line`;
    return fail('unwritable-file', message, invocation);
  }
  const gathered = await gather(invocation);
  const offered = documentPackage(gathered.input, invocation.settings, 2);
  const after = offered.offer === undefined ? undefined : inject(before, offered.offer);
  const expects = (content?: Uint8Array): boolean => content !== undefined && decode(content) === before;
  const fault = after === undefined ? undefined : replaceFile(file, [after], { expects });
  if (fault !== undefined) gathered.reports.add(unwritable(fault));
  return concludeOffer(invocation, gathered, offered, () => '');
}

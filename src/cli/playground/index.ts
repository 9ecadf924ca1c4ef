import { definitionOptions, instanceOptions, reportingOptions } from '../../render/options/index.ts';
import { defineCommand } from '../command.ts';
import { playgroundOptions } from './limits.ts';
import { servePlayground } from './run.ts';

const { definitions, exclude } = definitionOptions;
const { observed } = instanceOptions;

export const playground = defineCommand({
  group: 'Author',
  usage: '[PATH...] [options]',
  summary: 'Serve the playground on this machine, with files opened: a page that renders while you type.',
  examples: [
    ['playground platform/ apps/', 'Prints a URL on 127.0.0.1; the files stay as they are.'],
    ['playground . --write', 'Writes what is changed in the page back to its files.'],
  ],
  own: playgroundOptions,
  shared: { definitions, observed, exclude, ...reportingOptions },
  run: servePlayground,
});

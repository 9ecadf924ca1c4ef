import { flag } from '../render/options/index.ts';
import { defineCommand } from './command.ts';

export const lsp = defineCommand({
  group: 'Author',
  usage: '[--stdio]',
  summary: 'Run the language server for editors, over standard input and output: docs/editors.md.',
  own: { stdio: flag('Use standard input and output, as always: editors give this option.') },
  shared: {},
  needs: [0, '', 0],
  run: async ({ version }) => {
    // Built as a separate file, so that other commands do not load it.
    const { serveStdio } = await import('./lsp-server.ts');
    return serveStdio(version);
  },
});

import { flag } from '../render/options/index.ts';
import { defineCommand } from './command.ts';
import { assistantFor } from './mcp-tools.ts';

/** The servers are built as separate files, so that other commands do not load them. */

export const lsp = defineCommand({
  group: 'Author',
  usage: '[--stdio]',
  summary: 'Run the language server for editors, over standard input and output: docs/editors.md.',
  own: { stdio: flag('Use standard input and output, as always: editors give this option.') },
  shared: {},
  needs: [0, '', 0],
  run: async ({ version }) => {
    const { serveStdio } = await import('./lsp-server.ts');
    return serveStdio(version);
  },
});

export const mcp = defineCommand({
  group: 'Author',
  usage: '',
  summary: 'Run the read-only server for assistants (MCP), over standard input and output: docs/mcp.md.',
  own: {},
  shared: {},
  needs: [0, '', 0],
  run: async (context) => {
    const { serveStdio } = await import('./mcp-server.ts');
    return serveStdio(assistantFor(context));
  },
});

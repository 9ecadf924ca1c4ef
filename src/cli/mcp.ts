import { defineCommand } from './command.ts';
import { assistantFor } from './mcp-tools.ts';

export const mcp = defineCommand({
  group: 'Author',
  usage: '',
  summary: 'Run the read-only server for assistants (MCP), over standard input and output: docs/mcp.md.',
  own: {},
  shared: {},
  needs: [0, '', 0],
  run: async (context) => {
    // Built as a separate file, so that other commands do not load it.
    const { serveStdio } = await import('./mcp-server.ts');
    return serveStdio(assistantFor(context));
  },
});

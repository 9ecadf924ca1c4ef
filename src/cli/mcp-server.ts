import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** A tool, with the JSON Schemas of its arguments. */
export interface Tool {
  description: string;
  properties: Readonly<Record<string, object>>;
  required: readonly string[];
}

export interface Resource {
  uri: string;
  name: string;
  text: () => string;
}

export interface Assistant {
  version: string;
  tools: Readonly<Record<string, Tool>>;
  resources: readonly Resource[];
  call(name: string, given: Readonly<Record<string, unknown>>): Promise<Answer>;
}

export interface Answer {
  text: string;
  isError: boolean;
  /** What nobody looked at, and the sums of what became of everything. */
  ledger?: string;
}

const TYPE = 'text/plain';

/** Serves one client of the Model Context Protocol over standard input and output, until it closes its end. */
export function serveStdio({ tools, resources, call, version }: Assistant): Promise<number> {
  const capabilities = { tools: {}, resources: {} };
  const server = new Server({ name: 'render-rgd', version }, { capabilities });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, { description, properties, required }]) => ({
      name,
      description,
      inputSchema: { type: 'object' as const, properties, required: [...required], additionalProperties: false },
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const { text, isError, ledger } = await call(name, given);
    const parts = ledger === undefined ? [text] : [text, ledger];
    return { content: parts.map((part) => ({ type: 'text' as const, text: part })), isError };
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ uri, name }) => ({ uri, name, mimeType: TYPE })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = resources.find((one) => one.uri === uri);
    if (found === undefined) throw new McpError(ErrorCode.InvalidParams, `unknown resource ${uri}`);
    return { contents: [{ uri, mimeType: TYPE, text: found.text() }] };
  });
  return new Promise((end, fail) => {
    process.stdin.once('end', () => end(0));
    server.onclose = () => end(0);
    server.connect(new StdioServerTransport()).catch(fail);
  });
}

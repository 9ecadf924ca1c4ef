import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** The results of an extension, and the address of its page. */
export interface Workbench {
  url: string;
  /** What the probe posts, parsed. */
  result: Promise<unknown>;
  server: Server;
}

/**
 * Serves VS Code for browsers, with an extension and a probe: a script that runs as another extension, and posts an
 * object to `/result`.
 */
export async function serveWorkbench(vscodeWeb: string, extension: string, probe: string): Promise<Workbench> {
  let post: (result: unknown) => void = () => {};
  const result = new Promise<unknown>((resolve) => {
    post = resolve;
  });
  const pages = new Map([
    ['/', PAGE],
    ['/probe/package.json', JSON.stringify(PROBE)],
    ['/probe/probe.js', probe],
  ]);
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        post(JSON.parse(Buffer.concat(chunks).toString()));
        response.end();
      });
      return;
    }
    const type = TYPES[extname(path)] ?? (path === '/' ? 'text/html' : 'application/octet-stream');
    const body = pages.get(path) ?? fileAt(path, { '/static/': vscodeWeb, '/extension/': extension });
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': type });
    response.end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, result, server };
}

function fileAt(path: string, folders: Readonly<Record<string, string>>): Buffer | undefined {
  const [prefix, folder] = Object.entries(folders).find(([prefix]) => path.startsWith(prefix)) ?? [];
  if (prefix === undefined || folder === undefined) return undefined;
  try {
    return readFileSync(join(folder, path.slice(prefix.length)));
  } catch {
    return undefined;
  }
}

const PROBE = {
  name: 'probe',
  publisher: 'test',
  version: '0.0.1',
  engines: { vscode: '^1.91.0' },
  browser: './probe.js',
  activationEvents: ['onStartupFinished'],
};

/** The workbench of VS Code, as its own test page starts it, with an in-memory folder. */
const PAGE = `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <link data-name="vs/workbench/workbench.web.main" rel="stylesheet" href="/static/out/vs/workbench/workbench.web.main.css">
  </head>
  <body></body>
  <script src="/static/out/vs/loader.js"></script>
  <script src="/static/out/vs/webPackagePaths.js"></script>
  <script>
    const base = location.origin + '/static';
    for (const key of Object.keys(self.webPackagePaths))
      self.webPackagePaths[key] = base + '/node_modules/' + key + '/' + self.webPackagePaths[key];
    require.config({ baseUrl: base + '/out', paths: self.webPackagePaths });
  </script>
  <script src="/static/out/vs/workbench/workbench.web.main.nls.js"></script>
  <script src="/static/out/vs/workbench/workbench.web.main.js"></script>
  <script>
    require(['vs/workbench/workbench.web.main'], ({ create, URI }) => {
      const at = (path) => ({ scheme: 'http', authority: location.host, path });
      create(document.body, {
        additionalBuiltinExtensions: [at('/extension'), at('/probe')],
        enableWorkspaceTrust: false,
        productConfiguration: { enableTelemetry: false },
        workspaceProvider: {
          workspace: { folderUri: URI.from({ scheme: 'tmp', path: '/work' }) },
          trusted: true,
          open: async () => false,
        },
      });
    });
  </script>
</html>
`;

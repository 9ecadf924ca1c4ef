import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { extname } from 'node:path';

/** The files of a server, and the function that saves changes. */
export interface Site {
  /** The files of the page, by their paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The first segment of every path: a secret in the URL. */
  readonly token: string;
  /** Writes a file of the package; returns the error. Absent if files are read-only. */
  readonly save?: (name: string, text: string) => string | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** No other page may embed, read or control this one, and the URL with its token is not sent as a referrer. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The maximum size of a saved file, in bytes. */
const MOST_BYTES = 16_000_000;

/** Serves a page on 127.0.0.1. Port 0 selects a free port. Rejects if the port is in use. */
export function serve(site: Site, port: number): Promise<Server> {
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    answer(request, response, site, server).catch(() => end(response, 500, 'the request could not be answered'));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site, server: Server): Promise<void> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  if (!isOwn(request, port)) return end(response, 403, 'this server is for its own page only');
  const [, token = '', ...rest] = (request.url ?? '').replace(/[?#].*$/, '').split('/');
  if (!isSame(token, site.token)) return end(response, 403, 'the URL lacks its token: open the one that was printed');
  const path = rest.join('/');
  if (request.method === 'POST' && path === 'save' && site.save !== undefined)
    return save(request, response, site.save);
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'only GET is answered');
  const body = site.files.get(path === '' ? 'index.html' : path);
  if (body === undefined) return end(response, 404, 'there is no such file');
  const type = TYPES[extname(path === '' ? 'index.html' : path)] ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Reports whether a request comes from the page itself or from an address bar. Another name for 127.0.0.1 is visible in
 * Host, and another page in Origin and Sec-Fetch-Site.
 */
function isOwn({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = headers;
  const site = headers['sec-fetch-site'];
  if (host === undefined || !hosts.includes(host)) return false;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}

function isSame(given: string, token: string): boolean {
  const { timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function save(
  request: IncomingMessage,
  response: ServerResponse,
  write: NonNullable<Site['save']>,
): Promise<void> {
  // A form of another page cannot have this type, and a script of another page has another origin.
  if (request.headers['content-type'] !== 'application/json' || request.headers.origin === undefined) {
    return end(response, 415, 'a file is sent as application/json by the page');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return end(response, 413, 'the file is too large');
    chunks.push(chunk);
  }
  const file = fileIn(Buffer.concat(chunks).toString());
  if (file === undefined) return end(response, 400, 'a file is {name, text}');
  const fault = write(file.name, file.text);
  return fault === undefined ? end(response, 200, 'written') : end(response, 409, fault);
}

function fileIn(text: string): { name: string; text: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('name' in value) || !('text' in value)) return undefined;
    const { name, text: content } = value;
    return typeof name === 'string' && typeof content === 'string' ? { name, text: content } : undefined;
  } catch {
    return undefined;
  }
}

function end(response: ServerResponse, code: number, message: string): void {
  if (response.headersSent) return;
  response.writeHead(code, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}

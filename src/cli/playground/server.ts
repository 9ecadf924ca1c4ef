import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { Snapshot } from './opened.ts';
import type { Saved } from './save-below.ts';

/** The files of a server, and the files that its page opens. */
export interface Site {
  /** The files of the page, by their paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The first segment of every path: a secret in the URL. */
  readonly token: string;
  /** The opened files. Each function looks at the disk again. */
  readonly opened?: {
    /** Returns the page with the files in it. */
    readonly page: () => Uint8Array;
    readonly snapshot: () => Snapshot;
    /** Returns a text that changes when a file does. */
    readonly stamp: () => string;
    /** Writes a file over the text with a digest. Absent if files are read-only. */
    readonly save?: (name: string, text: string, digest: string) => Saved;
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
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
  if (request.method === 'POST' && path === 'save' && site.opened?.save !== undefined)
    return save(request, response, site.opened.save);
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'only GET is answered');
  const body = bodyAt(path === '' ? 'index.html' : path, site);
  if (body === undefined) return end(response, 404, 'there is no such file');
  const type = TYPES[extname(path === '' ? 'index.html' : path)] ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function bodyAt(path: string, { files, opened }: Site): Uint8Array | undefined {
  if (path === 'index.html' && opened !== undefined) return opened.page();
  if (path === 'opened.json' && opened !== undefined) return Buffer.from(JSON.stringify(opened.snapshot()));
  if (path === 'stamp' && opened !== undefined) return Buffer.from(opened.stamp());
  return files.get(path);
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
  write: NonNullable<NonNullable<Site['opened']>['save']>,
): Promise<void> {
  // A form of another page cannot have this type, and a script of another page has another origin.
  if (request.headers['content-type'] !== 'application/json' || request.headers.origin === undefined) {
    return end(response, 415, 'a file is sent as application/json by the page');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(request.headers['content-length']) > MOST_BYTES) return end(response, 413, 'the file is too large');
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return end(response, 413, 'the file is too large');
    chunks.push(chunk);
  }
  const file = fileIn(Buffer.concat(chunks));
  if (file === undefined) return end(response, 400, 'a file is {name, text, digest}, in UTF-8');
  if (file.digest === undefined) return end(response, 428, 'a file is saved with the digest of the text that was read');
  const saved = write(file.name, file.text, file.digest);
  if ('fault' in saved) return end(response, saved.state === 'busy' ? 423 : 403, saved.fault);
  const { state: _, ...content } = saved;
  end(response, saved.state === 'written' ? 200 : 409, JSON.stringify(content), TYPES['.json']);
}

function fileIn(bytes: Uint8Array): { name: string; text: string; digest?: string } | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value !== 'object' || value === null || !('name' in value) || !('text' in value)) return undefined;
    const { name, text } = value;
    if (typeof name !== 'string' || typeof text !== 'string') return undefined;
    return { name, text, ...('digest' in value && typeof value.digest === 'string' && { digest: value.digest }) };
  } catch {
    return undefined;
  }
}

function end(response: ServerResponse, code: number, message: string, type = 'text/plain; charset=utf-8'): void {
  if (response.headersSent) return;
  response.writeHead(code, { ...HEADERS, 'content-type': type }).end(`${message}\n`);
}

import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { Collector, composeText, trusted } from '../../core/diagnostics/index.ts';
import { ownValue } from '../../core/model/value.ts';
import { visible, visibleOnOneLine } from '../../core/text/visible.ts';
import type { FoundText } from '../../describe/input/index.ts';
import { definitionOptions, instanceOptions, reportingOptions } from '../../render/options/index.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { ifPossible, messageOf, slashed } from '../file-system.ts';
import { readFiles } from '../files.ts';
import { conclude, fail } from '../output.ts';
import type { Saved } from '../write/index.ts';
import { playgroundOptions } from './limits.ts';
import { type Found, OpenedFiles, pageWith, type Snapshot } from './opened.ts';

/** Runs `render-rgd playground [PATH...]`: serves until the process ends. */
async function servePlayground(invocation: Invocation<typeof playgroundOptions>): Promise<number> {
  const { settings, paths, io } = invocation;
  const files = await pageFiles();
  if (files === undefined) {
    const message = composeText`this build of render-rgd comes without the playground: in a clone, npm run playground builds it; the npm package and the executables contain it`;
    return fail('unreadable-file', message, invocation);
  }
  const given = [...paths, ...settings.definitions, ...settings.observed];
  const look = (): Found => readOpened(invocation);
  const { faults } = look();
  if (faults.length > 0) return conclude(invocation, faults);
  const opened = given.length === 0 ? undefined : new OpenedFiles(given, look);
  const token = process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');
  try {
    const site = { files, token, ...(opened && { opened: siteOf(opened, files, settings.write) }) };
    const server = await serve(site, settings.port);
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : settings.port;
    io.stdout([`http://127.0.0.1:${port}/${token}/\n`]);
    io.stderr(visible(started(opened)));
    return await new Promise<number>((resolve) => server.once('close', () => resolve(0)));
  } catch (error) {
    const message = composeText`the port ${settings.port} cannot be served: ${trusted.error(messageOf(error))}`;
    return fail('unwritable-file', message, invocation);
  }
}

function readOpened({ paths, settings }: Invocation<typeof playgroundOptions>): Found {
  const reports = new Collector();
  const stdin = new Error('the page opens files only');
  const read = (from: readonly string[]): FoundText[] =>
    readFiles(from, { exclude: settings.exclude, stdin, missing: 'error' }, reports);
  const texts = [
    ['objects', read(paths)],
    ['definitions', read(settings.definitions)],
    ['observed', read(settings.observed)],
  ] as const;
  return { texts, faults: reports.all.filter(({ severity }) => severity !== 'info') };
}

const siteOf = (opened: OpenedFiles, files: Site['files'], write: boolean): NonNullable<Site['opened']> => ({
  page: () => pageWith(files.get('index.html') ?? new Uint8Array(), opened, write),
  snapshot: () => opened.snapshot(),
  stamp: () => opened.stamp(),
  ...(write && { save: (name, text, digest) => opened.save(name, text, digest) }),
});

/** The most files that are listed one by one. */
const MOST_LISTED = 20;

function started(opened: OpenedFiles | undefined): string {
  const { files, left } = opened?.snapshot() ?? { files: [], left: [] };
  const lines = left
    .slice(0, MOST_LISTED)
    .map(({ name, reason }) => `render-rgd: the page does not show ${visibleOnOneLine(name)}: ${reason}\n`);
  const rest = left.length - lines.length;
  const more = rest > 0 ? `render-rgd: nor ${rest} more files\n` : '';
  return `${lines.join('')}${more}render-rgd: serving ${files.length} files; Ctrl-C ends it\n`;
}

/** Relative to the command: in the npm package, and in the repository after `npm run playground`. */
const FOLDERS = ['playground', '../dist-playground'];

interface Runtime {
  readonly embeddedFiles?: readonly { readonly name: string; arrayBuffer(): Promise<ArrayBuffer> }[];
}

/** Returns the files of the page by path; undefined if this build does not contain it. */
async function pageFiles(): Promise<Map<string, Uint8Array> | undefined> {
  const embedded = (globalThis as { Bun?: Runtime }).Bun?.embeddedFiles?.find(({ name }) =>
    name.includes('playground'),
  );
  if (embedded !== undefined) {
    const { gunzipSync } = process.getBuiltinModule('node:zlib');
    const archive = gunzipSync(new Uint8Array(await embedded.arrayBuffer())).toString();
    const files = JSON.parse(archive) as Readonly<Record<string, string>>;
    return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  }
  const program = process.argv[1] ?? '';
  const found = FOLDERS.map((folder) => ifPossible(() => filesBelow(join(dirname(realpathSync(program)), folder))));
  return found.find((files) => files !== undefined);
}

/** @throws Error if there is no page */
function filesBelow(folder: string): Map<string, Uint8Array> {
  const files = new Map([['index.html', readFileSync(join(folder, 'index.html'))]]);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = slashed(entry);
    if (/\.(js|css)$/.test(path)) files.set(path, readFileSync(join(folder, entry)));
  }
  return files;
}

const { definitions, exclude } = definitionOptions;
const { observed } = instanceOptions;

export const playground = defineCommand({
  own: playgroundOptions,
  shared: { definitions, observed, exclude, ...reportingOptions },
  run: servePlayground,
});

/** The files of a server, and the files that its page opens. */
export interface Site {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The first segment of every path: a secret in the URL. */
  readonly token: string;
  /** The opened files. Each function looks at the disk again. */
  readonly opened?: {
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

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site, server: Server): Promise<void> {
  if (!isOwn(request, portOf(server))) return end(response, 403, 'this server is for its own page only');
  const [, token = '', ...rest] = (request.url ?? '').split(/[?#]/, 1)[0]?.split('/') ?? [];
  if (!isSame(token, site.token)) return end(response, 403, 'the URL lacks its token: open the one that was printed');
  const path = rest.join('/');
  if (request.method === 'POST' && path === 'save' && site.opened?.save !== undefined)
    return save(request, response, site.opened.save);
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, 'only GET is answered');
  const file = path === '' ? 'index.html' : path;
  const body = bodyAt(file, site);
  if (body === undefined) return end(response, 404, 'there is no such file');
  const type = ownValue(TYPES, extname(file)) ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function bodyAt(path: string, { files, opened }: Site): Uint8Array | undefined {
  if (path === 'index.html' && opened !== undefined) return opened.page();
  if (path === 'opened.json' && opened !== undefined) return Buffer.from(JSON.stringify(opened.snapshot()));
  if (path === 'stamp' && opened !== undefined) return Buffer.from(opened.stamp());
  return files.get(path);
}

/** Another name for 127.0.0.1 is visible in Host, and another page in Origin and Sec-Fetch-Site. */
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
  const a = Buffer.from(given);
  const b = Buffer.from(token);
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

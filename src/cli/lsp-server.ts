import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { type Host, serve } from '../language-server/index.ts';
import { FileError, ifPossible, MOST_BYTES, readRegularFile } from './file-system.ts';
import { ignoredAmong, ignoredBelow } from './git/ignored.ts';
import { exitCode } from './output.ts';
import { testReport } from './test/index.ts';
import { Walk } from './walk.ts';
import { writeOut } from './write/index.ts';

/** The most characters of the headers of a message; clients send less than a hundred. */
const MOST_HEADERS = 4096;

/** Calls `onFault` at a header without a valid length: the reader behind it would wait for ever, or allocate it. */
export function checkFrames(onFault: (fault: string) => void): Transform {
  let headers = '';
  let body = 0;
  const faultIn = (chunk: Buffer): string | undefined => {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(body, chunk.length - at);
      body -= skipped;
      at += skipped;
      while (body === 0 && at < chunk.length) {
        headers += String.fromCharCode(chunk[at] as number);
        at += 1;
        if (headers.length > MOST_HEADERS) return `the headers of a message have more than ${MOST_HEADERS} characters`;
        if (/(?<!\r)\n$/.test(headers)) return 'a line of the headers of a message does not end with CR LF';
        if (!headers.endsWith('\r\n\r\n')) continue;
        const length = lengthIn(headers);
        if (typeof length === 'string') return length;
        headers = '';
        body = length;
      }
    }
    return undefined;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const fault = faultIn(chunk);
      if (fault === undefined) done(undefined, chunk);
      else onFault(fault);
    },
  });
}

function lengthIn(headers: string): number | string {
  const lines = headers.slice(0, -4).split('\r\n');
  const odd = lines.find((line) => !/^[\w-]+:/.test(line));
  if (odd !== undefined) return `${JSON.stringify(odd)} is not a header of a message`;
  const lengths = lines
    .filter((line) => /^content-length:/i.test(line))
    .map((line) => line.replace(/^.*?:/, '').trim());
  const [length = ''] = lengths;
  if (lengths.length !== 1) return `a message has ${lengths.length} headers Content-Length, expected 1`;
  if (!/^\d+$/.test(length)) return `Content-Length is ${JSON.stringify(length)}, expected a number of bytes`;
  return Number(length) <= MOST_BYTES ? Number(length) : `Content-Length is ${length}, more than ${MOST_BYTES}`;
}

/** Larger files are dumps. */
const MAX_BYTES = 2_000_000;
const MAX_FILES = 20_000;
/** The number of files after which messages are handled and progress is reported. */
const BATCH = 50;
const GRACE = 500;

/** Serves one client over standard input and output. It ends on request of the client, or if that sends no messages. */
export function serveStdio(version: string): Promise<never> {
  const frames = checkFrames((fault) => {
    writeOut(2, [`render-rgd lsp: ${fault}\n`]);
    process.exit(exitCode.input);
  });
  const messages = process.stdin.pipe(frames);
  const connection = createConnection(new StreamMessageReader(messages), new StreamMessageWriter(process.stdout));
  serve(connection, nodeHost(version));
  // Without a client the server ends after its last answers.
  process.stdin.on('end', () => setTimeout(() => process.exit(0), GRACE));
  connection.listen();
  return new Promise(() => {});
}

const nodeHost = (version: string): Host => ({
  version,
  // Editors escape some characters of a path differently.
  canonical: (uri) => ifPossible(() => pathToFileURL(fileURLToPath(uri)).href) ?? uri,
  read: readText,
  scan: scanFolders,
  ignored: (uris) => ignoredUris(uris),
  exists: (uri) => ifPossible(() => statSync(fileURLToPath(uri))) !== undefined,
  descriptions: async () => (await import('../../data/kubernetes-descriptions.json')).default.text,
  test: (uri, updates) => testReport(dirname(fileURLToPath(uri)), updates),
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
});

function ignoredUris(uris: readonly string[]): string[] {
  const files = uris.flatMap((uri) => ifPossible(() => fileURLToPath(uri)) ?? []);
  return ignoredAmong(files).map((path) => pathToFileURL(path).href);
}

async function readText(uri: string): Promise<string | undefined> {
  return ifPossible(() => readRegularFile(fileURLToPath(uri), { limit: MAX_BYTES }).toString());
}

async function* scanFolders(
  folders: readonly string[],
  progress: (files: number) => void,
  readsIgnored: boolean,
): ReturnType<NonNullable<Host['scan']>> {
  try {
    yield* scanAll(folders, progress, readsIgnored);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    yield { unread: error.message };
  }
}

/** @throws {FileError} if there are too many files */
async function* scanAll(
  folders: readonly string[],
  progress: (files: number) => void,
  readsIgnored: boolean,
): ReturnType<NonNullable<Host['scan']>> {
  const walk = new Walk();
  let found = 0;
  for (const folder of new Set(folders)) {
    const root = ifPossible(() => fileURLToPath(folder)) ?? folder;
    const ignored = new Set(readsIgnored ? [] : ignoredBelow(root));
    for await (const path of filesBelow(root, 0, walk, (one) => ignored.has(one))) {
      if (ignored.has(path)) {
        yield { ignored: pathToFileURL(path).href };
        continue;
      }
      if (basename(path) === '.git') {
        // What a repository inside another one ignores, only it knows.
        if (!readsIgnored && dirname(path) !== root) for (const one of ignoredBelow(dirname(path))) ignored.add(one);
        yield { repository: pathToFileURL(dirname(path)).href };
        continue;
      }
      const uri = pathToFileURL(path).href;
      const text = await readText(uri);
      if (text === undefined || !(isKubernetes(text) || EXPECTED.test(path))) continue;
      yield { uri, text };
      found += 1;
      if (found % BATCH === 0) progress(found);
      if (found >= MAX_FILES) throw new FileError(`there are more than ${MAX_FILES} files with objects`);
    }
  }
}

/** A folder with one of these and a test.yaml is a golden test. */
const EXPECTED = /[/\\]expected(?:-diagnostics)?\.yaml$/;

/** Text without an apiVersion contains no object, but perhaps a golden test or rules. */
const isKubernetes = (text: string): boolean =>
  text.includes('apiVersion') || /^(?:input|definitions|rules):/m.test(text);

/**
 * Returns YAML and JSON files, the `.git` of repositories, and folders that are not entered. @throws {FileError} if there
 * are too many entries
 */
async function* filesBelow(
  path: string,
  level: number,
  walk: Walk,
  isIgnored: (path: string) => boolean,
): AsyncIterable<string> {
  if (/\.(?:ya?ml|json)$/.test(path)) {
    yield path;
    return;
  }
  const read = await readdir(path, { withFileTypes: true }).catch(() => []);
  const entries = walk.count(path, level, read);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === '.git') yield join(path, entry.name);
    if (entry.name.startsWith('.')) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') {
      if (isIgnored(inside)) yield inside;
      else yield* filesBelow(inside, level + 1, walk, isIgnored);
    }
    if (entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name)) yield inside;
  }
}

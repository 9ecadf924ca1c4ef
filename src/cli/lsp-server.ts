import { writeSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { type Host, serve } from '../authoring/language/index.ts';
import { ifPossible } from './file-system.ts';
import { exitCode } from './io.ts';
import { checkFrames } from './lsp-frames.ts';
import { readRegularFile } from './regular-file.ts';
import { testReport } from './test/index.ts';

/** Larger files are dumps. */
const MAX_BYTES = 2_000_000;
const MAX_FILES = 20_000;
/** The number of files after which messages are handled and progress is reported. */
const BATCH = 50;
/** Milliseconds. */
const GRACE = 500;

/** Serves one client over standard input and output. It ends on request of the client, or if that sends no messages. */
export function serveStdio(version: string): Promise<never> {
  const messages = process.stdin.pipe(checkFrames(endWith));
  const connection = createConnection(new StreamMessageReader(messages), new StreamMessageWriter(process.stdout));
  serve(connection, nodeHost(version));
  // Without a client the server ends after its last answers.
  process.stdin.on('end', () => setTimeout(() => process.exit(0), GRACE));
  connection.listen();
  return new Promise(() => {});
}

function endWith(fault: string): void {
  writeSync(2, `render-rgd lsp: ${fault}\n`);
  process.exit(exitCode.input);
}

const nodeHost = (version: string): Host => ({
  version,
  canonical,
  read: readText,
  scan: scanFolders,
  descriptions: async () => (await import('../../data/kubernetes-descriptions.json')).default.text,
  test: (uri, updates) => testReport(dirname(fileURLToPath(uri)), updates),
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
});

/** Editors escape some characters of a path differently. */
const canonical = (uri: string): string => ifPossible(() => pathToFileURL(fileURLToPath(uri)).href) ?? uri;

async function readText(uri: string): Promise<string | undefined> {
  return ifPossible(() => readRegularFile(fileURLToPath(uri), { limit: MAX_BYTES }).toString());
}

async function* scanFolders(
  folders: readonly string[],
  progress: (files: number) => void,
): ReturnType<NonNullable<Host['scan']>> {
  let found = 0;
  for (const folder of new Set(folders)) {
    for await (const path of filesBelow(pathOf(folder))) {
      if (basename(path) === '.git') {
        yield { repository: pathToFileURL(dirname(path)).href };
        continue;
      }
      const uri = pathToFileURL(path).href;
      const text = await readText(uri);
      if (text === undefined || !(isKubernetes(text) || EXPECTED.test(path))) continue;
      yield { uri, text };
      found += 1;
      if (found % BATCH === 0) progress(found);
      if (found >= MAX_FILES) return;
    }
  }
}

/** A folder with one of these and a test.yaml is a golden test. */
const EXPECTED = /[/\\]expected(?:-diagnostics)?\.yaml$/;

/** Text without an apiVersion contains no object, but perhaps a golden test or rules. */
const isKubernetes = (text: string): boolean =>
  text.includes('apiVersion') || /^(?:input|definitions|rules):/m.test(text);

const pathOf = (uri: string): string => ifPossible(() => fileURLToPath(uri)) ?? uri;

/** Returns YAML and JSON files, and the `.git` of repositories. */
async function* filesBelow(path: string): AsyncIterable<string> {
  if (/\.(?:ya?ml|json)$/.test(path)) {
    yield path;
    return;
  }
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === '.git') yield join(path, entry.name);
    if (entry.name.startsWith('.')) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesBelow(inside);
    else if (entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name)) yield inside;
  }
}

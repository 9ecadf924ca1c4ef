import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { type Host, serve } from '../authoring/language/index.ts';

/** Larger files are dumps. */
const MAX_BYTES = 2_000_000;
const MAX_FILES = 20_000;
/** The number of files after which messages are handled and progress is reported. */
const BATCH = 50;
/** Milliseconds. */
const GRACE = 500;
const SKIPPED = new Set(['node_modules', 'vendor']);

/** Serves one client over standard input and output. It ends only on request of the client. */
export function serveStdio(version: string): Promise<never> {
  const connection = createConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
  serve(connection, nodeHost(version));
  // Without a client the server ends after its last answers.
  process.stdin.on('end', () => setTimeout(() => process.exit(0), GRACE));
  connection.listen();
  return new Promise(() => {});
}

const nodeHost = (version: string): Host => ({
  version,
  canonical,
  read: readText,
  scan: scanFolders,
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
});

/** Editors escape some characters of a path differently. */
function canonical(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    return uri;
  }
}

async function readText(uri: string): Promise<string | undefined> {
  try {
    const path = fileURLToPath(uri);
    if ((await stat(path)).size > MAX_BYTES) return undefined;
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function* scanFolders(
  folders: readonly string[],
  progress: (files: number) => void,
): ReturnType<NonNullable<Host['scan']>> {
  let found = 0;
  for (const folder of new Set(folders)) {
    for await (const path of filesBelow(pathOf(folder))) {
      const uri = pathToFileURL(path).href;
      const text = await readText(uri);
      if (text === undefined || !isKubernetes(text)) continue;
      yield { uri, text };
      found += 1;
      if (found % BATCH === 0) progress(found);
      if (found >= MAX_FILES) return;
    }
  }
}

/** Text without an apiVersion contains no object, but perhaps a golden test or rules. */
const isKubernetes = (text: string): boolean =>
  text.includes('apiVersion') || /^(?:input|definitions|rules):/m.test(text);

const pathOf = (uri: string): string => {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
};

async function* filesBelow(path: string): AsyncIterable<string> {
  if (/\.(?:ya?ml|json)$/.test(path)) {
    yield path;
    return;
  }
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* filesBelow(inside);
    else if (entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name)) yield inside;
  }
}

import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slashed } from '../file-system.ts';

/**
 * The folders of the page, relative to the command: in the npm package, and in the repository after `npm run
 * playground`.
 */
const FOLDERS = ['playground', '../dist-playground'];

interface Runtime {
  readonly embeddedFiles?: readonly { readonly name: string; arrayBuffer(): Promise<ArrayBuffer> }[];
}

/** Returns the files of the page by path; undefined if this build does not contain it. */
export async function pageFiles(): Promise<Map<string, Uint8Array> | undefined> {
  const embedded = (globalThis as { Bun?: Runtime }).Bun?.embeddedFiles?.find(({ name }) =>
    name.includes('playground'),
  );
  if (embedded !== undefined) return unpacked(new Uint8Array(await embedded.arrayBuffer()));
  return folderFiles();
}

function unpacked(archive: Uint8Array): Map<string, Uint8Array> {
  const { gunzipSync } = process.getBuiltinModule('node:zlib');
  const files = JSON.parse(gunzipSync(archive).toString()) as Readonly<Record<string, string>>;
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
}

function folderFiles(): Map<string, Uint8Array> | undefined {
  const program = process.argv[1];
  for (const folder of program === undefined ? [] : FOLDERS) {
    try {
      return filesBelow(join(dirname(realpathSync(program as string)), folder));
    } catch {
      // Try the next folder.
    }
  }
  return undefined;
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

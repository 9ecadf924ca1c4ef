import { type ExtensionContext, FileType, Uri, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { SECTION, start } from './client.ts';

/** Further files are read only when they are opened. */
const MAX_FILES = 2000;
const SKIPPED = /^(?:\..*|node_modules|vendor)$/;

let client: LanguageClient | undefined;

/** Starts the server as a worker: VS Code in a browser has no processes. */
export async function activate(context: ExtensionContext): Promise<void> {
  const worker = new Worker(Uri.joinPath(context.extensionUri, 'dist/worker.js').toString(true));
  const documentSelector = ['yaml', 'json'].map((language) => ({ language }));
  const initializationOptions = { files: await textsOfWorkspace() };
  client = await start(context, { documentSelector, initializationOptions }, (options) => {
    return new LanguageClient(SECTION, 'render-rgd', worker, options);
  });
}

/** Returns the texts of the workspace, by URI. Not every file system of a browser can be searched. */
async function textsOfWorkspace(): Promise<Record<string, string>> {
  const uris: Uri[] = [];
  for (const { uri } of workspace.workspaceFolders ?? []) await collect(uri, uris);
  const texts = uris.map(async (uri): Promise<[string, string][]> => {
    const bytes = await workspace.fs.readFile(uri).then(undefined, () => undefined);
    return bytes === undefined ? [] : [[uri.toString(), new TextDecoder().decode(bytes)]];
  });
  return Object.fromEntries((await Promise.all(texts)).flat());
}

async function collect(folder: Uri, found: Uri[]): Promise<void> {
  const entries = await workspace.fs.readDirectory(folder).then(undefined, () => []);
  for (const [name, type] of entries) {
    if (found.length >= MAX_FILES || SKIPPED.test(name)) continue;
    const uri = Uri.joinPath(folder, name);
    if (type & FileType.Directory) await collect(uri, found);
    else if (/\.(?:ya?ml|json)$/.test(name)) found.push(uri);
  }
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

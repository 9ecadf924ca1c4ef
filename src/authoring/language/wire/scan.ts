import type { Connection } from 'vscode-languageserver';
import type { Workspace } from '../workspace/workspace.ts';
import type { Host } from './host.ts';

/** Reads the files below folders, and reports progress to the client. */
export async function scanFolders(
  connection: Connection,
  host: Host,
  workspace: Workspace,
  folders: readonly string[],
): Promise<void> {
  if (host.scan === undefined || folders.length === 0) return;
  const progress = await connection.window.createWorkDoneProgress().catch(() => undefined);
  progress?.begin('render-rgd', undefined, 'reading the workspace');
  try {
    for await (const found of host.scan(folders, (files) => progress?.report(`${files} files`))) {
      if ('repository' in found) workspace.addRoot(found.repository);
      else workspace.setFile(found.uri, found.text);
    }
  } finally {
    progress?.done();
  }
}

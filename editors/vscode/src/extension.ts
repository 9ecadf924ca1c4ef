import { type ExtensionContext, workspace } from 'vscode';
import { LanguageClient, type ServerOptions, TransportKind } from 'vscode-languageclient/node';
import { SECTION, start } from './client.ts';

let client: LanguageClient | undefined;

/** Starts the server as a process. */
export async function activate(context: ExtensionContext): Promise<void> {
  // The scope of the setting is `machine`: a repository must not choose a program.
  const path = workspace.getConfiguration(SECTION).inspect<string>('path')?.globalValue ?? '';
  const own = context.asAbsolutePath('dist/server.mjs');
  const server: ServerOptions =
    path === ''
      ? { module: own, transport: TransportKind.stdio }
      : { command: path, args: ['lsp', '--stdio'], transport: TransportKind.stdio };
  const documentSelector = ['yaml', 'json'].map((language) => ({ scheme: 'file', language }));
  client = await start(context, { documentSelector }, (options) => {
    return new LanguageClient(SECTION, 'render-rgd', server, options);
  });
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

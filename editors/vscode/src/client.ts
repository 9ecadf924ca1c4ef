import { commands, type ExtensionContext, Uri, ViewColumn, window, workspace } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

const SCHEME = 'render-rgd';
export const SECTION = 'render-rgd';

/** Returns the settings as plain values, which a worker can receive. */
const settingsOf = (): unknown => JSON.parse(JSON.stringify(workspace.getConfiguration(SECTION)));

/** Starts a client, and shows results of the server in separate documents. */
export async function start<Client extends BaseLanguageClient>(
  context: ExtensionContext,
  options: LanguageClientOptions,
  create: (options: LanguageClientOptions) => Client,
): Promise<Client> {
  const texts = new Map<string, string>();
  const client = create({
    ...options,
    initializationOptions: { ...options.initializationOptions, settings: settingsOf() },
    synchronize: { configurationSection: SECTION },
    middleware: {
      // The commands of the server return a text, which is shown in a document.
      executeCommand: async (command, args, next) => {
        const text = await next(command, args);
        if (typeof text === 'string') await show(command, String(args[1] ?? ''), text);
        return text;
      },
    },
  });
  context.subscriptions.push(
    workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
    }),
    commands.registerCommand('render-rgd.showRendered', () => ask('render-rgd.show')),
    commands.registerCommand('render-rgd.showGraph', () => ask('render-rgd.graph')),
  );
  await client.start();
  return client;

  async function show(command: string, title: string, text: string): Promise<void> {
    const rendered = `${title === '' ? 'rendered' : title}.yaml`;
    const name = command === 'render-rgd.graph' ? 'graph.mmd' : /est$/.test(command) ? 'test.txt' : rendered;
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(Date.now()) });
    texts.clear();
    texts.set(uri.toString(), text);
    await window.showTextDocument(uri, { viewColumn: ViewColumn.Beside, preview: true, preserveFocus: true });
  }

  async function ask(command: string): Promise<void> {
    const uri = window.activeTextEditor?.document.uri.toString();
    if (uri !== undefined) await commands.executeCommand(command, uri);
  }
}

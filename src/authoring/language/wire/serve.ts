import {
  type Connection,
  type DidChangeConfigurationParams,
  type DidChangeWatchedFilesParams,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
  TextDocuments,
  type WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import protocol from '../../../../data/language-server.json';
import { actionsAt } from '../features/actions.ts';
import { completionsAt } from '../features/completion.ts';
import { graphOf, inlayHintsOf, lensesOf, previewOf } from '../features/hints.ts';
import { hoverAt } from '../features/hover.ts';
import { definitionAt, referencesAt, renameAt, renameRange } from '../features/names.ts';
import { signatureAt } from '../features/signature.ts';
import { foldingOf, formattingOf, linksOf, selectionsOf, symbolsIn, symbolsOf } from '../features/structure.ts';
import { tokensOf } from '../features/tokens.ts';
import { Place } from '../place.ts';
import type { SourceFile } from '../workspace/file.ts';
import { Workspace } from '../workspace/workspace.ts';
import { readDescriptions } from '../yaml/schema.ts';
import { createPublisher } from './publisher.ts';
import { logRejection } from './rejection.ts';
import { type Host, openapiIn, type RawSettings, readSettings, uriIn } from './settings.ts';

/** The options of `initialize`: the settings, and files that exist without being opened. */
interface InitializationOptions {
  settings?: RawSettings;
  /** Texts by URI, for a browser without folders. */
  files?: Readonly<Record<string, string>>;
}

/** Answers the messages of a connection. Call `connection.listen()` afterwards. */
export function serve(connection: Connection, host: Host): void {
  const workspace = new Workspace();
  const uriOf = (uri: string): string => uriIn(host, uri);
  const publisher = createPublisher(connection, workspace, host);
  const logFailure = (work: Promise<void>): void => logRejection(work, connection);
  let snippets = false;
  let watches = false;
  let hasFolders = false;
  let folders: readonly string[] = [];
  let read = readSettings({}, []);
  const folderUri = (uri: string): string => uriOf(uri).replace(/\/$/, '');
  const configure = (settings: RawSettings): void => {
    read = readSettings(settings, folders);
    workspace.configure(read.settings, read.preferred);
  };
  const readOpenapi = async (): Promise<void> => {
    const { settings, preferred, openapi: file } = read;
    const text = file === undefined ? undefined : await host.read?.(file);
    const openapi = file === undefined || text === undefined ? undefined : openapiIn(file, text);
    if (openapi !== undefined) workspace.configure({ ...settings, openapi }, preferred);
  };
  connection.onInitialize((params): InitializeResult => {
    const { textDocument, workspace: inWorkspace } = params.capabilities;
    snippets = textDocument?.completion?.completionItem?.snippetSupport === true;
    const isPulled = textDocument?.diagnostic !== undefined;
    publisher.start(isPulled, inWorkspace?.diagnostics?.refreshSupport === true);
    const { workspaceFolders, rootUri } = params;
    folders = (workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : [])).map(folderUri);
    for (const folder of folders) workspace.addRoot(folder);
    hasFolders = inWorkspace?.workspaceFolders === true;
    watches = host.read !== undefined && inWorkspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    const given = (params.initializationOptions ?? {}) as InitializationOptions;
    configure(given.settings ?? {});
    for (const [uri, text] of Object.entries(given.files ?? {})) workspace.setFile(uri, text);
    return {
      serverInfo: { name: 'render-rgd', version: host.version },
      capabilities: {
        ...(protocol.capabilities as InitializeResult['capabilities']),
        executeCommandProvider: {
          commands: ['show', 'graph', ...(host.test === undefined ? [] : ['test', 'updateTest'])].map(
            (name) => `render-rgd.${name}`,
          ),
        },
        ...(isPulled && { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: true } }),
      },
    };
  });
  const scan = async (below: readonly string[]): Promise<void> => {
    if (host.scan === undefined || below.length === 0) return;
    const progress = await connection.window.createWorkDoneProgress().catch(() => undefined);
    progress?.begin('render-rgd', undefined, 'reading the workspace');
    try {
      for await (const found of host.scan(below, (files) => progress?.report(`${files} files`))) {
        if ('repository' in found) workspace.addRoot(found.repository);
        else workspace.setFile(found.uri, found.text);
      }
    } finally {
      progress?.done();
    }
  };
  const changeFolders = async ({ added, removed }: WorkspaceFoldersChangeEvent): Promise<void> => {
    const [more, less] = [added, removed].map((list) => list.map(({ uri }) => folderUri(uri))) as [string[], string[]];
    folders = [...folders.filter((one) => !less.includes(one)), ...more];
    for (const folder of less) workspace.removeRoot(folder);
    for (const folder of more) workspace.addRoot(folder);
    await scan(more);
    publisher.changed();
  };
  const readWorkspace = async (): Promise<void> => {
    if (watches) await watchFiles(connection);
    if (hasFolders) connection.workspace.onDidChangeWorkspaceFolders((event) => logFailure(changeFolders(event)));
    await scan([...folders, ...read.preferred]);
    await readOpenapi();
    publisher.changed();
  };
  connection.onInitialized(() => logFailure(readWorkspace()));
  connection.onShutdown(() => publisher.stop());
  const documents = new TextDocuments(TextDocument);
  documents.onDidChangeContent(({ document }) => {
    workspace.open(uriOf(document.uri), document.getText(), document.version);
    publisher.changed();
  });
  documents.onDidClose(({ document }) => {
    workspace.close(uriOf(document.uri));
    publisher.changed();
  });
  documents.listen(connection);
  const readAgain = async ({ changes }: DidChangeWatchedFilesParams): Promise<void> => {
    if (host.read === undefined) return;
    for (const { uri } of changes) workspace.setFile(uriOf(uri), await host.read(uriOf(uri)));
    publisher.changed();
  };
  connection.onDidChangeWatchedFiles((event) => logFailure(readAgain(event)));
  const reconfigure = async ({ settings }: DidChangeConfigurationParams): Promise<void> => {
    const own = (settings as { 'render-rgd'?: RawSettings } | null)?.['render-rgd'];
    if (own === undefined) return;
    configure(own);
    await readOpenapi();
    publisher.changed();
  };
  connection.onDidChangeConfiguration((event) => logFailure(reconfigure(event)));
  answer(connection, workspace, host, () => snippets);
}

async function watchFiles(connection: Connection): Promise<void> {
  const registerOptions = { watchers: [{ globPattern: '**/*.{yaml,yml,json}' }] };
  const registration = { id: 'render-rgd-files', method: 'workspace/didChangeWatchedFiles', registerOptions };
  await connection.sendRequest('client/registerCapability', { registrations: [registration] }).catch(() => undefined);
}

/** Answers the requests of a client. */
function answer(connection: Connection, workspace: Workspace, host: Host, snippets: () => boolean): void {
  const uriOf = (uri: string): string => uriIn(host, uri);
  /** Asks about a file of a package, or a place in it; `nothing` is the answer for other files. */
  const about =
    <P extends { textDocument: TextDocumentIdentifier }, T>(nothing: T, ask: (file: SourceFile, params: P) => T) =>
    (params: P): T => {
      const file = workspace.fileToAnswer(uriOf(params.textDocument.uri));
      return file === undefined ? nothing : ask(file, params);
    };
  const at = <P extends TextDocumentPositionParams, T>(nothing: T, ask: (place: Place, params: P) => T) =>
    about(nothing, (file, params: P) => ask(new Place(file, file.offsetAt(params.position), workspace), params));
  connection.onCompletion(at([], (place) => completionsAt(place, snippets())));
  connection.onHover(async (request) => {
    // They are large, so that only a hover loads them.
    if (host.descriptions !== undefined && workspace.describe === undefined)
      workspace.describe = readDescriptions(await host.descriptions().catch(() => ''));
    return at(undefined, hoverAt)(request);
  });
  connection.onSignatureHelp(at(undefined, signatureAt));
  connection.onDefinition(at([], (place) => definitionAt(place)));
  connection.onReferences(at([], (place, { context }) => referencesAt(place, context.includeDeclaration)));
  connection.onDocumentHighlight(
    at([], (place) => referencesAt(place).flatMap(({ uri, range }) => (uri === place.file.uri ? { range } : []))),
  );
  connection.onPrepareRename(at(undefined, renameRange));
  connection.onRenameRequest(({ newName, ...request }) => {
    const edit = at(undefined, (place) => renameAt(place, newName))(request);
    return edit && 'fault' in edit ? new ResponseError(LSPErrorCodes.RequestFailed, edit.fault) : edit;
  });
  connection.onDocumentSymbol(about([], symbolsOf));
  connection.onWorkspaceSymbol(({ query }) => symbolsIn(workspace, query));
  connection.onDocumentLinks(({ textDocument: { uri } }) => {
    const file = workspace.files.get(uriOf(uri));
    return file && linksOf(file, workspace);
  });
  connection.onSelectionRanges(about([], (file, { positions }) => selectionsOf(file, positions)));
  connection.onFoldingRanges(about([], foldingOf));
  connection.languages.semanticTokens.on(about({ data: [] }, (file) => tokensOf(file, workspace)));
  connection.languages.inlayHint.on(about([], (file, { range }) => inlayHintsOf(file, range, workspace)));
  connection.onDocumentFormatting(about([], formattingOf));
  connection.onCodeAction(about([], (file, { range, context }) => actionsAt(file, range, workspace, context.only)));
  connection.onCodeLens(({ textDocument: { uri } }) => {
    const file = workspace.files.get(uriOf(uri));
    return file && lensesOf(file, workspace, host.test !== undefined);
  });
  connection.onExecuteCommand(({ command, arguments: [uri, what] = [] }) => {
    if (typeof uri !== 'string') return undefined;
    if (command === 'render-rgd.test' || command === 'render-rgd.updateTest')
      return host.test?.(uriOf(uri), command !== 'render-rgd.test');
    const title = typeof what === 'string' ? what : undefined;
    const ask = about(undefined, (file: SourceFile): string | undefined => {
      if (command === 'render-rgd.show') return previewOf(file, title, workspace);
      return command === 'render-rgd.graph' ? graphOf(file, title === 'svg' ? 'svg' : 'mermaid', workspace) : undefined;
    });
    return ask({ textDocument: { uri } });
  });
}

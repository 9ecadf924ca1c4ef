import {
  type Connection,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
  TextDocuments,
  type WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import protocol from '../../../data/language-server.json';
import { baseOf } from '../../core/text/paths.ts';
import { readDescriptions } from '../../kubernetes/schema/index.ts';
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
import { namesPaths, pathsNamedIn } from '../yaml/named-paths.ts';
import { createPublisher, type Publisher } from './publisher.ts';
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
  const server = new LanguageServer(connection, host);
  const logFailure = (work: Promise<void>): void => logRejection(work, connection);
  connection.onInitialize((params) => server.initialize(params));
  connection.onInitialized(() => logFailure(server.initialized()));
  connection.onShutdown(() => server.stop());
  const documents = new TextDocuments(TextDocument);
  documents.onDidOpen(({ document }) => server.noteIgnored([document.uri]));
  documents.onDidChangeContent(({ document }) => server.open(document));
  documents.onDidClose(({ document }) => server.close(document.uri));
  documents.listen(connection);
  connection.onDidChangeWatchedFiles(({ changes }) => logFailure(server.changeFiles(changes)));
  connection.onDidChangeConfiguration(({ settings }) => logFailure(server.changeSettings(settings)));
  answer(connection, server.workspace, host, () => server.hasSnippets);
}

/** The state of a connection: the workspace, its settings, and what the client supports. */
class LanguageServer {
  readonly workspace = new Workspace();
  /** The client supports completions with placeholders. */
  hasSnippets = false;
  readonly #connection: Connection;
  readonly #host: Host;
  readonly #publisher: Publisher;
  #canWatch = false;
  #hasFolders = false;
  #folders: readonly string[] = [];
  #read = readSettings({}, []);

  constructor(connection: Connection, host: Host) {
    this.#connection = connection;
    this.#host = host;
    this.workspace.exists = host.exists?.bind(host);
    this.#publisher = createPublisher(connection, this.workspace, host);
  }

  initialize({ capabilities, workspaceFolders, rootUri, initializationOptions }: InitializeParams): InitializeResult {
    const { textDocument, workspace: inWorkspace } = capabilities;
    this.hasSnippets = textDocument?.completion?.completionItem?.snippetSupport === true;
    const isPulled = textDocument?.diagnostic !== undefined;
    this.#publisher.start(isPulled, inWorkspace?.diagnostics?.refreshSupport === true);
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    this.#folders = uris.map((uri) => this.#folderUri(uri));
    for (const folder of this.#folders) this.workspace.addRoot(folder);
    this.#hasFolders = inWorkspace?.workspaceFolders === true;
    const registersWatchers = inWorkspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    this.#canWatch = this.#host.read !== undefined && registersWatchers;
    const given = (initializationOptions ?? {}) as InitializationOptions;
    this.#configure(given.settings ?? {});
    for (const [uri, text] of Object.entries(given.files ?? {})) this.workspace.setFile(uri, text);
    const commands = this.#host.test === undefined ? ['show', 'graph'] : ['show', 'graph', 'test', 'updateTest'];
    return {
      serverInfo: { name: 'render-rgd', version: this.#host.version },
      capabilities: {
        ...(protocol.capabilities as InitializeResult['capabilities']),
        executeCommandProvider: { commands: commands.map((name) => `render-rgd.${name}`) },
        ...(isPulled && { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: true } }),
      },
    };
  }

  async initialized(): Promise<void> {
    if (this.#canWatch) await watchFiles(this.#connection);
    if (this.#hasFolders) {
      this.#connection.workspace.onDidChangeWorkspaceFolders((change) =>
        logRejection(this.#changeFolders(change), this.#connection),
      );
    }
    try {
      await this.#scanAll();
      await this.#readOpenapi();
    } finally {
      this.#publisher.scanned();
    }
  }

  /** Reads the files of the workspace, and of its settings. */
  async #scanAll(): Promise<void> {
    await this.#scan(this.#folders);
    await this.#scan(this.#read.preferred, true);
    await this.#scanNamed();
  }

  stop(): void {
    this.#publisher.stop();
  }

  open(document: TextDocument): void {
    const uri = this.#uriOf(document.uri);
    this.workspace.open(uri, document.getText(), document.version);
    this.#publisher.changed();
    const file = this.workspace.files.get(uri);
    if (!this.workspace.ignored.isEmpty && file !== undefined && namesPaths(file))
      logRejection(this.#scanNamed(), this.#connection);
  }

  /** Notes which of some files git ignores. */
  noteIgnored(uris: readonly string[]): void {
    const own = uris.map((uri) => this.#uriOf(uri));
    for (const uri of this.#host.ignored?.(own) ?? []) this.workspace.ignore(uri);
  }

  close(uri: string): void {
    this.workspace.close(this.#uriOf(uri));
    this.#publisher.changed();
  }

  /** Reads files again that changed on disk. */
  async changeFiles(changes: readonly { uri: string }[]): Promise<void> {
    if (this.#host.read === undefined) return;
    if (changes.some(({ uri }) => baseOf(uri) === '.gitignore')) {
      this.workspace.forgetDisk();
      await this.#scanAll();
      this.#publisher.changed();
      return;
    }
    this.noteIgnored(changes.map(({ uri }) => uri));
    for (const { uri } of changes) {
      const own = this.#uriOf(uri);
      this.workspace.setFile(own, this.workspace.ignored.has(own) ? undefined : await this.#host.read(own));
    }
    await this.#scanNamed();
    this.#publisher.changed();
  }

  async changeSettings(settings: unknown): Promise<void> {
    const own = (settings as { 'render-rgd'?: RawSettings } | null)?.['render-rgd'];
    if (own === undefined) return;
    this.#configure(own);
    await this.#readOpenapi();
    this.#publisher.changed();
  }

  #uriOf(uri: string): string {
    return uriIn(this.#host, uri);
  }

  #folderUri(uri: string): string {
    return this.#uriOf(uri).replace(/\/$/, '');
  }

  #configure(settings: RawSettings): void {
    this.#read = readSettings(settings, this.#folders);
    this.workspace.configure(this.#read.settings, this.#read.preferred);
  }

  async #readOpenapi(): Promise<void> {
    const { settings, preferred, openapi: file } = this.#read;
    const text = file === undefined ? undefined : await this.#host.read?.(file);
    const openapi = file === undefined || text === undefined ? undefined : openapiIn(file, text);
    if (openapi !== undefined) this.workspace.configure({ ...settings, openapi }, preferred);
  }

  /** Reads what git ignores and a file of the workspace names, until nothing new is named. */
  async #scanNamed(): Promise<void> {
    for (let named = this.#named(); named.length > 0; named = this.#named()) {
      await this.#scan(named, true);
      this.#publisher.changed();
    }
  }

  #named(): string[] {
    return this.workspace.includeNamed(pathsNamedIn);
  }

  /** Reads the files below folders, while the client shows the progress. */
  async #scan(below: readonly string[], readsIgnored = false): Promise<void> {
    if (this.#host.scan === undefined || below.length === 0) return;
    const progress = await this.#connection.window.createWorkDoneProgress().catch(() => undefined);
    progress?.begin('render-rgd', undefined, 'reading the workspace');
    try {
      for await (const found of this.#host.scan(below, (files) => progress?.report(`${files} files`), readsIgnored)) {
        if ('repository' in found) this.workspace.addRoot(found.repository);
        else if ('ignored' in found) this.workspace.ignore(found.ignored);
        else if ('unread' in found) this.#warn(found.unread);
        else this.workspace.setFile(found.uri, found.text);
      }
    } finally {
      progress?.done();
    }
  }

  #warn(reason: string): void {
    const text = `render-rgd: ${reason}: not all files of the workspace are read`;
    this.#connection.window.showWarningMessage(text);
  }

  async #changeFolders({ added, removed }: WorkspaceFoldersChangeEvent): Promise<void> {
    const more = added.map(({ uri }) => this.#folderUri(uri));
    const less = removed.map(({ uri }) => this.#folderUri(uri));
    this.#folders = [...this.#folders.filter((one) => !less.includes(one)), ...more];
    for (const folder of less) this.workspace.removeRoot(folder);
    for (const folder of more) this.workspace.addRoot(folder);
    await this.#scan(more);
    await this.#scanNamed();
    this.#publisher.changed();
  }
}

async function watchFiles(connection: Connection): Promise<void> {
  const registerOptions = { watchers: [{ globPattern: '**/*.{yaml,yml,json}' }, { globPattern: '**/.gitignore' }] };
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
    const given = typeof what === 'string' ? what : undefined;
    const ask = about(undefined, (file: SourceFile): string | undefined => {
      if (command === 'render-rgd.show') return previewOf(file, given, workspace);
      return command === 'render-rgd.graph' ? graphOf(file, given === 'svg' ? 'svg' : 'mermaid', workspace) : undefined;
    });
    return ask({ textDocument: { uri } });
  });
}

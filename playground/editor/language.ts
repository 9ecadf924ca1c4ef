import {
  findReferencesKeymap,
  formatDocument,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  serverCompletion,
  signatureHelp,
  type Transport,
  Workspace,
  type WorkspaceFile,
} from '@codemirror/lsp-client';
import { type ChangeSet, Text } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type { App } from '../app.ts';
import { startLanguageServer } from '../engine/start.ts';
import type { Workspace as Files } from '../state/workspace.ts';
import { Assist } from './assist.ts';
import { isDeep } from './depth.ts';
import type { FileEditor } from './editor.ts';
import { sanitized } from './sanitize.ts';
import { snippetForClient } from './snippet.ts';
import { writing } from './writing.ts';

const FOLDER = 'file:///package/';
/** All files are one package, whatever folders their names contain: the server groups them by folder. */
const uriOf = (name: string): string => FOLDER + encodeURIComponent(name);
const nameOf = (uri: string): string => decodeURIComponent(uri.slice(FOLDER.length));

/** Connects the editor to the language server. */
export async function connectLanguageServer(app: App): Promise<void> {
  const { editor, workspace: files } = app;
  const transport = await transportOf(startLanguageServer(), (name) => shownText(app, name));
  const client = new LSPClient({
    rootUri: FOLDER,
    // The first request may be slow on a busy machine.
    timeout: 60_000,
    workspace: (own) => new OpenFiles(own, editor, files),
    sanitizeHTML: sanitized,
    // The page marks the diagnostics of the rendering and of the same validation with its own options: those of the
    // server are not requested.
    extensions: [
      { clientCapabilities: { textDocument: { diagnostic: {} } } },
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
      keymap.of([...jumpToDefinitionKeymap, ...findReferencesKeymap, ...formatKeymap]),
    ],
  });
  client.connect(transport);
  await client.initializing;
  editor.format = (): void => void formatDocument(editor.view);
  const assist = new Assist(client, app, { nameOf, uriOf });
  editor.extend((name) => {
    const file = files.file(name);
    if (file === undefined || isDeep(file.text)) return writing;
    return [writing, client.plugin(uriOf(name), 'yaml'), assist.extensionOf(uriOf(name))];
  });
}

/** Returns the text of a file that an editor shows; undefined for others. */
const shownText = ({ editor, workspace }: App, name: string): string | undefined =>
  editor.panes.some((pane) => pane.name === name) ? workspace.file(name)?.text : undefined;

/** Requests whose answers have positions that the client reads in the text that is shown when they arrive. */
const POSITIONED: readonly string[] = ['textDocument/hover', 'textDocument/definition', 'textDocument/signatureHelp'];

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly textDocument?: { readonly uri?: string } };
}

/** What a request was about: an answer about another text is dropped. */
interface Asked {
  readonly name: string;
  readonly text: string | undefined;
}

/** Passes messages; the worker first reports that it is ready. */
function transportOf(worker: Worker, textOf: (name: string) => string | undefined): Promise<Transport> {
  const handlers = new Set<(value: string) => void>();
  const asked = new Map<number | string, Asked>();
  const send = (message: string): void => {
    const request = JSON.parse(message) as Request;
    const { id, method = '', params } = request;
    const uri = params?.textDocument?.uri;
    if (id !== undefined && uri !== undefined && POSITIONED.includes(method)) {
      const name = nameOf(uri);
      asked.set(id, { name, text: textOf(name) });
    }
    worker.postMessage(request);
  };
  const withoutOutdated = (message: Answered): object => {
    const about = message.id === undefined ? undefined : asked.get(message.id);
    if (about === undefined || message.id === undefined) return message;
    asked.delete(message.id);
    return textOf(about.name) === about.text ? message : { ...message, result: null };
  };
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => {
      // A request that fails has no answer; the page works without it.
      event.preventDefault();
      reject(new Error(event.message || 'the language server could not be loaded'));
    };
    worker.onmessage = ({ data }: MessageEvent<object>) => {
      if ('ready' in data) {
        resolve({
          send,
          subscribe: (handler) => void handlers.add(handler),
          unsubscribe: (handler) => void handlers.delete(handler),
        });
        return;
      }
      const text = JSON.stringify(withSnippets(withLocations(withoutOutdated(data))));
      for (const handler of handlers) handler(text);
    };
  });
}

interface Answered {
  readonly id?: number | string;
}

interface Link {
  readonly targetUri: string;
  readonly targetSelectionRange: object;
}

/** The server returns links, and the client reads locations. */
function withLocations(message: { result?: unknown }): object {
  const { result } = message;
  const isLinks =
    Array.isArray(result) && result.some((one) => typeof one === 'object' && one !== null && 'targetUri' in one);
  if (!isLinks) return message;
  const locations = (result as Link[]).map(({ targetUri: uri, targetSelectionRange: range }) => ({ uri, range }));
  return { ...message, result: locations };
}

interface Item {
  readonly insertTextFormat?: number;
  readonly textEdit?: { readonly newText: string };
}

/** `InsertTextFormat.Snippet` of the protocol. */
const SNIPPET = 2;

/** The client converts snippets in a way that loses escaped text. */
function withSnippets(message: { result?: unknown }): object {
  const { result } = message;
  if (!Array.isArray(result)) return message;
  return { ...message, result: result.map(withSnippet) };
}

function withSnippet(item: Item | null): unknown {
  if (item?.insertTextFormat !== SNIPPET || item.textEdit === undefined) return item;
  const { newText } = item.textEdit;
  return { ...item, textEdit: { ...item.textEdit, newText: snippetForClient(newText) } };
}

interface OpenFile extends WorkspaceFile {
  view: EditorView | null;
}

/** Opens every file of the page for the server; one of them has the view. */
class OpenFiles extends Workspace {
  files: OpenFile[] = [];
  readonly #editor: FileEditor;
  readonly #files: Files;

  constructor(client: LSPClient, editor: FileEditor, files: Files) {
    super(client);
    this.#editor = editor;
    this.#files = files;
    this.#take();
    files.listen((change) => {
      if (change === 'files' || change === 'package') this.#take();
    });
  }

  syncFiles(): { changes: ChangeSet; file: WorkspaceFile; prevDoc: Text }[] {
    return this.files.flatMap((file) => {
      const plugin = file.view === null ? null : LSPPlugin.get(file.view);
      if (plugin === null || file.view === null || plugin.uri !== file.uri || plugin.unsyncedChanges.empty) return [];
      const { unsyncedChanges: changes } = plugin;
      const prevDoc = file.doc;
      file.doc = file.view.state.doc;
      file.version += 1;
      plugin.clear();
      return [{ changes, file, prevDoc }];
    });
  }

  openFile(uri: string, _language: string, view: EditorView): void {
    // The editor may show a file of a new package before this workspace is updated.
    this.#take();
    const file = this.files.find((one) => one.uri === uri);
    if (file === undefined) return;
    file.view = view;
    this.#replace(file, view.state.doc);
  }

  closeFile(uri: string, view: EditorView): void {
    const file = this.files.find((one) => one.uri === uri);
    if (file?.view !== view) return;
    file.view = null;
    this.#take();
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    if (!uri.startsWith(FOLDER) || this.#files.file(nameOf(uri)) === undefined) return null;
    this.#files.activate(nameOf(uri));
    return this.#editor.view;
  }

  #take(): void {
    const wanted = new Map(
      this.#files.files
        .filter(({ role, text }) => role !== 'inputs' && !isDeep(text))
        .map(({ name, text }) => [uriOf(name), text]),
    );
    for (const { uri } of this.files.filter((file) => !wanted.has(file.uri))) {
      this.files = this.files.filter((file) => file.uri !== uri);
      if (this.client.connected) this.client.didClose(uri);
    }
    for (const [uri, text] of wanted) {
      const doc = Text.of(text.split('\n'));
      const known = this.files.find((file) => file.uri === uri);
      if (known !== undefined) {
        if (known.view === null) this.#replace(known, doc);
        continue;
      }
      const file: OpenFile = { uri, languageId: 'yaml', version: 0, doc, view: null, getView: () => file.view };
      this.files.push(file);
      if (this.client.connected) this.client.didOpen(file);
    }
  }

  /** Sends the whole text after changes other than typing. */
  #replace(file: OpenFile, doc: Text): void {
    if (file.doc.eq(doc)) return;
    file.doc = doc;
    file.version += 1;
    if (!this.client.connected) return;
    this.client.didClose(file.uri);
    this.client.didOpen(file);
  }
}

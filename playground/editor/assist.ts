import { type LSPClient, LSPPlugin } from '@codemirror/lsp-client';
import { type Extension, Prec, type Range, RangeSet, StateEffect, StateField, type Text } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { App } from '../app.ts';
import type { Located, PackageFile } from '../engine/protocol.ts';
import type { Fix } from '../panels/problems.ts';
import { askText } from '../ui/ask.ts';
import { h } from '../ui/dom.ts';
import { openMenu } from '../ui/menu.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}
interface Span {
  readonly start: Position;
  readonly end: Position;
}
interface TextEdit {
  readonly range: Span;
  readonly newText: string;
}
interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly TextEdit[]>>;
  readonly documentChanges?: readonly {
    readonly textDocument: { readonly uri: string };
    readonly edits: readonly TextEdit[];
  }[];
}
/** The name at a position. */
interface Prepared {
  readonly placeholder: string;
}
interface CodeAction {
  readonly title: string;
  readonly kind?: string;
  readonly isPreferred?: boolean;
  readonly diagnostics?: readonly { readonly code?: string | number }[];
  readonly edit?: WorkspaceEdit;
}
interface DocumentSymbol {
  readonly name: string;
  readonly detail?: string;
  readonly selectionRange: Span;
  readonly children?: readonly DocumentSymbol[];
}
interface CodeLens {
  readonly range: Span;
  readonly command?: { readonly title: string; readonly command: string };
}

type AssistedApp = Pick<App, 'workspace' | 'editor' | 'notify' | 'showResults' | 'problems' | 'reveal'>;

/** Milliseconds without a change until code lenses are requested. */
const PAUSE = 600;

const offsetAt = (doc: Text, { line, character }: Position): number => {
  const { from, to } = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(from + character, to);
};
const positionAt = (doc: Text, offset: number): Position => {
  const { number, from } = doc.lineAt(offset);
  return { line: number - 1, character: offset - from };
};

/** The URIs of files. */
interface Uris {
  readonly nameOf: (uri: string) => string;
  readonly uriOf: (name: string) => string;
}

/** A change of several files, which one command takes back. */
interface Joint {
  readonly before: readonly PackageFile[];
  readonly after: readonly PackageFile[];
}

/** Names, fixes, symbols and lenses of the language server, which the client has no user interface for. */
export class Assist {
  readonly #client: LSPClient;
  readonly #app: AssistedApp;
  readonly #nameOf: (uri: string) => string;
  readonly #uriOf: (name: string) => string;
  /** The last change of several files. */
  #joint: Joint | undefined;

  constructor(client: LSPClient, app: AssistedApp, { nameOf, uriOf }: Uris) {
    this.#client = client;
    this.#app = app;
    this.#nameOf = nameOf;
    this.#uriOf = uriOf;
    app.editor.onFix = (view) => void this.#fix(view);
    app.editor.fixesAt = (place, code) => this.#fixesOf(place, code);
  }

  /** Returns the keys and lenses of the file with a URI. */
  extensionOf(uri: string): Extension {
    return [
      // Before the key of the history of this file alone.
      Prec.high(keymap.of([{ key: 'Mod-z', run: () => this.#undoAll() }])),
      keymap.of([
        { key: 'F2', run: (view) => this.#run(this.#rename(view, uri)), preventDefault: true },
        { key: 'Mod-.', run: (view) => this.#run(this.#fix(view)) },
        { key: 'F8', run: (view) => this.#next(view, 1), shift: (view) => this.#next(view, -1) },
        { key: 'Mod-Shift-o', run: (view) => this.#run(this.#symbols(view, uri)), preventDefault: true },
      ]),
      lensField,
      this.#lenses(uri),
    ];
  }

  #run(work: Promise<void>): true {
    work.catch((error: Error) => this.#app.notify(error.message));
    return true;
  }

  /** Goes to the next problem of all files, or to the previous one with -1. */
  #next({ state }: EditorView, step: 1 | -1): boolean {
    const { workspace } = this.#app;
    const order = new Map(workspace.files.map(({ name }, index) => [name, index]));
    const found = this.#app
      .problems()
      .flatMap(({ file, line, column = 1 }) =>
        file !== undefined && line !== undefined && order.has(file) ? [{ file, line, column }] : [],
      );
    const { line, character } = positionAt(state.doc, state.selection.main.head);
    const here = { file: workspace.active, line: line + 1, column: character + 1 };
    const compare = (a: typeof here, b: typeof here): number =>
      (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.column - b.column;
    const sorted = found.sort((a, b) => step * compare(a, b));
    const next = sorted.find((one) => step * compare(one, here) > 0) ?? sorted[0];
    if (next !== undefined) this.#app.reveal(next);
    else this.#app.notify('No problems.');
    return true;
  }

  /** Renames what is at the cursor in all files, or in none of them if the server refuses. */
  async #rename(view: EditorView, uri: string): Promise<void> {
    this.#client.sync();
    const at = { textDocument: { uri }, position: positionAt(view.state.doc, view.state.selection.main.head) };
    const found = await this.#client.request<object, Prepared | null>('textDocument/prepareRename', at);
    if (found === null) return this.#app.notify('There is no name to change at the cursor.');
    const { placeholder: name } = found;
    const newName = await askText(`New name of ${name}`, name, (text) =>
      text === '' ? 'A name has at least one character.' : undefined,
    );
    view.focus();
    if (newName === undefined || newName === name) return;
    this.#apply(await this.#client.request<object, WorkspaceEdit>('textDocument/rename', { ...at, newName }));
  }

  /** Returns the changes that correct a problem at its place. */
  async #fixesOf({ file, line, column }: Located, code: string): Promise<readonly Fix[]> {
    this.#client.sync();
    const position = { line: line - 1, character: column - 1 };
    const found = await this.#client
      .request<object, readonly CodeAction[] | null>('textDocument/codeAction', {
        textDocument: { uri: this.#uriOf(file) },
        range: { start: position, end: position },
        context: { diagnostics: [] },
      })
      .catch(() => null);
    const fixes = (found ?? []).filter(({ kind, edit }) => kind?.startsWith('quickfix') === true && edit !== undefined);
    const own = fixes.filter(({ diagnostics }) => diagnostics?.some((one) => one.code === code) === true);
    return (own.length > 0 ? own : fixes).map(({ title, isPreferred = false, edit }) => ({
      title,
      isPreferred,
      run: () => this.#apply(edit),
    }));
  }

  /** Offers the actions of the language server at the cursor. */
  async #fix(view: EditorView): Promise<void> {
    this.#client.sync();
    const { doc, selection } = view.state;
    const { from, to } = selection.main;
    const uri = LSPPlugin.get(view)?.uri;
    if (uri === undefined) return;
    const found = await this.#client.request<object, readonly CodeAction[] | null>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: positionAt(doc, from), end: positionAt(doc, to) },
      context: { diagnostics: [] },
    });
    if (found === null || found.length === 0) return this.#app.notify('There is no fix for this place.');
    const items = found.map((action) => ({ title: action.title, run: () => this.#apply(action.edit) }));
    openMenu(view.contentDOM, 'Fixes', items, anchorAt(view, from));
  }

  #apply(edit: WorkspaceEdit | undefined): void {
    const { workspace, editor } = this.#app;
    const before = workspace.files;
    const changed = [
      ...Object.entries(edit?.changes ?? {}),
      ...(edit?.documentChanges ?? []).map(({ textDocument, edits }) => [textDocument.uri, edits] as const),
    ];
    for (const [uri, edits] of changed) {
      const name = this.#nameOf(uri);
      const shown = editor.panes.find((pane) => pane.name === name);
      const text = workspace.file(name)?.text;
      if (shown !== undefined) {
        const { doc } = shown.view.state;
        const changes = edits.map(({ range: { start, end }, newText }) => ({
          from: offsetAt(doc, start),
          to: offsetAt(doc, end),
          insert: newText,
        }));
        shown.view.dispatch({ changes, userEvent: 'input' });
      } else if (text !== undefined) workspace.setText(name, withEdits(text, edits), 'files');
    }
    if (changed.length < 2) return;
    this.#joint = { before, after: workspace.files };
    this.#app.notify(`${changed.length} files changed.`, { text: 'Undo', run: () => workspace.sync(before) });
  }

  /** Takes back a change of several files if nothing was changed since. */
  #undoAll(): boolean {
    const { workspace } = this.#app;
    const joint = this.#joint;
    this.#joint = undefined;
    if (joint === undefined || !isSame(joint.after, workspace.files)) return false;
    workspace.sync(joint.before);
    return true;
  }

  /** Lists the objects and nodes of the file. */
  async #symbols(view: EditorView, uri: string): Promise<void> {
    this.#client.sync();
    const found = await this.#client.request<object, readonly DocumentSymbol[] | null>('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    const items = (found ?? []).flatMap(({ name, children = [] }) => [
      name,
      ...children.map(({ name: title, detail = '', selectionRange }) => ({
        title,
        note: detail,
        run: () => {
          const anchor = offsetAt(view.state.doc, selectionRange.start);
          view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
          view.focus();
        },
      })),
    ]);
    if (!items.some((item) => typeof item !== 'string')) return this.#app.notify('This file has no nodes.');
    openMenu(view.contentDOM, 'Symbols', items, anchorAt(view, view.state.selection.main.head));
  }

  /** Requests the lenses of a file after a pause in typing. */
  #lenses(uri: string): Extension {
    const client = this.#client;
    const run = (command: string): void => this.#app.showResults(command === 'render-rgd.graph' ? 'graph' : 'objects');
    return ViewPlugin.fromClass(
      class {
        #waiting = 0;
        #isGone = false;
        readonly #view: EditorView;
        constructor(view: EditorView) {
          this.#view = view;
          this.#ask();
        }
        update({ docChanged }: ViewUpdate): void {
          if (docChanged) this.#ask();
        }
        destroy(): void {
          this.#isGone = true;
          clearTimeout(this.#waiting);
        }
        #ask(): void {
          clearTimeout(this.#waiting);
          this.#waiting = window.setTimeout(() => void this.#show(), PAUSE);
        }
        async #show(): Promise<void> {
          client.sync();
          const { doc } = this.#view.state;
          const found = await client
            .request<object, readonly CodeLens[] | null>('textDocument/codeLens', { textDocument: { uri } })
            .catch(() => null);
          if (this.#isGone || !this.#view.state.doc.eq(doc)) return;
          this.#view.dispatch({ effects: setLenses.of(lensesOf(doc, found ?? [], run)) });
        }
      },
    );
  }
}

const setLenses = StateEffect.define<DecorationSet>();
const lensField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lenses, { changes, effects }) =>
    effects.reduce((now, effect) => (effect.is(setLenses) ? effect.value : now), lenses.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

class LensWidget extends WidgetType {
  readonly #title: string;
  readonly #run: () => void;
  constructor(title: string, run: () => void) {
    super();
    this.#title = title;
    this.#run = run;
  }
  override eq(other: LensWidget): boolean {
    return other.#title === this.#title;
  }
  override toDOM(): HTMLElement {
    return h(
      'span',
      { class: 'cm-lens', on: { mousedown: (event) => event.preventDefault(), click: this.#run } },
      this.#title,
    );
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

function lensesOf(doc: Text, lenses: readonly CodeLens[], run: (command: string) => void): DecorationSet {
  const ranges = lenses.flatMap(({ range, command }): Range<Decoration>[] => {
    if (command === undefined) return [];
    const at = doc.lineAt(offsetAt(doc, range.start)).to;
    const widget = new LensWidget(command.title, () => run(command.command));
    return [Decoration.widget({ widget, side: 1 }).range(at)];
  });
  return RangeSet.of(ranges, true);
}

const isSame = (a: readonly PackageFile[], b: readonly PackageFile[]): boolean =>
  a.length === b.length && a.every(({ name, text }, at) => b[at]?.name === name && b[at]?.text === text);

function withEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: Position): number => (starts[line] ?? text.length) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (now, { range: { start, end }, newText }) => now.slice(0, offset(start)) + newText + now.slice(offset(end)),
      text,
    );
}

function anchorAt(view: EditorView, at: number): DOMRect {
  const coords = view.coordsAtPos(at) ?? view.dom.getBoundingClientRect();
  return new DOMRect(coords.left, coords.top, 1, Math.min(coords.bottom - coords.top, 24));
}

import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../../src/api/index.ts';
import { changedRange } from '../../src/core/text/changed-range.ts';
import type { Located } from '../engine/protocol.ts';
import type { Fix } from '../panels/problems.ts';
import { counterpartOf, type Side, sideOf } from '../state/story.ts';
import type { Workspace } from '../state/workspace.ts';
import { h } from '../ui/dom.ts';
import { splitter } from '../ui/splitter.ts';
import type { OnFix } from './marks.ts';
import { offsetOf } from './offset.ts';
import { bare, yamlEditor } from './setup.ts';

/** A pane that shows a file. */
interface ShownPane {
  readonly side: Side;
  readonly name: string;
  readonly title: HTMLElement;
  readonly view: EditorView;
}

/** A view of the editor, with the file that it shows. */
interface Pane {
  readonly side: Side;
  readonly element: HTMLElement;
  readonly title: HTMLElement;
  readonly view: EditorView;
  shown: string;
}

/**
 * The editor of the files: a pane for definitions and one for instances. Each file has a state of its own, with its
 * history; the pane of the active file is the active one.
 */
export class FileEditor {
  readonly #panes: Readonly<Record<Side, Pane>>;
  readonly #states = new Map<string, EditorState>();
  readonly #workspace: Workspace;
  #side: Side = 'definition';
  #diagnostics: readonly Diagnostic[] = [];
  #marks: typeof import('./marks.ts') | undefined;
  /** Further extensions for every file, such as the client of a language server. */
  #more: (name: string) => Extension = () => [];
  readonly #place = new Compartment();
  onCursor: () => void = () => undefined;
  /** Formats the file of the active editor, when the language server is connected. */
  format: () => void = () => undefined;
  /** Offers fixes at the cursor of a view; set when the language server is connected. */
  onFix: OnFix | undefined;
  /** Returns the fixes of a problem; none until the language server is connected. */
  fixesAt: (place: Located, code: string) => Promise<readonly Fix[]> = async () => [];
  /** Called when a pane shows another file. */
  onShow: () => void = () => undefined;

  constructor(parent: HTMLElement, workspace: Workspace) {
    this.#workspace = workspace;
    this.#panes = { definition: paneOf('definition'), instance: paneOf('instance') };
    const { definition, instance } = this.#panes;
    const bar = splitter({
      name: 'upper',
      label: 'Height of the upper editor',
      container: parent,
      axis: 'y',
      initial: 62,
    });
    parent.replaceChildren(definition.element, bar, instance.element);
    for (const pane of [definition, instance])
      pane.view.dom.addEventListener('focusin', () => workspace.activate(pane.shown));
    workspace.listen((change) => {
      if (change === 'files' || change === 'package') this.#reload(change === 'package');
      else if (change === 'active') this.#arrange();
    });
    this.#arrange();
  }

  /** The view of the active file. */
  get view(): EditorView {
    return this.#panes[this.#side].view;
  }

  get shown(): string {
    return this.#panes[this.#side].shown;
  }

  /** The panes that show a file, with the elements above their texts. */
  get panes(): readonly ShownPane[] {
    return this.#visible.map(({ side, shown: name, title, view }) => ({ side, name, title, view }));
  }

  get #visible(): readonly Pane[] {
    return Object.values(this.#panes).filter(({ element }) => !element.hidden);
  }

  /** Adds an extension to every file. */
  extend(more: (name: string) => Extension): void {
    this.#more = more;
    const effects = (name: string) => this.#place.reconfigure(more(name));
    const shown = this.#visible.map((pane) => pane.shown);
    for (const [name, state] of this.#states)
      if (!shown.includes(name)) this.#states.set(name, state.update({ effects: effects(name) }).state);
    for (const pane of this.#visible) pane.view.dispatch({ effects: effects(pane.shown) });
  }

  /** Shows a location of a file and moves the cursor there. */
  reveal(file: string, line: number, column: number): void {
    if (this.#workspace.file(file) === undefined) return;
    this.point({ file, line, column });
    this.view.focus();
  }

  /** Does the same without the focus. */
  point({ file, line, column }: Located): void {
    this.#workspace.activate(file);
    const anchor = offsetOf(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  }

  /** Brings a location into sight if its file is shown, without moving the cursor. */
  scrollTo({ file, line, column }: Located): void {
    const pane = this.#visible.find(({ shown }) => shown === file);
    if (pane === undefined) return;
    const at = offsetOf(pane.view.state.doc, line, column);
    pane.view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 90 }) });
  }

  /** Marks the diagnostics of the files that are shown. */
  mark(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics = diagnostics;
    for (const pane of this.#visible) this.#mark(pane);
  }

  /** Marks a pane; what marks is loaded with the first diagnostic. */
  #mark({ view, shown }: Pane): void {
    const own = this.#diagnostics.filter(({ file, line }) => file === shown && line !== undefined);
    if (this.#marks !== undefined) this.#marks.markDiagnostics(view, own, this.onFix);
    else if (own.length > 0) void this.#loadMarks();
  }

  async #loadMarks(): Promise<void> {
    this.#marks ??= await import('./marks.ts');
    this.mark(this.#diagnostics);
  }

  /** Shows the active file in the pane of its side, and a file that belongs to it in the other one. */
  #arrange(): void {
    const { files, active } = this.#workspace;
    const file = this.#workspace.file(active);
    this.#side = file === undefined ? 'definition' : sideOf(file);
    const other = this.#side === 'definition' ? 'instance' : 'definition';
    const kept = this.#workspace.file(this.#panes[other].shown);
    const isKept = kept !== undefined && kept !== file && sideOf(kept) === other;
    const beside = isKept ? kept : counterpartOf(file, files, other);
    this.#show(this.#panes[other], beside?.name);
    this.#show(this.#panes[this.#side], active);
    for (const pane of Object.values(this.#panes))
      pane.element.classList.toggle('active', pane === this.#panes[this.#side]);
    this.#panes.definition.element.parentElement?.classList.toggle('single', this.#visible.length === 1);
    this.onShow();
  }

  #show(pane: Pane, name: string | undefined): void {
    pane.element.hidden = name === undefined;
    // The keys that move between tabs find those of visible panes only.
    if (name === undefined) pane.title.replaceChildren();
    const isShown = name === pane.shown && (name === undefined || this.#states.has(name));
    if (isShown) return;
    this.#keep(pane);
    // Another pane may still show it.
    for (const one of Object.values(this.#panes)) if (one.shown === name) this.#keep(one);
    pane.shown = name ?? '';
    if (name === undefined) return;
    const state = this.#states.get(name) ?? this.#create(name);
    this.#states.set(name, state);
    pane.view.setState(state);
    this.#mark(pane);
  }

  /** Stores the state of a pane before it shows another file. */
  #keep(pane: Pane): void {
    if (this.#states.has(pane.shown)) this.#states.set(pane.shown, pane.view.state);
  }

  #create(name: string): EditorState {
    const file = this.#workspace.file(name);
    return EditorState.create({
      doc: file?.text ?? '',
      extensions: [
        yamlEditor(name === '' ? 'No file' : `Text of ${name}`, file?.text ?? ''),
        EditorState.readOnly.of(file === undefined),
        this.#place.of(this.#more(name)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.#workspace.setText(name, update.state.doc.toString());
          if (update.selectionSet || update.docChanged) this.onCursor();
        }),
      ],
    });
  }

  /** Updates the states after files were added, removed or replaced; those of another package have no history. */
  #reload(isOther: boolean): void {
    const panes = Object.values(this.#panes);
    for (const pane of panes) this.#keep(pane);
    for (const [name, state] of this.#states) {
      const changes = changesTo(state.doc, this.#workspace.file(name)?.text);
      const pane = panes.find(({ shown }) => shown === name);
      if (changes === undefined || isOther) this.#states.delete(name);
      else if (changes.length > 0 && pane !== undefined) pane.view.dispatch({ changes });
      else if (changes.length > 0) this.#states.set(name, state.update({ changes }).state);
    }
    if (isOther) for (const pane of panes) pane.shown = '';
    this.#arrange();
  }
}

function paneOf(side: Side): Pane {
  const title = h('div', { class: 'pane-title' });
  const body = h('div', { class: 'pane-body' });
  const element = h('div', { class: `pane ${side}` }, title, body);
  const view = new EditorView({ parent: body, state: EditorState.create({ extensions: bare }) });
  return { side, element, title, view, shown: '' };
}

/** Returns what changed between a document and a text; undefined without a text. */
function changesTo(doc: Text, text: string | undefined): { from: number; to: number; insert: string }[] | undefined {
  if (text === undefined) return undefined;
  const range = changedRange(doc.toString(), text.replace(/\r\n?/g, '\n'));
  return range === undefined ? [] : [{ from: range.start, to: range.end, insert: range.insert }];
}

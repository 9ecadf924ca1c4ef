import { type Diagnostic as Mark, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Diagnostic } from '../../src/api/index.ts';
import type { Workspace } from '../state/workspace.ts';
import { bare, yamlEditor } from './setup.ts';

/** Returns the offset of a position in a document; lines and columns count from 1, columns in UTF-16 units. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(at.from + Math.max(column, 1) - 1, at.to);
}

/** The editor of the files: one view, and a state for each file, so that each has its own history. */
export class FileEditor {
  readonly view: EditorView;
  readonly #states = new Map<string, EditorState>();
  readonly #workspace: Workspace;
  #shown = '';
  #diagnostics: readonly Diagnostic[] = [];
  /** Further extensions for every file, such as the client of a language server. */
  #more: (name: string) => Extension = () => [];
  readonly #place = new Compartment();
  onCursor: () => void = () => undefined;

  constructor(parent: HTMLElement, workspace: Workspace) {
    this.#workspace = workspace;
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: bare }) });
    workspace.listen((change) => {
      if (change === 'files' || change === 'package') this.#reload();
      else if (change === 'active') this.show(workspace.active);
    });
    this.show(workspace.active);
  }

  get shown(): string {
    return this.#shown;
  }

  /** Adds an extension to every file. */
  extend(more: (name: string) => Extension): void {
    this.#more = more;
    const effects = (name: string) => this.#place.reconfigure(more(name));
    for (const [name, state] of this.#states) this.#states.set(name, state.update({ effects: effects(name) }).state);
    this.view.dispatch({ effects: effects(this.#shown) });
  }

  show(name: string, anew = false): void {
    if (name === this.#shown && !anew && this.#states.has(name)) return;
    if (this.#shown !== '' && !anew) this.#states.set(this.#shown, this.view.state);
    this.#shown = name;
    const state = this.#states.get(name) ?? this.#create(name);
    this.#states.set(name, state);
    this.view.setState(state);
    this.mark(this.#diagnostics);
  }

  /** Shows a location of a file and moves the cursor there. */
  reveal(file: string, line: number, column: number): void {
    if (this.#workspace.file(file) === undefined) return;
    this.#workspace.activate(file);
    const anchor = offsetOf(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.view.focus();
  }

  /** Marks the diagnostics of the current file. */
  mark(diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics = diagnostics;
    const { doc } = this.view.state;
    const marks = diagnostics
      .filter(({ file, line }) => file === this.#shown && line !== undefined)
      .map((one) => markOf(one, doc));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  #create(name: string): EditorState {
    const file = this.#workspace.file(name);
    return EditorState.create({
      doc: file?.text ?? '',
      extensions: [
        yamlEditor(name === '' ? 'No file' : `Text of ${name}`),
        EditorState.readOnly.of(file === undefined),
        this.#place.of(this.#more(name)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.#workspace.setText(name, update.state.doc.toString());
          if (update.selectionSet || update.docChanged) this.onCursor();
        }),
      ],
    });
  }

  /** Updates the states after files were added, removed or replaced. */
  #reload(): void {
    if (this.#states.has(this.#shown)) this.#states.set(this.#shown, this.view.state);
    for (const [name, state] of this.#states) {
      if (this.#workspace.file(name)?.text !== state.doc.toString()) this.#states.delete(name);
    }
    this.#shown = this.#states.has(this.#shown) ? this.#shown : '';
    this.show(this.#workspace.active);
    if (this.#workspace.active === '') this.show('', true);
  }
}

function markOf({ severity, message, hint, code, line = 1, column = 1 }: Diagnostic, doc: Text): Mark {
  const from = offsetOf(doc, line, column);
  const rest = doc.lineAt(from).text.slice(from - doc.lineAt(from).from);
  const length = /^[^\s,\]})]+/.exec(rest)?.[0].length ?? 0;
  return {
    from,
    to: from + length,
    severity,
    source: code,
    message: hint === undefined ? message : `${message}\n${hint}`,
  };
}

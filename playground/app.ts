import type { Diagnostic } from '../src/api/index.ts';
import type { FileEditor } from './editor/editor.ts';
import type { Path } from './editor/yaml-path.ts';
import type { Engine } from './engine/client.ts';
import type { Located, Rendered, RenderedObject } from './engine/protocol.ts';
import type { Keeper } from './state/keeper.ts';
import type { Served } from './state/served.ts';
import type { Contents, Workspace } from './state/workspace.ts';
import type { MenuItems } from './ui/menu.ts';

/** Objects of a node of some instances, by their addresses; '' and no addresses for all. */
export interface ObjectFilter {
  readonly instances: readonly string[];
  readonly node: string;
}

export interface ShownObjects {
  readonly objects: readonly RenderedObject[];
  /** The keys of the objects that are not of the last rendering. */
  readonly stale: ReadonlySet<string>;
}

/** The shared services of the parts of the page. */
export interface App {
  readonly workspace: Workspace;
  readonly keeper: Keeper;
  /** The folder of `render-rgd playground PATH`. */
  readonly served: Served | undefined;
  readonly engine: Engine;
  readonly editor: FileEditor;
  /** The last rendering. */
  readonly rendered: () => Rendered;
  /** The diagnostics of the last rendering, and those of the last validation that it does not report. */
  readonly problems: () => readonly Diagnostic[];
  /** Returns what nobody checked, in a few words. */
  readonly unchecked: () => string;
  /** Shows a location in the editor. */
  reveal(place: Located): void;
  /** Shows a view of the results by its id. */
  showResults(panel: string): void;
  /** Opens the field for a pending value. */
  fillIn(pending: Diagnostic): void;
  /** Shows a location in the editor, and keeps the focus where it is. */
  point(place: Located | undefined): void;
  /** Shows the objects of a node. */
  showObjects(filter: ObjectFilter): void;
  /** The objects to show: those of the last rendering, and stale ones of instances that have errors now. */
  readonly shown: () => ShownObjects;
  /** The files as this tab opened them first. */
  readonly opened: () => Contents;
  /** The menu of the file that is shown, and of all files. */
  readonly fileItems: () => MenuItems;
  /** The menu of the modes of the rendering. */
  readonly modeItems: () => MenuItems;
  /** Asks for files, a folder or an address of GitHub. */
  openFiles(what: 'files' | 'folder' | 'address'): void;
  /** Opens the list of all commands. */
  readonly searchCommands: () => Promise<void>;
  /** Keeps what was typed, without the pause after typing. */
  readonly keepNow: () => void;
  /** Opens the list of problems. */
  showProblems(): void;
  /** The instances that are pending or have errors: `Kind/name` and the word for it. */
  readonly marks: () => ReadonlyMap<string, 'pending' | 'error'>;
  /**
   * Shows the origin of a field as lines: for a moment (`trace`), or with its steps (`show`), or opens its place, too
   * (`go`). Without an object, the steps are closed.
   */
  explain(object: RenderedObject | undefined, path: Path, how: 'trace' | 'show' | 'go'): void;
  /** Draws the lines again after something moved. */
  redrawLines(): void;
  /** Goes to the address of a package: '' for one's own files, or a fragment. */
  goTo(hash: string): void;
  /** Replaces all files, and offers to undo it. */
  replaceFiles(contents: Contents, message: string): void;
  /** Notifies the user. */
  notify(message: string, action?: { readonly text: string; readonly run: () => void }): void;
}

/** One of the views of the results. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly element: HTMLElement;
  /** Called when it is shown, and after each rendering while it is. */
  update(): void;
}

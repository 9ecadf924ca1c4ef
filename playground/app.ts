import type { Diagnostic } from '../src/api/index.ts';
import type { FileEditor } from './editor/editor.ts';
import type { Path } from './editor/yaml-path.ts';
import type { Engine } from './engine/client.ts';
import type { Located, Rendered, RenderedObject } from './engine/protocol.ts';
import type { Workspace } from './state/workspace.ts';

/** Objects of one instance, one node, or both; '' for all. */
export interface ObjectFilter {
  readonly instance: string;
  readonly node: string;
}

/** The shared services of the parts of the page. */
export interface App {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly editor: FileEditor;
  /** The last rendering, and the last one without errors. */
  readonly rendered: () => Rendered;
  readonly lastGood: () => Rendered;
  /** The diagnostics of the last rendering, and those of the last validation that it does not report. */
  readonly problems: () => readonly Diagnostic[];
  /** Shows a location in the editor. */
  reveal(place: Located): void;
  /** Shows the objects of a node. */
  showObjects(filter: ObjectFilter): void;
  /** Shows the origin of a field, and optionally opens it. */
  explain(object: RenderedObject, path: Path, go: boolean): void;
  /** Opens a lesson with its files. */
  openLesson(id: string): void;
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

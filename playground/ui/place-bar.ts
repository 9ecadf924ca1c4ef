import type { App } from '../app.ts';
import type { Conflict } from '../state/keeper.ts';
import { h } from './dom.ts';

/** Says what becomes of the files of a folder, and which were changed elsewhere, above the files. */
export class PlaceBar {
  readonly #element: HTMLElement;
  readonly #app: App;
  #drawn = '';

  constructor(element: HTMLElement, app: App) {
    this.#element = element;
    this.#app = app;
    app.workspace.listen(() => this.show());
    this.show();
  }

  show(): void {
    const { keeper, workspace, served } = this.#app;
    const conflicts = keeper.conflicts(workspace);
    const drawn = JSON.stringify([keeper.place, keeper.isChanged, conflicts]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const left = keeper.isFolder ? (served?.left ?? []) : [];
    const parts = [
      ...this.#placeLine(),
      ...(left.length === 0
        ? []
        : [
            h(
              'p',
              {},
              `Not shown: ${left.slice(0, 5).join('; ')}${left.length > 5 ? `; and ${left.length - 5} more` : ''}`,
            ),
          ]),
    ];
    this.#element.replaceChildren(...parts);
    this.#element.hidden = parts.length === 0;
    if (conflicts.length > 0) void this.#showConflicts(conflicts, drawn);
  }

  async #showConflicts(conflicts: readonly Conflict[], drawn: string): Promise<void> {
    const { conflictLine } = await import('./conflicts.ts');
    if (drawn !== this.#drawn) return;
    this.#element.append(...conflicts.map((conflict) => conflictLine(this.#app, conflict)));
    this.#element.hidden = false;
  }

  #placeLine(): HTMLElement[] {
    const { keeper, served } = this.#app;
    if (keeper.isFolder) {
      const text = served?.write
        ? 'Files of a folder: what you type is written to disk.'
        : 'Files of a folder: what you type stays in this browser and is not written to disk (--write does that).';
      return [h('p', {}, text)];
    }
    return [];
  }
}

import { examples } from 'virtual:examples';
import type { App } from '../app.ts';
import type { Conflict } from '../state/keeper.ts';
import { publishedAt } from '../state/published.ts';
import { button, h } from './dom.ts';

/** Says where the files are kept and which were changed elsewhere, above the files. */
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
    const { keeper, served, goTo } = this.#app;
    const { kind, id } = keeper.place;
    const where = 'Your own files are kept.';
    const own = button('Your files', () => goTo(''));
    if (keeper.isFolder) {
      const text = served?.write
        ? 'Files of a folder: what you type is written to disk.'
        : 'Files of a folder: what you type stays in this browser and is not written to disk (--write does that).';
      return [h('p', {}, text)];
    }
    if (kind === 'example') {
      const title = examples.find(({ name }) => name === id)?.title ?? id;
      const again = keeper.isChanged && button('Start again', () => void this.#startAgain());
      return [
        h('p', {}, `Example “${title}”${keeper.isChanged ? ' with your changes' : ''}. ${where} `, own, ' ', again),
      ];
    }
    if (kind === 'link') return [h('p', {}, `Files of a link. ${where} `, own)];
    if (kind === 'kept') return [h('p', {}, `Files of a link with your changes, kept at this address. ${where} `, own)];
    return [];
  }

  async #startAgain(): Promise<void> {
    const { keeper, replaceFiles } = this.#app;
    const published = await publishedAt(keeper.place);
    if (published !== undefined) replaceFiles(published, 'The example starts again.');
  }
}

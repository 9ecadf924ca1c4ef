import type { EditorView } from '@codemirror/view';
import type { App, Panel } from '../app.ts';
import { button, h } from '../ui/dom.ts';

/** Shows the changes of the rendering, compared with the previous different one or a pinned one. */
export class DifferencePanel implements Panel {
  readonly id = 'difference';
  readonly title = 'Difference';
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #status = h('p', { class: 'status', role: 'status' });
  readonly #body = h('div', { class: 'grow' });
  readonly #pin: HTMLButtonElement;
  #view: EditorView | undefined;
  #pinned: string | undefined;
  #before = '';
  #now = '';
  #drawn = '';

  constructor(app: App) {
    this.#app = app;
    this.#pin = button('Pin this rendering', () => this.#togglePin(), { 'aria-pressed': 'false' });
    this.element = h('div', { class: 'panel' }, h('div', { class: 'tools' }, this.#status, this.#pin), this.#body);
  }

  /** Records every rendering, shown or not. */
  note(): void {
    const text = this.#app
      .lastGood()
      .objects.map(({ yaml }) => yaml)
      .join('---\n');
    if (text === this.#now) return;
    this.#before = this.#now === '' ? text : this.#now;
    this.#now = text;
  }

  /** Resets the comparison after another package was opened. */
  reset(): void {
    this.#before = '';
    this.#now = '';
    if (this.#pinned !== undefined) this.#togglePin();
  }

  update(): void {
    this.note();
    void this.#draw();
  }

  #togglePin(): void {
    this.#pinned = this.#pinned === undefined ? this.#now : undefined;
    this.#pin.setAttribute('aria-pressed', String(this.#pinned !== undefined));
    this.#pin.textContent = this.#pinned === undefined ? 'Pin this rendering' : 'Unpin';
    void this.#draw();
  }

  async #draw(): Promise<void> {
    const before = this.#pinned ?? this.#before;
    const isSame = before === this.#now;
    const what = this.#pinned === undefined ? 'the last rendering' : 'the pinned rendering';
    this.#status.textContent = isSame ? `No difference to ${what}` : `Changes since ${what}`;
    const drawn = `${before}\0${this.#now}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const { differenceView } = await import('../editor/difference.ts');
    if (this.#drawn !== drawn) return;
    this.#view?.destroy();
    this.#view = differenceView(this.#body, before, this.#now);
  }
}

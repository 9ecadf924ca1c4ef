import type { App } from '../app.ts';
import { byId, h } from './dom.ts';
import { Tabs } from './tabs.ts';

/** The tabs of the whole page: the files, CEL and templates, which are loaded when opened. */
export class Views {
  readonly #app: App;
  readonly #cel = h('div', { class: 'view tab-view' });
  readonly #templates = h('div', { class: 'view tab-view' });

  constructor(app: App) {
    this.#app = app;
    const files = byId('view-files');
    byId('views').replaceChildren();
    document.querySelector('main')?.append(this.#cel, this.#templates);
    const tabs = new Tabs(
      'Views',
      [
        { id: 'files', title: 'Files', panel: files },
        { id: 'cel', title: 'CEL', panel: this.#cel },
        { id: 'templates', title: 'Templates', panel: this.#templates },
      ],
      (id) => void this.#open(id),
    );
    byId('views').append(tabs.list);
    tabs.select('files');
  }

  async #open(id: string): Promise<void> {
    document.documentElement.dataset.view = id;
    this.#app.redrawLines();
    if (id === 'cel' && this.#cel.childElementCount === 0)
      (await import('../views/cel.ts')).celView(this.#cel, this.#app);
    if (id === 'templates' && this.#templates.childElementCount === 0) {
      (await import('../views/templates.ts')).templateView(this.#templates, this.#app);
    }
  }
}

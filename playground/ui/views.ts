import type { App } from '../app.ts';
import { button, byId, h } from './dom.ts';

export type View = 'files' | 'cel' | 'templates';

/** The whole page: the files, or a calculator for expressions or for templates, which is loaded when opened. */
export class Views {
  readonly #app: App;
  readonly #panels: Readonly<Record<View, HTMLElement>>;

  constructor(app: App) {
    this.#app = app;
    const cel = h('div', { class: 'view tab-view', id: 'panel-cel' });
    const templates = h('div', { class: 'view tab-view', id: 'panel-templates' });
    this.#panels = { files: byId('view-files'), cel, templates };
    document.querySelector('main')?.append(cel, templates);
    this.#select('files');
  }

  async open(view: View): Promise<void> {
    this.#select(view);
    const panel = this.#panels[view];
    if (view === 'files' || panel.childElementCount > 0) return;
    const body = h('div', { class: 'tab-body' });
    const back = button('Back to the files', () => this.#select('files'), { class: 'accent' });
    panel.append(h('div', { class: 'tab-head' }, back), body);
    if (view === 'cel') (await import('../views/cel.ts')).celView(body, this.#app);
    else (await import('../views/templates.ts')).templateView(body, this.#app);
  }

  #select(view: View): void {
    document.documentElement.dataset.view = view;
    for (const [name, panel] of Object.entries(this.#panels)) panel.hidden = name !== view;
    this.#app.redrawLines();
  }
}

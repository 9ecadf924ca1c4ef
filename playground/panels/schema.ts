import type { App } from '../app.ts';
import { h } from '../ui/dom.ts';
import { CrdPanel } from './crds.ts';
import { FormPanel } from './form.ts';

/** The schemas of the RGDs: a form for an instance, and below it the CRDs. */
export class SchemaPanel {
  readonly element: HTMLElement;
  readonly #form: FormPanel;
  readonly #crds: CrdPanel;

  constructor(app: App) {
    this.#form = new FormPanel(app);
    this.#crds = new CrdPanel(app);
    this.element = h('div', { class: 'panel schema' }, this.#form.element, this.#crds.element);
  }

  update(): void {
    void this.#draw();
  }

  /** Both views request the kinds: one after the other, because a newer request replaces an older one. */
  async #draw(): Promise<void> {
    await this.#form.update();
    await this.#crds.update();
  }
}

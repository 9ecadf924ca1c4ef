import { byId, h } from './dom.ts';
import { icon } from './icons.ts';

export type SideOfPage = 'source' | 'results';

/** On a narrow page one half is visible at a time; two buttons below it choose. */
export class Sides {
  readonly #buttons: Record<SideOfPage, HTMLButtonElement>;
  readonly #count = h('span', { class: 'badge', hidden: true });

  constructor() {
    const sideButton = (side: SideOfPage, title: string, name: 'code' | 'instance'): HTMLButtonElement =>
      h('button', { type: 'button', on: { click: () => this.show(side) } }, icon(name), title);
    this.#buttons = {
      source: sideButton('source', 'You write', 'code'),
      results: sideButton('results', 'It becomes', 'instance'),
    };
    this.#buttons.source.append(this.#count);
    byId('sides').replaceChildren(this.#buttons.source, this.#buttons.results);
    this.show('source');
  }

  show(side: SideOfPage): void {
    document.documentElement.dataset.side = side;
    for (const [one, button] of Object.entries(this.#buttons))
      button.setAttribute('aria-pressed', String(one === side));
  }

  /** Shows the number of errors and of objects. */
  count(errors: number, objects: number): void {
    this.#count.hidden = errors === 0;
    this.#count.textContent = String(errors);
    const [, title] = this.#buttons.results.childNodes;
    if (title !== undefined) title.textContent = `It becomes ${objects} object${objects === 1 ? '' : 's'}`;
  }
}

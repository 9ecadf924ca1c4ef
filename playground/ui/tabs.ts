import { ownValue } from '../../src/core/model/value.ts';
import { h } from './dom.ts';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly panel: HTMLElement;
}

/** A list of tabs according to the ARIA practices: arrow keys move, one tab is in the focus order. */
export class Tabs {
  readonly list: HTMLElement;
  #selected = '';
  readonly #tabs: readonly Tab[];
  readonly #onSelect: (id: string) => void;

  constructor(label: string, tabs: readonly Tab[], onSelect: (id: string) => void) {
    this.#tabs = tabs;
    this.#onSelect = onSelect;
    const buttons = tabs.map(({ id, title, panel }) => {
      panel.id = `panel-${id}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', `tab-${id}`);
      panel.hidden = true;
      return h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${id}`,
          'aria-controls': `panel-${id}`,
          tabindex: -1,
          on: { click: () => this.select(id) },
        },
        title,
      );
    });
    this.list = h(
      'div',
      {
        class: 'tabs',
        role: 'tablist',
        'aria-label': label,
        on: { keydown: (event) => this.#move(event as KeyboardEvent) },
      },
      ...buttons,
    );
  }

  get selected(): string {
    return this.#selected;
  }

  select(id: string, focus = false): void {
    const known = this.#tabs.some((tab) => tab.id === id) ? id : (this.#tabs[0]?.id ?? '');
    this.#selected = known;
    this.#tabs.forEach(({ id: one, panel }, index) => {
      const tab = this.list.children[index] as HTMLButtonElement;
      tab.setAttribute('aria-selected', String(one === known));
      tab.tabIndex = one === known ? 0 : -1;
      panel.hidden = one !== known;
      if (one === known && focus) tab.focus();
    });
    this.#onSelect(known);
  }

  /** Shows a count after the title of a tab. */
  count(id: string, count: number): void {
    const tab = this.list.querySelector(`#tab-${CSS.escape(id)}`);
    const title = this.#tabs.find((one) => one.id === id)?.title ?? '';
    if (tab !== null) tab.textContent = count === 0 ? title : `${title} (${count})`;
  }

  #move(event: KeyboardEvent): void {
    const at = this.#tabs.findIndex(({ id }) => id === this.#selected);
    const last = this.#tabs.length - 1;
    const to = ownValue(
      { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last },
      event.key,
    );
    const tab = to === undefined ? undefined : this.#tabs[to];
    if (tab === undefined) return;
    event.preventDefault();
    this.select(tab.id, true);
  }
}

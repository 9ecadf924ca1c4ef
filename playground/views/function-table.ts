import { button, h } from '../ui/dom.ts';

/** A function with an example that can be tried. */
export interface FunctionRow {
  readonly name: string;
  /** Shown below the name. */
  readonly note: string;
  readonly example: string;
  readonly result: string;
}

/** A table of functions with a search field; `use` is called with the selected row. */
export class FunctionTable<Row extends FunctionRow> {
  readonly search: HTMLElement;
  readonly element = h('div', { class: 'grow' });
  readonly #use: (row: Row) => void;
  #rows: readonly Row[] = [];
  #wanted = '';

  constructor(use: (row: Row) => void) {
    this.#use = use;
    this.search = h('input', {
      type: 'text',
      'aria-label': 'Search functions',
      placeholder: 'Search functions',
      on: {
        input: ({ target }) => {
          this.#wanted = (target as HTMLInputElement).value.toLowerCase();
          this.#draw();
        },
      },
    });
  }

  show(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#draw();
  }

  #draw(): void {
    const rows = this.#rows.filter(({ name, note, example }) =>
      `${name} ${note} ${example}`.toLowerCase().includes(this.#wanted),
    );
    const titles = ['Function', 'Example', 'Result'].map((title) => h('th', { scope: 'col' }, title));
    this.element.replaceChildren(
      h('table', {}, h('thead', {}, h('tr', {}, ...titles)), h('tbody', {}, ...rows.map((row) => this.#row(row)))),
    );
  }

  #row(row: Row): HTMLElement {
    const { name, note, example, result } = row;
    return h(
      'tr',
      {},
      h('td', {}, h('b', {}, name), h('div', { class: 'faint' }, note)),
      h(
        'td',
        {},
        button(example, () => this.#use(row), { class: 'step', title: 'Try it' }),
      ),
      h('td', {}, h('code', {}, result)),
    );
  }
}

import type { App } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import type { PendingRow } from '../engine/protocol.ts';
import { h } from '../ui/dom.ts';

/** Shows the pending values of instances, each with a field that writes the observed object. */
export class PendingPanel {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #rows = h('div', { class: 'padded' });
  #shown = '';

  constructor(app: App) {
    this.#app = app;
    this.element = h('div', { class: 'panel' }, this.#rows);
  }

  update(): void {
    void this.#list();
  }

  async #list(): Promise<void> {
    try {
      const { values, diagnostics } = await this.#app.engine.ask('pending', this.#app.workspace.package);
      const fault = diagnostics.find(({ severity }) => severity === 'error');
      const shown = JSON.stringify([values, fault]);
      // Keep what the user is typing.
      if (shown === this.#shown) return;
      this.#shown = shown;
      if (fault !== undefined)
        this.#rows.replaceChildren(h('p', {}, `Not known as long as there is an error: ${fault.message}`));
      else if (values.length === 0) this.#rows.replaceChildren(h('p', {}, 'Nothing waits for a value of a cluster.'));
      else this.#rows.replaceChildren(INTRODUCTION.cloneNode(true), this.#table(values));
    } catch (error) {
      if (!(error instanceof Superseded)) this.#rows.replaceChildren(h('p', {}, (error as Error).message));
    }
  }

  #table(values: readonly PendingRow[]): HTMLElement {
    const head = h(
      'tr',
      {},
      ...['Node', 'waits for', 'in', 'Fill in a value'].map((title) => h('th', { scope: 'col' }, title)),
    );
    return h(
      'table',
      {},
      h('thead', {}, head),
      h('tbody', {}, ...values.map((value, index) => this.#row(value, index))),
    );
  }

  #row({ instance, node, path, reader, expression, optional }: PendingRow, index: number): HTMLElement {
    const input = h('input', { type: 'text', autocomplete: 'off', 'aria-label': `Value of ${path} of ${reader}` });
    const form = h('form', { class: 'row' }, input, h('button', { type: 'submit' }, 'Fill in'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#fillIn(index, input.value);
    });
    return h(
      'tr',
      {},
      h('td', {}, `${instance.kind}/${instance.name} `, h('b', {}, node ?? '')),
      h(
        'td',
        {},
        h('code', {}, path === '' ? 'the object' : path),
        optional ? ' (optional)' : '',
        h('div', { class: 'faint' }, expression),
      ),
      h('td', {}, reader),
      h('td', {}, path === '' ? 'add the object to a file that was observed' : form),
    );
  }

  async #fillIn(row: number, value: string): Promise<void> {
    const { workspace, engine, notify } = this.#app;
    try {
      const file = await engine.ask('fillIn', workspace.package, row, value);
      const { active } = workspace;
      workspace.put(file);
      workspace.activate(active);
      notify(`Written to ${file.name}, which stands for what a cluster would say.`);
    } catch (error) {
      notify((error as Error).message);
    }
  }
}

const INTRODUCTION = h(
  'p',
  {},
  'These values only exist once a controller has written them. Fill one in to see what follows; it goes into a file of observed objects.',
);

import type { App } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import type { Form } from '../engine/protocol.ts';
import { choice } from '../ui/choice.ts';
import { button, h } from '../ui/dom.ts';
import { type Field, fieldOf } from './fields.ts';

/** A form for an instance of a kind, generated from its schema. */
export class FormPanel {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #choice = choice('Kind', () => void this.#draw());
  readonly #body = h('div', { class: 'padded' });
  readonly #name = h('input', {
    type: 'text',
    id: 'form-name',
    autocomplete: 'off',
    on: { input: () => void this.#preview() },
  });
  readonly #namespace = h('input', {
    type: 'text',
    id: 'form-namespace',
    autocomplete: 'off',
    on: { input: () => void this.#preview() },
  });
  readonly #text = h('pre', { class: 'answer', tabindex: 0, role: 'region', 'aria-label': 'The instance as YAML' });
  #form: Form | undefined;
  #fields: Field | undefined;
  #shown = '';

  constructor(app: App) {
    this.#app = app;
    const tools = h(
      'div',
      { class: 'tools' },
      h('span', { class: 'status' }, 'New instance of'),
      this.#choice.element,
      button('Add as a file', () => void this.#add(), { class: 'primary' }),
      button('Add a commented sample', () => this.#addSample()),
    );
    this.#name.value = 'example';
    this.element = h('section', { class: 'form-part', 'aria-label': 'New instance' }, tools, this.#body);
  }

  async update(): Promise<void> {
    try {
      const { kinds } = await this.#app.engine.ask('kinds', this.#app.workspace.package);
      this.#choice.offer(kinds.map((kind) => [kind, kind]));
      this.element.hidden = kinds.length === 0;
      if (kinds.length === 0) this.#body.replaceChildren();
      else await this.#draw();
    } catch (error) {
      if (!(error instanceof Superseded)) this.#body.replaceChildren(h('p', {}, (error as Error).message));
    }
  }

  async #draw(): Promise<void> {
    const form = await this.#app.engine.ask('form', this.#app.workspace.package, this.#choice.value);
    const shown = JSON.stringify([form.kind, form.apiVersion, form.schema]);
    // Entered values are kept while the schema is unchanged.
    if (shown === this.#shown && this.#body.contains(this.#text)) return;
    this.#shown = shown;
    this.#form = form;
    this.#fields = fieldOf(
      'spec',
      { type: 'object', properties: {}, ...form.schema },
      true,
      () => void this.#preview(),
    );
    this.#body.replaceChildren(
      h('div', { class: 'field' }, h('label', { for: 'form-name' }, 'metadata.name *'), this.#name),
      h('div', { class: 'field' }, h('label', { for: 'form-namespace' }, 'metadata.namespace'), this.#namespace),
      this.#fields.element,
      this.#text,
    );
    await this.#preview();
  }

  #instance(): object {
    const { apiVersion, kind } = this.#form as Form;
    const namespace = this.#namespace.value;
    const metadata = { name: this.#name.value, ...(namespace === '' ? {} : { namespace }) };
    return { apiVersion, kind, metadata, spec: this.#fields?.value() ?? {} };
  }

  async #preview(): Promise<string> {
    try {
      const text = await this.#app.engine.ask('yaml', this.#instance());
      this.#text.textContent = text;
      return text;
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      return '';
    }
  }

  async #add(): Promise<void> {
    const wrong = this.#body.querySelector<HTMLInputElement>('input:invalid');
    if (wrong !== null) {
      wrong.reportValidity();
      return;
    }
    if (this.#form !== undefined) this.#put(await this.#app.engine.ask('yaml', this.#instance()));
  }

  #addSample(): void {
    if (this.#form !== undefined) this.#put(this.#form.sample);
  }

  #put(text: string): void {
    const { workspace, notify } = this.#app;
    const base = `${this.#form?.kind.toLowerCase() ?? 'instance'}-${this.#name.value.replace(/[^\w.-]/g, '-') || 'example'}`;
    let name = `${base}.yaml`;
    for (let number = 2; workspace.file(name) !== undefined; number += 1) name = `${base}-${number}.yaml`;
    workspace.put({ name, text, role: 'objects' });
    notify(`${name} was added.`);
  }
}

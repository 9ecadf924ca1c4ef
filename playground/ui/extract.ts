import type { App } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import type { Extracted, PastedCopy } from '../engine/protocol.ts';
import { button, h } from './dom.ts';

/** Milliseconds without typing until the fields are found again. */
const PAUSE = 250;
const KIND = /^[A-Z][a-zA-Z0-9]{0,62}$/;

/** Asks for copies of manifests, and shows the fields of their RGD while they are pasted. */
export function askCopies(app: App): void {
  new CopiesDialog(app);
}

/** A copy in the dialog: its text, and the name of its file if it was opened. */
interface CopyBox {
  readonly element: HTMLElement;
  readonly text: HTMLTextAreaElement;
  readonly fileName: string;
}

class CopiesDialog {
  readonly #app: App;
  readonly #boxes: CopyBox[] = [];
  readonly #list = h('div', { class: 'copies' });
  readonly #found = h('section', { class: 'found', 'aria-label': 'Fields', 'aria-live': 'polite' });
  readonly #kind = h('input', {
    type: 'text',
    id: 'copies-kind',
    value: 'WebApp',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #open: HTMLButtonElement;
  readonly #dialog: HTMLDialogElement;
  #timer = 0;
  #asked = 0;
  #result: Extracted | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#open = button('Open the RGD', () => this.#accept(), { class: 'primary', disabled: true });
    const files = h('input', {
      type: 'file',
      multiple: true,
      accept: '.yaml,.yml,.json',
      'aria-label': 'Files, one copy each',
    });
    files.addEventListener('change', () => void this.#addFiles([...(files.files ?? [])]));
    this.#dialog = h(
      'dialog',
      { class: 'wide', 'aria-label': 'From my manifests' },
      h(
        'form',
        { method: 'dialog' },
        h(
          'p',
          {},
          'Paste the manifests of each copy: the same app for several teams, environments or customers. What differs becomes a field. Nothing leaves the page.',
        ),
        h('label', { for: 'copies-kind' }, 'Kind of the instances'),
        this.#kind,
        this.#list,
        h('span', { class: 'label' }, 'Or open files, one copy each'),
        files,
        this.#found,
        h(
          'div',
          { class: 'buttons' },
          this.#open,
          button('Cancel', () => this.#dialog.close()),
        ),
      ),
    );
    this.#kind.addEventListener('input', () => this.#changed());
    this.#dialog.addEventListener('close', () => {
      clearTimeout(this.#timer);
      this.#dialog.remove();
    });
    this.#add('', '');
    this.#add('', '');
    this.#show(undefined);
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#boxes[0]?.text.focus();
  }

  #add(fileName: string, content: string): void {
    const title = `Copy ${this.#boxes.length + 1}`;
    const id = `copy-${this.#boxes.length + 1}`;
    const text = h('textarea', { id, spellcheck: 'false', rows: 8, placeholder: 'apiVersion: …' });
    text.value = content;
    const element = h(
      'div',
      { class: 'copy' },
      h('label', { for: id }, fileName === '' ? title : `${title}, ${fileName}`),
      text,
    );
    text.addEventListener('input', () => this.#changed());
    this.#boxes.push({ element, text, fileName });
    this.#list.append(element);
  }

  async #addFiles(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const content = await file.text();
      const empty = this.#boxes.findIndex(({ text }) => text.value.trim() === '');
      if (empty >= 0) this.#boxes.splice(empty, 1)[0]?.element.remove();
      this.#add(file.name, content);
    }
    this.#changed();
  }

  /** Finds the fields after a pause; the last copy is always empty, so that another one can be pasted. */
  #changed(): void {
    if (this.#boxes.every(({ text }) => text.value.trim() !== '')) this.#add('', '');
    // What was found belongs to earlier texts.
    this.#open.disabled = true;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#ask(), PAUSE);
  }

  #copies(): PastedCopy[] {
    return this.#boxes.flatMap(({ text, fileName }, index) =>
      text.value.trim() === '' ? [] : [{ name: fileName === '' ? `copy-${index + 1}` : fileName, text: text.value }],
    );
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const own = this.#asked;
    const copies = this.#copies();
    const kind = this.#kind.value.trim();
    if (copies.length === 0) return this.#show(undefined);
    if (!KIND.test(kind)) return this.#fail(`'${kind}' is no kind: it begins with a capital letter, such as WebApp`);
    try {
      const result = await this.#app.engine.ask('extract', copies, kind);
      if (own === this.#asked) this.#show(result);
    } catch (error) {
      if (!(error instanceof Superseded) && own === this.#asked) this.#fail((error as Error).message);
    }
  }

  #fail(message: string): void {
    this.#show({ files: [], fields: [], summary: '', faults: [{ message, hint: '', place: '' }] });
  }

  #show(result: Extracted | undefined): void {
    this.#result = result;
    this.#open.disabled = result === undefined || result.files.length === 0;
    if (result === undefined) {
      this.#found.replaceChildren(h('p', { class: 'faint' }, 'The fields of the RGD appear here.'));
      return;
    }
    const { fields, summary, faults } = result;
    this.#found.replaceChildren(
      ...faults.map(({ message, hint, place }) =>
        h(
          'p',
          { class: 'fault' },
          place === '' ? message : `${place}: ${message}`,
          hint === '' ? undefined : h('span', { class: 'faint' }, ` ${hint}`),
        ),
      ),
      ...(summary === '' ? [] : [h('p', {}, summary)]),
      ...(fields.length === 0 ? [] : [tableOf(fields)]),
    );
  }

  #accept(): void {
    if (this.#result === undefined || this.#result.files.length === 0) return;
    const { files } = this.#result;
    this.#dialog.close();
    this.#app.replaceFiles({ files, options: {} }, 'The RGD and its instances are open in place of your files.');
  }
}

const tableOf = (fields: Extracted['fields']): HTMLElement =>
  h(
    'table',
    {},
    h(
      'thead',
      {},
      h('tr', {}, ...['Field', 'Type', 'Values', 'Fills'].map((title) => h('th', { scope: 'col' }, title))),
    ),
    h(
      'tbody',
      {},
      ...fields.map(({ name, type, values, fills }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, name),
          h('td', {}, type),
          h('td', {}, String(values)),
          h('td', {}, fills.join(', ')),
        ),
      ),
    ),
  );

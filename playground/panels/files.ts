import type { App } from '../app.ts';
import type { Role } from '../engine/protocol.ts';
import { zipOf } from '../state/archive.ts';
import { contentsFault, nameFault, roleOf } from '../state/workspace.ts';
import { askText } from '../ui/ask.ts';
import { button, download, h } from '../ui/dom.ts';

const ROLES: readonly (readonly [Role, string])[] = [
  ['objects', 'is rendered'],
  ['definitions', 'only defines kinds'],
  ['observed', 'was observed in a cluster'],
  ['inputs', 'is the inputs of the ResourceSet'],
];

/** The tabs of the files, with their actions. */
export class FileBar {
  readonly #app: App;
  readonly #tabs = h('div', { class: 'file-tabs', role: 'tablist', 'aria-label': 'Files' });
  readonly #role = h('select', { 'aria-label': 'What this file is', on: { change: () => this.#setRole() } });
  readonly #picker = h('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'Files to open' });

  constructor(element: HTMLElement, app: App) {
    this.#app = app;
    this.#role.append(...ROLES.map(([role, title]) => h('option', { value: role }, title)));
    this.#picker.addEventListener('change', () => void this.take([...(this.#picker.files ?? [])]));
    this.#tabs.addEventListener('keydown', (event) => this.#move(event));
    const tools = h(
      'div',
      { class: 'file-tools' },
      this.#role,
      button('Add', () => void this.#add()),
      button('Rename', () => void this.#rename()),
      button('Delete', () => this.#remove()),
      button('Open...', () => this.#picker.click()),
      button('Save as ZIP', () => download('package.zip', zipOf(app.workspace.files), 'application/zip')),
      this.#picker,
    );
    element.replaceChildren(this.#tabs, tools);
    app.workspace.listen((change) => change === 'text' || this.show());
    this.show();
  }

  show(): void {
    const { files, active } = this.#app.workspace;
    const focused = this.#tabs.contains(document.activeElement);
    const tabs = files.map(({ name }) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          'aria-selected': String(name === active),
          'aria-controls': 'editor',
          tabindex: name === active ? 0 : -1,
          on: { click: () => this.#app.workspace.activate(name) },
        },
        name,
      ),
    );
    this.#tabs.replaceChildren(...tabs);
    const current = tabs.find((tab) => tab.getAttribute('aria-selected') === 'true');
    if (focused) current?.focus();
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const file = this.#app.workspace.file(active);
    this.#role.value = file?.role ?? 'objects';
    this.#role.disabled = file === undefined;
  }

  /** Adds dropped or selected files. */
  async take(given: readonly File[]): Promise<void> {
    const { workspace } = this.#app;
    const read = await Promise.all(
      given.slice(0, 500).map(async (file) => ({ name: nameOf(file), text: await file.text() })),
    );
    const added = read.map(({ name, text }) => ({ name, text, role: roleOf(name) }));
    const remaining = workspace.files.filter(({ name }) => !added.some((one) => one.name === name));
    const contents = { ...workspace.contents, files: [...remaining, ...added] };
    const fault = contentsFault(contents);
    if (fault !== undefined) this.#app.notify(`Not opened: ${fault}.`);
    else workspace.putAll(added);
  }

  #move(event: KeyboardEvent): void {
    const { files, active } = this.#app.workspace;
    const at = files.findIndex(({ name }) => name === active);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: files.length - 1 }[event.key];
    if (event.key === 'Delete') this.#remove();
    else if (event.key === 'F2') void this.#rename();
    else if (to !== undefined) this.#app.workspace.activate(files[(to + files.length) % files.length]?.name ?? '');
    else return;
    event.preventDefault();
  }

  async #add(): Promise<void> {
    const { workspace } = this.#app;
    const names = workspace.files.map(({ name }) => name);
    const name = await askText('Name of the new file', freeName(names), (text) => nameFault(text, names));
    if (name !== undefined) workspace.put({ name, text: '', role: roleOf(name) });
  }

  async #rename(): Promise<void> {
    const { workspace } = this.#app;
    const { active } = workspace;
    if (active === '') return;
    const others = workspace.files.map(({ name }) => name).filter((name) => name !== active);
    const name = await askText(`New name of ${active}`, active, (text) => nameFault(text, others));
    if (name !== undefined && name !== active) workspace.rename(active, name);
  }

  #remove(): void {
    const { workspace } = this.#app;
    const file = workspace.file(workspace.active);
    if (file === undefined) return;
    workspace.remove(file.name);
    this.#app.notify(`${file.name} was deleted.`, { text: 'Undo', run: () => workspace.put(file) });
  }

  #setRole(): void {
    const { workspace } = this.#app;
    if (workspace.active !== '') workspace.setRole(workspace.active, this.#role.value as Role);
  }
}

const nameOf = (file: File): string => (file.webkitRelativePath || file.name).replaceAll('\\', '/');

function freeName(names: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'new.yaml' : `new-${number}.yaml`;
    if (!names.includes(name)) return name;
  }
}

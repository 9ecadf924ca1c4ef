import type { Diagnostic } from '../../src/api/index.ts';
import { nameFault } from '../../src/cli/playground/limits.ts';
import { ownValue } from '../../src/core/model/value.ts';
import type { App } from '../app.ts';
import type { PackageFile, Role } from '../engine/protocol.ts';
import { aboutFile, sideOf } from '../state/story.ts';
import { contentsFault, roleOf } from '../state/workspace.ts';
import { askText } from '../ui/ask.ts';
import { download, h } from '../ui/dom.ts';
import { type IconName, icon } from '../ui/icons.ts';
import { type MenuItems, menuButton } from '../ui/menu.ts';

/** More files than this are shown as a tree. */
const MOST_TABS = 6;

/** Set by a build that lets the page fetch (tools/playground.mjs). */
declare const RENDER_RGD_FETCH: boolean;
const mayFetch = RENDER_RGD_FETCH;

const ROLES: readonly (readonly [role: Role, title: string, note: string])[] = [
  ['objects', 'Rendered', 'its instances become objects'],
  ['definitions', 'Defines kinds', 'its other objects are not rendered'],
  ['observed', 'Observed', 'objects as a cluster has them'],
  ['inputs', 'Inputs', 'replaces the inputs of a ResourceSet'],
];

/** The files as tabs or as a tree, with their actions, and the titles above the editors. */
export class FileBar {
  readonly #app: App;
  readonly #tabs = h('div', { class: 'file-tabs' });
  readonly #picker = h('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'Files to open' });
  readonly #folderPicker = h('input', {
    type: 'file',
    webkitdirectory: true,
    hidden: true,
    'aria-label': 'Folder to open',
  });
  readonly #closed = new Set<string>();

  constructor(element: HTMLElement, app: App) {
    this.#app = app;
    for (const picker of [this.#picker, this.#folderPicker]) {
      picker.addEventListener('change', () => {
        void this.take([...(picker.files ?? [])]);
        picker.value = '';
      });
    }
    this.#tabs.addEventListener('keydown', (event) => this.#move(event));
    const add = h(
      'button',
      { type: 'button', 'aria-label': 'Add a file', title: 'Add a file', on: { click: () => void this.#add() } },
      icon('add'),
    );
    const more = menuButton('File', [icon('folder')], () => this.#commands());
    element.replaceChildren(this.#tabs, h('div', { class: 'file-tools' }, add, more, this.#picker, this.#folderPicker));
    app.workspace.listen((change) => change === 'text' || this.show());
    app.editor.onShow = () => this.#showTitles();
    this.show();
  }

  show(): void {
    const { files, active } = this.#app.workspace;
    const focused = this.#tabs.contains(document.activeElement);
    const isTree = files.length > MOST_TABS;
    document.documentElement.toggleAttribute('data-tree', isTree);
    this.#tabs.setAttribute('role', isTree ? 'tree' : 'tablist');
    this.#tabs.setAttribute('aria-label', 'Files');
    this.#tabs.replaceChildren(...(isTree ? this.#treeRows() : this.#tabRows()));
    if (files.length === 0) this.#tabs.removeAttribute('role');
    const current = this.#tabs.querySelector<HTMLElement>('[aria-selected="true"]');
    if (current === null) this.#tabs.querySelector<HTMLElement>('button')?.setAttribute('tabindex', '0');
    if (focused) current?.focus();
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    document.documentElement.dataset.file = active;
    this.#showTitles();
  }

  #tabRows(): HTMLElement[] {
    const { files } = this.#app.workspace;
    const prefix = commonFolder(files.map(({ name }) => name));
    return files.map((file) =>
      this.#entry(file, file.name.slice(prefix.length), { role: 'tab', 'aria-controls': 'editor' }),
    );
  }

  /** Folders and files with their depth; a closed folder hides what is below it. */
  #treeRows(): HTMLElement[] {
    const rows: HTMLElement[] = [];
    const seen = new Set<string>();
    const files = [...this.#app.workspace.files].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const file of files) {
      const parts = file.name.split('/');
      const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
      for (const [depth, folder] of folders.entries()) {
        if (seen.has(folder) || folders.slice(0, depth).some((one) => this.#closed.has(one))) continue;
        seen.add(folder);
        rows.push(this.#folder(folder, parts[depth] ?? '', depth));
      }
      if (folders.some((folder) => this.#closed.has(folder))) continue;
      const row = this.#entry(file, parts.at(-1) ?? '', { role: 'treeitem', 'aria-level': parts.length });
      row.style.setProperty('--depth', String(parts.length - 1));
      rows.push(row);
    }
    return rows;
  }

  #folder(folder: string, title: string, depth: number): HTMLElement {
    const isOpen = !this.#closed.has(folder);
    const toggle = (): void => {
      if (isOpen) this.#closed.add(folder);
      else this.#closed.delete(folder);
      this.show();
      this.#tabs.querySelector<HTMLElement>(`[data-folder="${CSS.escape(folder)}"]`)?.focus();
    };
    const row = h(
      'button',
      {
        type: 'button',
        class: 'folder',
        role: 'treeitem',
        'aria-level': depth + 1,
        'aria-expanded': String(isOpen),
        'data-folder': folder,
        tabindex: -1,
        on: { click: toggle },
      },
      icon('chevron'),
      title,
    );
    row.style.setProperty('--depth', String(depth));
    return row;
  }

  #entry(file: PackageFile, title: string, properties: object): HTMLElement {
    const { name } = file;
    const isActive = name === this.#app.workspace.active;
    const { errors } = this.#counts.get(name) ?? { errors: 0 };
    return h(
      'button',
      {
        type: 'button',
        title: name,
        'aria-label': title === name ? undefined : name,
        'aria-selected': String(isActive),
        'data-name': name,
        class: errors > 0 ? 'faulty' : undefined,
        tabindex: isActive ? 0 : -1,
        on: { click: () => this.#app.workspace.activate(name) },
        ...properties,
      },
      icon(ICONS[file.role] ?? (sideOf(file) === 'definition' ? 'template' : 'instance')),
      title,
    );
  }

  readonly #counts = new Map<string, { readonly errors: number }>();

  /** Marks the files with errors. */
  mark(diagnostics: readonly Diagnostic[]): void {
    this.#counts.clear();
    for (const { file, severity } of diagnostics) {
      if (file === undefined || severity !== 'error') continue;
      this.#counts.set(file, { errors: (this.#counts.get(file)?.errors ?? 0) + 1 });
    }
    for (const tab of this.#tabs.querySelectorAll<HTMLElement>('[data-name]'))
      tab.classList.toggle('faulty', this.#counts.has(tab.dataset.name ?? ''));
  }

  /** Shows above each editor which file it has, and the role of the file. */
  #showTitles(): void {
    for (const { name, title } of this.#app.editor.panes) {
      const file = this.#app.workspace.file(name);
      const shown = JSON.stringify([name, file?.role, file && aboutFile(file)]);
      if (title.dataset.shown === shown) continue;
      title.dataset.shown = shown;
      title.replaceChildren(
        h('b', {}, name === '' ? 'No file' : (name.split('/').at(-1) ?? name)),
        h('span', { class: 'about' }, file === undefined ? '' : aboutFile(file)),
        ...(file === undefined ? [] : [this.#roleButton(file)]),
      );
    }
  }

  #roleButton({ name, role }: PackageFile): HTMLElement {
    const title = ROLES.find(([one]) => one === role)?.[1] ?? role;
    return menuButton(`Role ${title} of ${name}`, [h('span', { class: 'faint' }, 'Role '), title], () =>
      ROLES.map(([one, itemTitle, note]) => ({
        title: itemTitle,
        note,
        checked: one === role,
        run: () => this.#app.workspace.setRole(name, one),
      })),
    );
  }

  #commands(): MenuItems {
    const { active } = this.#app.workspace;
    const disabled = active === '';
    return [
      ...(disabled ? [] : [active]),
      { title: 'Rename', note: 'F2', disabled, run: () => void this.#rename() },
      { title: 'Format', note: 'Shift+Alt+F', disabled, run: () => this.#app.editor.format() },
      { title: 'Delete', note: 'Del', disabled, run: () => this.#remove() },
      'Package',
      { title: 'Open files', run: () => this.#picker.click() },
      { title: 'Open a folder', run: () => this.#folderPicker.click() },
      ...(mayFetch ? [{ title: 'Open an address', note: 'GitHub', run: () => void this.#fetch() }] : []),
      { title: 'Save as ZIP', run: () => void this.#download() },
      'Copy as',
      { title: 'Command', note: 'for a shell', run: () => void this.#copy('command') },
      { title: 'Golden test', note: 'test.yaml and its files', run: () => void this.#copy('test') },
      { title: 'Issue', note: 'Markdown', run: () => void this.#copy('issue') },
    ];
  }

  /** Adds dropped or selected files. */
  async take(given: readonly File[]): Promise<void> {
    const { workspace } = this.#app;
    const { openedFiles } = await import('../state/opened.ts');
    const { files: read, refused } = await openedFiles(given);
    const left =
      refused.length === 0
        ? ''
        : ` Not opened: ${refused.slice(0, 3).join('; ')}${refused.length > 3 ? ` and ${refused.length - 3} more` : ''}.`;
    if (read.length === 0) {
      if (left !== '') this.#app.notify(left.trim());
      return;
    }
    // Files from elsewhere do not replace those on disk.
    const placeOf = (name: string): string => (this.#app.keeper.isOnDisk(name) ? `dropped/${name}` : name);
    const added = read.map((file) => ({ ...file, name: placeOf(file.name) }));
    const remaining = workspace.files.filter(({ name }) => !added.some((one) => one.name === name));
    const contents = { ...workspace.contents, files: [...remaining, ...added] };
    const fault = contentsFault(contents);
    if (fault !== undefined) return this.#app.notify(`Not opened: ${fault}.`);
    const before = workspace.files;
    workspace.putAll(added);
    this.#app.notify(`${added.length} file${added.length === 1 ? ' was' : 's were'} opened.${left}`, {
      text: 'Undo',
      run: () => workspace.sync(before),
    });
  }

  #move(event: KeyboardEvent): void {
    const items = [...this.#tabs.querySelectorAll<HTMLElement>('button')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const isTree = this.#tabs.getAttribute('role') === 'tree';
    const [after, before] = isTree ? ['ArrowDown', 'ArrowUp'] : ['ArrowRight', 'ArrowLeft'];
    const to = ownValue({ [after]: at + 1, [before]: at - 1, Home: 0, End: items.length - 1 }, event.key);
    const expanded = items[at]?.getAttribute('aria-expanded');
    if (event.key === 'Delete') this.#remove();
    else if (event.key === 'F2') void this.#rename();
    else if (isTree && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      if (expanded === (event.key === 'ArrowRight' ? 'false' : 'true')) items[at]?.click();
    } else if (to !== undefined) {
      const target = items[(to + items.length) % items.length];
      const name = target?.dataset.name;
      target?.focus();
      if (name !== undefined) this.#app.workspace.activate(name);
    } else return;
    event.preventDefault();
  }

  async #add(): Promise<void> {
    const { workspace } = this.#app;
    const names = workspace.files.map(({ name }) => name);
    const name = await askText('Name of the new file', freeName(names), (text) => nameFault(text, names));
    if (name === undefined) return;
    workspace.put({ name, text: '', role: roleOf(name) });
    if (this.#app.keeper.isFolder)
      this.#app.notify(`${name} is in this browser only: the page creates no files on disk.`);
  }

  async #rename(): Promise<void> {
    const { workspace } = this.#app;
    const { active } = workspace;
    if (active === '') return;
    const others = workspace.files.map(({ name }) => name).filter((name) => name !== active);
    const name = await askText(`New name of ${active}`, active, (text) => nameFault(text, others));
    if (name === undefined || name === active) return;
    const isOnDisk = this.#app.keeper.isOnDisk(active);
    workspace.rename(active, name);
    if (isOnDisk)
      this.#app.notify(`${name} is in this browser only: on disk the file is still ${active}, and a reload shows it.`);
  }

  #remove(): void {
    const { workspace } = this.#app;
    const file = workspace.file(workspace.active);
    if (file === undefined) return;
    const isOnDisk = this.#app.keeper.isOnDisk(file.name);
    workspace.remove(file.name);
    const done = isOnDisk ? 'was closed. It stays on disk, and a reload shows it.' : 'was deleted.';
    this.#app.notify(`${file.name} ${done}`, { text: 'Undo', run: () => workspace.put(file) });
  }

  async #fetch(): Promise<void> {
    const { addressFault, fetchedFiles } = await import('../state/fetched.ts');
    const address = await askText('Address of a file, a folder or a gist on GitHub', '', addressFault);
    if (address === undefined) return;
    try {
      await this.take(await fetchedFiles(address));
    } catch (error) {
      this.#app.notify(`Nothing was opened: ${(error as Error).message}.`);
    }
  }

  async #copy(what: 'command' | 'test' | 'issue'): Promise<void> {
    const { copyAs } = await import('../ui/copies.ts');
    await copyAs(this.#app, what);
  }

  async #download(): Promise<void> {
    const { zipOf } = await import('../state/archive.ts');
    download('package.zip', zipOf(this.#app.workspace.files), 'application/zip');
  }
}

const ICONS: Partial<Record<Role, IconName>> = { observed: 'system', inputs: 'options' };

/** Returns the folder that all names begin with, with its slash; '' for one file. */
function commonFolder(names: readonly string[]): string {
  const [first = [], ...others] = names.map((name) => name.split('/').slice(0, -1));
  if (others.length === 0) return '';
  let depth = 0;
  while (depth < first.length && others.every((folder) => folder[depth] === first[depth])) depth += 1;
  return first
    .slice(0, depth)
    .map((part) => `${part}/`)
    .join('');
}

function freeName(names: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'new.yaml' : `new-${number}.yaml`;
    if (!names.includes(name)) return name;
  }
}

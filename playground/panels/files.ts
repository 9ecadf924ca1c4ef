import type { Diagnostic } from '../../src/api/index.ts';
import { nameFault } from '../../src/cli/playground/limits.ts';
import { ownValue } from '../../src/core/model/value.ts';
import type { App } from '../app.ts';
import type { PackageFile, Role } from '../engine/protocol.ts';
import { aboutFile, type Side, sideOf } from '../state/story.ts';
import { contentsFault, roleOf } from '../state/workspace.ts';
import { askText } from '../ui/ask.ts';
import { h } from '../ui/dom.ts';
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

/** The files: as tabs above the editors of their sides, or as a tree beside both, with their actions. */
export class FileBar {
  readonly #app: App;
  readonly #tree = h('div', { class: 'file-tabs', role: 'tree', 'aria-label': 'Files', hidden: true });
  readonly #tools: HTMLElement;
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
    const added = async (): Promise<MenuItems> => (await import('../ui/add.ts')).addItems(app, () => void this.#add());
    const add = menuButton('Add a file', [icon('add')], added, { class: 'plain' });
    const more = menuButton('File', [icon('more')], () => this.commands(), { class: 'plain' });
    this.#tools = h('div', { class: 'file-tools' }, add, more);
    element.replaceChildren(this.#tree, this.#picker, this.#folderPicker);
    element.closest('section')?.addEventListener('keydown', (event) => this.#move(event));
    app.workspace.listen((change) => change === 'text' || this.show());
    app.editor.onShow = () => this.show();
    this.show();
  }

  show(): void {
    const { files, active } = this.#app.workspace;
    const focused = document.activeElement?.closest('.file-tabs') != null;
    const isTree = files.length > MOST_TABS;
    document.documentElement.toggleAttribute('data-tree', isTree);
    this.#tree.hidden = !isTree;
    this.#tree.replaceChildren(...(isTree ? this.#treeRows() : []));
    for (const pane of this.#app.editor.panes)
      pane.title.replaceChildren(...(isTree ? this.#titleOf(pane.name) : [this.#tabsOf(pane.side)]));
    const [first] = this.#app.editor.panes;
    first?.title.append(this.#tools);
    const current = document.querySelector<HTMLElement>('.file-tabs [aria-selected="true"]');
    if (current === null) document.querySelector<HTMLElement>('.file-tabs button')?.setAttribute('tabindex', '0');
    if (focused) current?.focus();
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    document.documentElement.dataset.file = active;
  }

  /** The tabs of the files of a side. */
  #tabsOf(side: Side): HTMLElement {
    const { files } = this.#app.workspace;
    const prefix = commonFolder(files.map(({ name }) => name));
    const { panes } = this.#app.editor;
    // A file that is shown stays in its pane while it is typed.
    const shownIn = (name: string): Side | undefined => panes.find((pane) => pane.name === name)?.side;
    const own = files.filter((file) => (shownIn(file.name) ?? sideOf(file)) === side);
    const tabs = own.map((file) =>
      this.#entry(file, file.name.slice(prefix.length), { role: 'tab', 'aria-controls': 'editor' }),
    );
    const label = side === 'definition' ? 'Files with definitions' : 'Files with instances';
    const role = tabs.length === 0 ? undefined : 'tablist';
    return h('div', { class: 'file-tabs', role, 'aria-label': role && label }, ...tabs);
  }

  /** The title of an editor beside the tree. */
  #titleOf(name: string): HTMLElement[] {
    const file = this.#app.workspace.file(name);
    return [
      h('b', {}, name === '' ? 'No file' : (name.split('/').at(-1) ?? name)),
      h('span', { class: 'about' }, file === undefined ? '' : aboutFile(file)),
    ];
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
      this.#tree.querySelector<HTMLElement>(`[data-folder="${CSS.escape(folder)}"]`)?.focus();
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
        title: `${name}${roleNote(file.role)}`,
        'aria-label': file.role === 'objects' && title === name ? undefined : `${name}${roleNote(file.role)}`,
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
    for (const tab of document.querySelectorAll<HTMLElement>('.file-tabs [data-name]'))
      tab.classList.toggle('faulty', this.#counts.has(tab.dataset.name ?? ''));
  }

  /** The menu of the file that is shown, and of all files. */
  commands(): MenuItems {
    const { active } = this.#app.workspace;
    const file = this.#app.workspace.file(active);
    const disabled = file === undefined;
    return [
      ...(disabled ? [] : [active]),
      { title: 'Rename', key: 'F2', disabled, run: () => void this.#rename() },
      { title: 'Format', key: 'Shift+Alt+F', disabled, run: () => this.#app.editor.format() },
      { title: 'Delete', key: 'Del', disabled, run: () => this.#remove() },
      ...(disabled ? [] : ['Its role']),
      ...(disabled
        ? []
        : ROLES.map(([role, title, note]) => ({
            title,
            note,
            checked: role === file.role,
            run: () => this.#app.workspace.setRole(active, role),
          }))),
      'All files',
      { title: 'Open files', run: () => this.openFiles('files') },
      { title: 'Open a folder', run: () => this.openFiles('folder') },
      ...(mayFetch ? [{ title: 'Open an address', note: 'GitHub', run: () => this.openFiles('address') }] : []),
      { title: 'Save as ZIP', key: 'Ctrl+S', run: () => void this.#save() },
    ];
  }

  /** Asks for files, a folder or an address of GitHub. */
  openFiles(what: 'files' | 'folder' | 'address'): void {
    if (what === 'files') this.#picker.click();
    else if (what === 'folder') this.#folderPicker.click();
    else void this.#fetch();
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
    const items = [...document.querySelectorAll<HTMLElement>('.file-tabs button')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const isTree = !this.#tree.hidden;
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

  async #save(): Promise<void> {
    const { saveArchive } = await import('../ui/commands.ts');
    await saveArchive(this.#app);
  }
}

/** The roles that a tab names. */
const roleNote = (role: Role): string => {
  const title = ROLES.find(([one]) => one === role)?.[1] ?? '';
  return role === 'objects' ? '' : ` (${title.toLowerCase()})`;
};

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

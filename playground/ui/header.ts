import { examples } from 'virtual:examples';
import type { OnPending } from '../../src/api/index.ts';
import { isLabel } from '../../src/core/model/names.ts';
import type { App } from '../app.ts';
import type { PackageOptions } from '../engine/protocol.ts';
import { kindsIn } from '../state/story.ts';
import { askText } from './ask.ts';
import { byId, h } from './dom.ts';
import { icon } from './icons.ts';
import { type MenuItems, menuButton } from './menu.ts';

/** The commands of the header are loaded when a menu opens. */
const commands = (): Promise<typeof import('./commands.ts')> => import('./commands.ts');

/** The header: new packages, the name of this one, the modes of its rendering, and commands. */
export class Header {
  readonly #app: App;
  readonly #name = h('span', { class: 'chosen' });
  readonly #package: HTMLButtonElement;
  readonly #modes = byId('modes');
  #drawn = '';

  constructor(app: App) {
    this.#app = app;
    const fresh = menuButton('New', ['New'], async () => (await commands()).newItems(app), { class: 'columns' });
    this.#package = menuButton('Package', [this.#name], async () => (await commands()).packageItems(app), {
      class: 'plain package-name',
    });
    byId('package').replaceChildren(fresh, this.#package);
    const share = async (): Promise<void> => (await commands()).share(app);
    byId('actions').replaceChildren(
      h(
        'button',
        {
          type: 'button',
          class: 'plain search',
          title: 'Search commands (Ctrl+K)',
          on: { click: () => void this.search() },
        },
        icon('search'),
        h('span', { class: 'sr' }, 'Search commands '),
        h('kbd', {}, 'Ctrl K'),
      ),
      h('button', { type: 'button', class: 'accent', on: { click: () => void share() } }, icon('share'), 'Share'),
      menuButton('Menu', [icon('menu')], async () => (await commands()).menuItems(app), { class: 'plain' }),
    );
    app.workspace.listen(() => this.show());
    addEventListener('keydown', (event) => this.#press(event), true);
    this.show();
  }

  /** Shows the name and the modes as they are now. */
  show(): void {
    const { keeper, workspace } = this.#app;
    const { options, files } = workspace.contents;
    const name = nameOf(this.#app);
    const drawn = JSON.stringify([name, keeper.isChanged, options]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#name.textContent = name;
    this.#package.setAttribute('aria-label', `Package: ${name}`);
    const focused = this.#modes.contains(document.activeElement)
      ? document.activeElement?.getAttribute('aria-label')
      : null;
    this.#modes.replaceChildren(...this.#chips(options));
    document.title = files.length === 0 ? 'render-rgd playground' : `${name} · render-rgd`;
    if (focused)
      this.#modes.querySelector<HTMLElement>(`[aria-label^="${CSS.escape(focused.split(':')[0] ?? '')}"]`)?.focus();
  }

  /** The modes as a menu, for a page without room for them. */
  modeItems(): MenuItems {
    const { kro, namespace } = this.#app.workspace.contents.options;
    return [
      {
        title: 'kro 0.10',
        toggled: kro !== undefined,
        run: () => this.#change({ kro: kro === undefined ? '0.10' : undefined }),
      },
      { title: 'Namespace', note: namespace ?? 'none', run: () => void this.#askNamespace() },
      ...this.#pendingItems(),
    ];
  }

  async search(): Promise<void> {
    const { openPalette } = await import('./palette.ts');
    openPalette(this.#app);
  }

  #change(changed: Partial<Record<keyof PackageOptions, unknown>>): void {
    const { workspace } = this.#app;
    const entries = Object.entries({ ...workspace.contents.options, ...changed });
    workspace.setOptions(Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as PackageOptions);
  }

  async #askNamespace(): Promise<void> {
    const { namespace } = this.#app.workspace.contents.options;
    const check = (text: string): string | undefined =>
      text === '' || isLabel(text) ? undefined : 'A namespace has lower case letters, digits and dashes, at most 63.';
    const given = await askText('Namespace of instances that name none', namespace ?? '', check);
    if (given !== undefined) this.#change({ namespace: given === '' ? undefined : given });
  }

  /** Returns the modes of the rendering; one that is not the default is emphasized. */
  #chips({
    kro,
    namespace,
    onPending = 'fail',
    strict,
    assumeEmptyStatus,
    experimental,
  }: PackageOptions): HTMLElement[] {
    const kroItems = async (): Promise<MenuItems> =>
      (await commands()).kroItems(this.#app, (changed) => this.#change(changed));
    const isPlain = !strict && experimental === undefined && kro === undefined;
    const version = `kro ${kro ?? '0.9'}${strict ? ', strict' : ''}${experimental === undefined ? '' : ', Graph'}`;
    const isEmpty = assumeEmptyStatus === true;
    return [
      menuButton(`Release of kro: ${version}`, [version], kroItems, { class: isPlain ? 'chip' : 'chip on' }),
      h(
        'button',
        {
          type: 'button',
          class: namespace === undefined ? 'chip' : 'chip on',
          'aria-label': `Namespace: ${namespace ?? 'none'}`,
          title: 'Namespace of instances that name none',
          on: { click: () => void this.#askNamespace() },
        },
        h('span', { class: 'faint' }, 'namespace '),
        namespace ?? 'none',
      ),
      menuButton(
        `Pending: ${isEmpty ? `${onPending}, empty` : onPending}`,
        [h('span', { class: 'faint' }, 'pending '), isEmpty ? `${onPending}, empty` : onPending],
        () => ['Values that only a cluster knows', ...this.#pendingItems()],
        { class: onPending === 'fail' && !isEmpty ? 'chip' : 'chip on' },
      ),
    ];
  }

  #pendingItems(): MenuItems {
    const { onPending = 'fail', assumeEmptyStatus } = this.#app.workspace.contents.options;
    const isEmpty = assumeEmptyStatus === true;
    return [
      ...PENDING.map(([mode, note]) => ({
        title: mode,
        note,
        checked: mode === onPending,
        run: () => this.#change({ onPending: mode === 'fail' ? undefined : mode }),
      })),
      {
        title: 'Treat missing statuses as empty',
        toggled: isEmpty,
        run: () => this.#change({ assumeEmptyStatus: isEmpty ? undefined : true }),
      },
    ];
  }

  #press(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (event.key === 'k') void this.search();
    else if (event.key === 's') void commands().then(({ saveArchive }) => saveArchive(this.#app));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Returns what the package is called: an example or a lesson by its title, others by what they define. */
function nameOf({ keeper, workspace }: App): string {
  const { kind, id } = keeper.place;
  if (kind === 'example') return examples.find(({ name }) => name === id)?.title ?? id;
  if (kind === 'lesson') return 'Lesson';
  if (keeper.isFolder) return 'Folder';
  if (kind === 'own') return 'Your files';
  const kinds = workspace.files.flatMap(({ text }) => kindsIn(text));
  return kinds[0] ?? workspace.files[0]?.name ?? 'No files';
}

const PENDING: readonly (readonly [mode: OnPending, note: string])[] = [
  ['fail', 'they are errors'],
  ['skip', 'their nodes are left out'],
  ['passthrough', 'their instances stay as they are'],
  ['placeholder', 'their expressions are shown'],
];

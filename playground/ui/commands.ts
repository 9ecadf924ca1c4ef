import { examples } from 'virtual:examples';
import type { App } from '../app.ts';
import type { PackageOptions } from '../engine/protocol.ts';
import { saveBaseline } from '../state/baseline.ts';
import { hashOf } from '../state/place.ts';
import { publishedAt } from '../state/published.ts';
import { keptLinks } from '../state/storage.ts';
import { byId, download } from './dom.ts';
import { DOCS, REPOSITORY } from './links.ts';
import type { MenuItem, MenuItems } from './menu.ts';
import { STARTERS, type Starter } from './starters.ts';
import { themeItems } from './theme.ts';

/** The titles are repeated here, so that lessons are loaded on demand. */
const LESSONS: readonly (readonly [id: string, title: string])[] = [
  ['for-each', 'forEach'],
  ['product', 'A product'],
  ['include-when', 'includeWhen'],
  ['chaining', 'Chaining'],
  ['status', 'Status'],
  ['references', 'References'],
  ['nested', 'Nested RGDs'],
  ['pending', 'Pending values'],
  ['resource-set', 'A ResourceSet'],
  ['naming', 'Policies of naming'],
  ['policy', 'Admission policies'],
  ['graph', 'A Graph'],
  ['next', 'kro 0.10'],
];

/** The menu of new packages. Each has an address of its own, so that nothing is replaced. */
export const newItems = (app: App): MenuItems => [
  'Start with',
  ...STARTERS.map((starter) => ({ title: starter.title, run: () => void begin(app, starter) })),
  'Your own',
  { title: 'From my manifests', run: () => void manifests(app) },
  { title: 'Open files', run: () => app.openFiles('files') },
  { title: 'Open a folder', run: () => app.openFiles('folder') },
  'Examples',
  ...examples.map(({ name, title }) => addressItem(app, title, `#example=${name}`)),
  'Lessons',
  ...LESSONS.map(([id, title], index) => addressItem(app, `${index + 1}. ${title}`, `#lesson=${id}`)),
];

async function begin({ goTo }: App, { files, options = {} }: Starter): Promise<void> {
  const { encodeShared } = await import('../state/share.ts');
  goTo(`#s=${await encodeShared({ files, options })}`);
}

async function manifests(app: App): Promise<void> {
  const { askCopies } = await import('./extract.ts');
  askCopies(app);
}

/** The menu of the package: where else there are files, and a new start. */
export function packageItems(app: App): MenuItems {
  const { keeper } = app;
  const isPublished = ['example', 'lesson'].includes(keeper.place.kind);
  const again = { title: 'Start again', note: 'as it was published', run: () => void startAgain(app) };
  return [
    ...(isPublished && keeper.isChanged ? [again] : []),
    'Yours, kept in this browser',
    addressItem(app, 'Your files', ''),
    ...keptLinks().map(({ id, time }) =>
      addressItem(app, `Changed link, ${new Date(time).toLocaleString()}`, `#kept=${id}`),
    ),
  ];
}

async function startAgain({ keeper, replaceFiles }: App): Promise<void> {
  const published = await publishedAt(keeper.place);
  if (published !== undefined) replaceFiles(published, 'The files are as they were published.');
}

const addressItem = ({ goTo, keeper }: App, title: string, hash: string): MenuItem => ({
  title,
  checked: hashOf(keeper.place) === hash,
  run: () => goTo(hash),
});

type Change = (changed: Partial<Record<keyof PackageOptions, unknown>>) => void;

/** The menu of the release of kro, and of the rules of a rendering. */
export function kroItems(app: App, change: Change): MenuItems {
  const { kro, strict = false, experimental } = app.workspace.contents.options;
  return [
    'Render as',
    { title: 'kro 0.9', checked: kro === undefined, run: () => change({ kro: undefined }) },
    { title: 'kro 0.10', checked: kro === '0.10', run: () => change({ kro: '0.10' }) },
    'Compare',
    { title: 'What does kro 0.10 change here?', run: () => compareReleases(app) },
    'Rules',
    {
      title: 'Reject what kro rejects',
      note: '--strict',
      toggled: strict,
      run: () => change({ strict: strict ? undefined : true }),
    },
    {
      title: 'Render the kind Graph',
      note: '--experimental graph',
      toggled: experimental !== undefined,
      run: () => change({ experimental: experimental === undefined ? ['graph'] : undefined }),
    },
  ];
}

function compareReleases(app: App): void {
  saveBaseline(app.keeper.place, { kind: 'kro' });
  app.showResults('changes');
}

/** The menu of the page, with the modes if the header has no room for them. */
export const menuItems = (app: App, hasModes = byId('modes').offsetParent === null): MenuItems => [
  'Package',
  { title: 'Search commands', key: 'Ctrl+K', run: () => void app.searchCommands() },
  { title: 'Save as ZIP', key: 'Ctrl+S', run: () => void saveArchive(app) },
  { title: 'Copy as a command', run: () => void copy(app, 'command') },
  { title: 'Copy as a golden test', run: () => void copy(app, 'test') },
  { title: 'Copy as an issue', run: () => void copy(app, 'issue') },
  ...(hasModes ? ['Modes', ...app.modeItems()] : []),
  ...['Colors', ...themeItems()],
  'About',
  { title: 'Functions of CEL', run: () => void open(`${DOCS}/cel.md`, '_blank', 'noopener') },
  { title: 'Functions of templates', run: () => void open(`${DOCS}/templates.md`, '_blank', 'noopener') },
  { title: 'Documentation', run: () => void open(`${DOCS}/playground.md`, '_blank', 'noopener') },
  { title: 'Source code', run: () => void open(REPOSITORY, '_blank', 'noopener') },
];

/** Downloads the files as a ZIP archive. */
export async function saveArchive({ workspace, notify }: App): Promise<void> {
  const { zipOf } = await import('../state/archive.ts');
  download('package.zip', zipOf(workspace.files), 'application/zip');
  const { length } = workspace.files;
  notify(`${length} file${length === 1 ? ' was' : 's were'} saved as package.zip.`);
}

async function copy(app: App, what: 'command' | 'test' | 'issue'): Promise<void> {
  const { copyAs } = await import('./copies.ts');
  await copyAs(app, what);
}

/** A command that Ctrl+K finds. */
export interface Command {
  readonly group: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly key?: string | undefined;
  readonly run: () => void;
}

const KEYS: readonly (readonly [title: string, key: string, event: KeyboardEventInit])[] = [
  ['Fix at the cursor', 'Ctrl+.', { key: '.', code: 'Period', ctrlKey: true }],
  ['Rename at the cursor', 'F2', { key: 'F2', code: 'F2' }],
  ['Go to the definition', 'F12', { key: 'F12', code: 'F12' }],
  ['Next problem', 'F8', { key: 'F8', code: 'F8' }],
  ['Search in the file', 'Ctrl+F', { key: 'f', code: 'KeyF', ctrlKey: true }],
];

/** Returns everything that the page can do, with its keys. */
export function allCommands(app: App): Command[] {
  const { workspace, editor } = app;
  const press = (event: KeyboardEventInit): void => {
    editor.view.focus();
    editor.view.contentDOM.dispatchEvent(new KeyboardEvent('keydown', { ...event, bubbles: true, cancelable: true }));
  };
  const views = [
    ['objects', 'Objects'],
    ['graph', 'Graph'],
    ['changes', 'Changes'],
    ['schema', 'Schema'],
  ] as const;
  return [
    ...workspace.files.map(({ name }) => ({ group: 'Go to', title: name, run: () => workspace.activate(name) })),
    ...views.map(([id, title]) => ({ group: 'Show', title, run: () => app.showResults(id) })),
    ...KEYS.map(([title, key, event]) => ({ group: 'Editor', title, key, run: () => press(event) })),
    ...flat(app.fileItems(), 'File'),
    ...flat(newItems(app), 'New'),
    ...flat(packageItems(app), 'Package'),
    ...flat(menuItems(app, true).slice(2), 'Page'),
    { group: 'Package', title: 'Share a link', run: () => void share(app) },
  ];
}

/** Returns the items of a menu with their headings as groups. */
function flat(items: MenuItems, first: string): Command[] {
  let group = first;
  const found: Command[] = [];
  for (const item of items) {
    if (typeof item === 'string') group = item;
    else if (item.disabled !== true)
      found.push({ group, title: item.title, note: item.note, key: item.key, run: item.run });
  }
  return found;
}

/** Puts a link to the package into the address bar and the clipboard. */
export async function share({ workspace, notify, keepNow }: App): Promise<void> {
  // Otherwise what was typed just now would be kept later, and replace the address.
  keepNow();
  const { encodeShared } = await import('../state/share.ts');
  const text = await encodeShared(workspace.contents);
  const url = new URL(location.href);
  url.hash = `s=${text}`;
  history.replaceState(null, '', url);
  const size = `${Math.ceil(url.href.length / 1000)} kB`;
  try {
    await navigator.clipboard.writeText(url.href);
    notify(
      `A link to this package (${size}) is in the clipboard and in the address bar. It holds the files; nothing is sent.`,
    );
  } catch {
    notify(`The link to this package (${size}) is in the address bar. It holds the files; nothing is sent.`);
  }
}

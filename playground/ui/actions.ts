import { examples } from 'virtual:examples';
import type { App } from '../app.ts';
import { hashOf } from '../state/place.ts';
import { keptLinks } from '../state/storage.ts';
import { button, h } from './dom.ts';
import { type IconName, icon } from './icons.ts';
import { type MenuItem, type MenuItems, menuButton } from './menu.ts';
import { themeSwitch } from './theme.ts';

export const DOCS = 'https://github.com/render-rgd/render-rgd/blob/main/docs';
export const REPOSITORY = 'https://github.com/render-rgd/render-rgd';

/** The controls of the header; on a phone they are one menu. */
export function showActions(element: HTMLElement, app: App): void {
  const options = (): void => void import('./options.ts').then(({ askOptions }) => askOptions(app));
  const manifests = (): void => void import('./extract.ts').then(({ askCopies }) => askCopies(app));
  const theme = themeSwitch();
  const everything = (): MenuItems => [
    { title: 'Share', run: () => void share(app) },
    { title: 'From my manifests', run: manifests },
    { title: 'Options', run: options },
    ...['Examples', ...examplesOf(app)],
    ...['Lessons', ...lessonsOf(app)],
    ...['Colors', ...theme.items()],
    'About',
    { title: 'Documentation', run: () => void open(`${DOCS}/playground.md`, '_blank', 'noopener') },
    { title: 'Source code', run: () => void open(REPOSITORY, '_blank', 'noopener') },
  ];
  element.replaceChildren(
    menuButton('Examples', ['Examples'], () => examplesOf(app)),
    menuButton('Lessons', ['Lessons'], () => lessonsOf(app)),
    button('From my manifests', manifests),
    button('Options', options),
    h('button', { type: 'button', class: 'accent', on: { click: () => void share(app) } }, icon('share'), 'Share'),
    theme.element,
    linkTo(`${DOCS}/playground.md`, 'Documentation', 'book'),
    linkTo(REPOSITORY, 'Source code', 'code'),
    menuButton('Menu', [icon('menu')], everything, { class: 'whole-menu plain' }),
  );
}

const examplesOf = (app: App): MenuItems => [
  ...examples.map(({ name, title }) => addressItem(app, title, `#example=${name}`)),
  'Yours',
  addressItem(app, 'Your files', ''),
  ...keptLinks().map(({ id, time }) =>
    addressItem(app, `Changed link, ${new Date(time).toLocaleString()}`, `#kept=${id}`),
  ),
];

const lessonsOf = (app: App): MenuItem[] =>
  LESSONS.map(([id, title], index) => addressItem(app, `${index + 1}. ${title}`, `#lesson=${id}`));

const linkTo = (href: string, label: string, name: IconName): HTMLElement =>
  h(
    'a',
    { class: 'icon-link', href, target: '_blank', rel: 'noopener', 'aria-label': label, title: label },
    icon(name),
  );

const addressItem = ({ goTo, keeper }: App, title: string, hash: string): MenuItem => ({
  title,
  checked: hashOf(keeper.place) === hash,
  run: () => goTo(hash),
});

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
];

async function share({ workspace, notify }: App): Promise<void> {
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

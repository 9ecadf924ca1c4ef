import { examples } from 'virtual:examples';
import type { App } from '../app.ts';
import type { PackageOptions } from '../engine/protocol.ts';
import { encodeShared } from '../state/share.ts';
import { exampleNamed } from '../state/start.ts';
import { button, h } from './dom.ts';
import { themeSwitch } from './theme.ts';

/** The controls of the header. */
export function showActions(element: HTMLElement, app: App): void {
  element.replaceChildren(
    exampleChoice(app),
    lessonChoice(app),
    optionsButton(app),
    button('Share', () => void share(app)),
    themeSwitch(),
  );
}

function exampleChoice({ workspace }: App): HTMLSelectElement {
  const select = h('select', { 'aria-label': 'Open an example' }, h('option', { value: '' }, 'Examples'));
  select.append(...examples.map(({ name, title }) => h('option', { value: name }, title)));
  select.addEventListener('change', () => {
    const contents = exampleNamed(select.value);
    if (contents !== undefined) workspace.open(contents);
    select.value = '';
  });
  return select;
}

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

function lessonChoice(app: App): HTMLSelectElement {
  const select = h('select', { 'aria-label': 'Open a lesson' }, h('option', { value: '' }, 'Lessons'));
  select.append(...LESSONS.map(([id, title], index) => h('option', { value: id }, `${index + 1}. ${title}`)));
  select.addEventListener('change', () => {
    if (select.value !== '') app.openLesson(select.value);
    select.value = '';
  });
  return select;
}

async function share({ workspace, notify }: App): Promise<void> {
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

function optionsButton(app: App): HTMLButtonElement {
  return button('Options', () => {
    const {
      namespace = '',
      onPending = 'fail',
      strict = false,
      assumeEmptyStatus = false,
    } = app.workspace.contents.options;
    const name = h('input', { type: 'text', id: 'option-namespace', value: namespace, autocomplete: 'off' });
    const pending = h(
      'select',
      { id: 'option-pending' },
      ...['fail', 'skip', 'passthrough', 'placeholder'].map((one) =>
        h('option', { value: one, selected: one === onPending }, one),
      ),
    );
    const isStrict = h('input', { type: 'checkbox', id: 'option-strict', checked: strict });
    const isEmpty = h('input', { type: 'checkbox', id: 'option-empty', checked: assumeEmptyStatus });
    const form = h(
      'form',
      { method: 'dialog' },
      h('label', { for: 'option-namespace' }, 'Namespace of instances that name none'),
      name,
      h('label', { for: 'option-pending' }, 'What to do with a node that needs a live value'),
      pending,
      h('label', { for: 'option-strict' }, isStrict, ' Reject what kro rejects (--strict)'),
      h('label', { for: 'option-empty' }, isEmpty, ' Treat missing statuses as empty (--assume-empty-status)'),
      h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, 'OK')),
    );
    const dialog = h('dialog', { 'aria-label': 'Options' }, form);
    form.addEventListener('submit', () => {
      app.workspace.setOptions({
        ...(name.value === '' ? {} : { namespace: name.value }),
        ...(pending.value === 'fail' ? {} : { onPending: pending.value as NonNullable<PackageOptions['onPending']> }),
        ...(isStrict.checked ? { strict: true } : {}),
        ...(isEmpty.checked ? { assumeEmptyStatus: true } : {}),
      });
    });
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  });
}

import { ownValue } from '../../src/core/model/value.ts';
import type { App } from '../app.ts';
import { allCommands, type Command } from './commands.ts';
import { h } from './dom.ts';

const MOST = 40;

/** Opens the list of all commands, which is searched while one types. Enter runs the chosen one. */
export function openPalette(app: App): void {
  if (document.querySelector('dialog.palette') !== null) return;
  const before = document.activeElement;
  const commands = allCommands(app);
  const input = h('input', {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Search commands, files, examples and lessons',
    'aria-label': 'Search commands',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
  });
  const list = h('div', { id: 'palette-list', role: 'listbox', 'aria-label': 'Commands' });
  const dialog = h('dialog', { class: 'palette', 'aria-label': 'Commands' }, input, list);
  let found: readonly Command[] = [];
  let at = 0;
  const run = (index: number): void => {
    const command = found[index];
    dialog.close();
    command?.run();
  };
  const choose = (index: number): void => {
    at = Math.min(Math.max(index, 0), found.length - 1);
    for (const [place, row] of [...list.children].entries()) row.setAttribute('aria-selected', String(place === at));
    const row = list.children[at];
    if (row === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', row.id);
    row?.scrollIntoView({ block: 'nearest' });
  };
  const show = (): void => {
    found = matching(commands, input.value).slice(0, MOST);
    list.replaceChildren(...found.map((command, index) => rowOf(command, index, () => run(index))));
    choose(0);
  };
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const to = ownValue({ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }, event.key);
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (to === undefined) run(at);
    else choose(to);
  });
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  show();
  input.focus();
}

/** Returns the commands that have every word, those that begin with the first word before the others. */
function matching(commands: readonly Command[], text: string): Command[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const [first = ''] = words;
  const nameOf = ({ group, title }: Command): string => `${title} ${group}`.toLowerCase();
  const found = commands.filter((command) => words.every((word) => nameOf(command).includes(word)));
  const starts = found.filter((command) => nameOf(command).startsWith(first));
  return [...starts, ...found.filter((command) => !starts.includes(command))];
}

const rowOf = ({ group, title, note, key }: Command, index: number, run: () => void): HTMLElement =>
  h(
    'div',
    { id: `palette-${index}`, role: 'option', class: 'palette-row', on: { click: run } },
    h('span', { class: 'group-name' }, group),
    h('span', { class: 'title' }, title),
    key === undefined ? h('span', { class: 'about-item' }, note) : h('kbd', {}, key),
  );

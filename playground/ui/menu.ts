import { ownValue } from '../../src/core/model/value.ts';
import { h } from './dom.ts';
import { icon } from './icons.ts';

/** A command of a menu. `checked` makes it one of several choices; `note` is shown beside the title. */
export interface MenuItem {
  readonly title: string;
  readonly note?: string;
  /** The key that does the same. */
  readonly key?: string;
  readonly checked?: boolean;
  /** Whether an option is on, which does not depend on the others. */
  readonly toggled?: boolean;
  readonly disabled?: boolean;
  readonly run: () => void;
}

/** A menu: items, and strings as headings of those that follow. */
export type MenuItems = readonly (MenuItem | string)[];

let opened = 0;

/**
 * Returns a button that opens a menu below it, according to the ARIA practices: arrow keys, Home, End and letters move,
 * Enter runs, Escape closes. `items` is called at each opening. With the class `columns` its headings are side by side.
 */
export function menuButton(
  label: string,
  content: readonly (Element | string)[],
  items: () => MenuItems | Promise<MenuItems>,
  properties: { readonly class?: string; readonly disabled?: boolean } = {},
): HTMLButtonElement {
  const button = h(
    'button',
    {
      type: 'button',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      'aria-label': label,
      title: label,
      ...properties,
    },
    ...content,
    icon('chevron'),
  );
  button.classList.add('opens');
  const open = async (): Promise<void> => {
    const found = items();
    openMenu(button, label, found instanceof Promise ? await found : found);
  };
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-expanded') === 'false') void open();
  });
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' || button.getAttribute('aria-expanded') === 'true') return;
    event.preventDefault();
    void open();
  });
  return button;
}

/** Opens a menu at an element, which gets the focus back when it closes. */
export function openMenu(
  anchor: HTMLElement,
  label: string,
  items: MenuItems,
  at = anchor.getBoundingClientRect(),
): void {
  opened += 1;
  const commands: HTMLElement[] = [];
  const layout = anchor.classList.contains('columns') ? 'menu in-columns' : 'menu';
  const menu = h('div', { class: layout, role: 'menu', id: `menu-${opened}`, 'aria-label': label, popover: 'manual' });
  const close = (focus: boolean): void => {
    removeEventListener('pointerdown', outside, true);
    removeEventListener('resize', leave);
    menu.remove();
    anchor.setAttribute('aria-expanded', 'false');
    if (focus) anchor.focus();
  };
  const outside = ({ target }: Event): void => {
    if (menu.contains(target as Node)) return;
    // The click on its own button must not open it again.
    if (anchor.contains(target as Node))
      addEventListener('click', (event) => event.stopImmediatePropagation(), { capture: true, once: true });
    close(false);
  };
  const leave = (): void => close(false);
  let group: HTMLElement = menu;
  for (const item of items) {
    if (typeof item === 'string') {
      group = h('div', { class: 'menu-group', role: 'group', 'aria-label': item });
      group.append(h('div', { class: 'menu-heading', role: 'presentation' }, item));
      menu.append(group);
    } else {
      const command = commandOf(item);
      command.addEventListener('click', () => {
        if (item.disabled) return;
        close(true);
        item.run();
      });
      commands.push(command);
      group.append(command);
    }
  }
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' || event.key === 'Tab') close(true);
    const to = moveTo(event.key, commands);
    if (event.key !== 'Escape' && to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    to?.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !menu.contains(relatedTarget as Node)) close(false);
  });
  // What is outside of a dialog does not react, and a menu belongs to the part of the page that it is opened in.
  (anchor.closest('dialog, section, header') ?? document.body).append(menu);
  menu.showPopover();
  place(menu, at);
  anchor.setAttribute('aria-expanded', 'true');
  addEventListener('pointerdown', outside, true);
  addEventListener('resize', leave);
  (commands.find((one) => one.getAttribute('aria-checked') === 'true') ?? commands[0])?.focus();
}

function commandOf({ title, note, key, checked, toggled, disabled }: MenuItem): HTMLElement {
  const state = checked ?? toggled;
  const role = checked === undefined ? 'menuitemcheckbox' : 'menuitemradio';
  return h(
    'button',
    {
      type: 'button',
      class: 'menu-item',
      role: state === undefined ? 'menuitem' : role,
      'aria-checked': state === undefined ? undefined : String(state),
      'aria-disabled': disabled ? 'true' : undefined,
      tabindex: -1,
    },
    h('span', {}, title),
    note === undefined ? undefined : h('span', { class: 'about-item' }, note),
    key === undefined ? undefined : h('kbd', {}, key),
  );
}

function moveTo(key: string, commands: readonly HTMLElement[]): HTMLElement | undefined {
  const at = commands.indexOf(document.activeElement as HTMLElement);
  const last = commands.length - 1;
  const to = ownValue(
    { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last },
    key,
  );
  if (to !== undefined) return commands[to];
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...commands.slice(at + 1), ...commands.slice(0, at + 1)];
  return after.find(({ textContent }) => textContent?.toLowerCase().startsWith(key.toLowerCase()));
}

/** Keeps the menu inside of the page. */
function place(menu: HTMLElement, at: DOMRect): void {
  const { width, height } = menu.getBoundingClientRect();
  const below = at.bottom + 4 + height <= innerHeight;
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  menu.style.top = `${below ? at.bottom + 4 : Math.max(8, Math.min(at.top - height - 4, innerHeight - height - 8))}px`;
}

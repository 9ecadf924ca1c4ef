import { h } from './dom.ts';
import { type MenuItems, menuButton } from './menu.ts';

/** A choice between values: a button with the chosen one, which opens a menu. */
export interface Choice {
  readonly element: HTMLButtonElement;
  value: string;
  offer(values: readonly (readonly [value: string, title: string])[]): void;
}

export function choice(label: string, onChange: () => void): Choice {
  let options: readonly (readonly [value: string, title: string])[] = [];
  let value = '';
  const shown = h('span', { class: 'chosen' });
  const show = (): void => {
    shown.textContent = options.find(([one]) => one === value)?.[1] ?? '';
    element.setAttribute('aria-label', `${label}: ${shown.textContent}`);
    element.hidden = options.length === 0;
  };
  const set = (wanted: string): void => {
    value = options.some(([one]) => one === wanted) ? wanted : (options[0]?.[0] ?? '');
    show();
  };
  const choose = (wanted: string): void => {
    set(wanted);
    onChange();
  };
  const items = (): MenuItems =>
    options.map(([one, title]) => ({ title, checked: one === value, run: () => choose(one) }));
  const element = menuButton(label, [shown], items, { class: 'choice' });
  return {
    element,
    get value() {
      return value;
    },
    set value(wanted) {
      set(wanted);
    },
    offer(values) {
      options = values;
      set(value);
    },
  };
}

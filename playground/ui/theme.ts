import { loadTheme, saveTheme, type Theme } from '../state/storage.ts';
import { type IconName, icon } from './icons.ts';
import { type MenuItem, menuButton } from './menu.ts';

export function applyTheme(theme: Theme = loadTheme()): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

const THEMES: readonly (readonly [theme: Theme, title: string, icon: IconName])[] = [
  ['auto', 'As the system', 'system'],
  ['light', 'Light', 'light'],
  ['dark', 'Dark', 'dark'],
];

/** Chooses light, dark, or what the system prefers. */
export function themeSwitch(): { readonly element: HTMLElement; items(): MenuItem[] } {
  const iconOf = (theme: Theme): Element => icon(THEMES.find(([one]) => one === theme)?.[2] ?? 'system');
  const choose = (theme: Theme): void => {
    saveTheme(theme);
    applyTheme(theme);
    button.firstElementChild?.replaceWith(iconOf(theme));
  };
  const items = () =>
    THEMES.map(([theme, title]) => ({ title, checked: theme === loadTheme(), run: () => choose(theme) }));
  const button = menuButton('Colors', [iconOf(loadTheme())], items, { class: 'plain' });
  return { element: button, items };
}

import { loadTheme, saveTheme, type Theme } from '../state/storage.ts';
import type { MenuItem } from './menu.ts';

export function applyTheme(theme: Theme = loadTheme()): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

const THEMES: readonly (readonly [theme: Theme, title: string])[] = [
  ['auto', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Returns the choice of light, dark, or what the system prefers. */
export const themeItems = (): MenuItem[] =>
  THEMES.map(([theme, title]) => ({ title, checked: theme === loadTheme(), run: () => choose(theme) }));

function choose(theme: Theme): void {
  saveTheme(theme);
  applyTheme(theme);
}

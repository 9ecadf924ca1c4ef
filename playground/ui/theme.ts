import { loadTheme, saveTheme, type Theme } from '../state/storage.ts';
import { h } from './dom.ts';

export function applyTheme(theme: Theme = loadTheme()): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Chooses light, dark, or what the system prefers. */
export function themeSwitch(): HTMLSelectElement {
  const select = h('select', { 'aria-label': 'Colors' });
  const titles = { auto: 'Colors: system', light: 'Light', dark: 'Dark' };
  select.append(...Object.entries(titles).map(([value, title]) => h('option', { value }, title)));
  select.value = loadTheme();
  select.addEventListener('change', () => {
    saveTheme(select.value as Theme);
    applyTheme(select.value as Theme);
  });
  return select;
}

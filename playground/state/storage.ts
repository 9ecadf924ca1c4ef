import { keyOf, loadKept, type Memory } from './kept.ts';

const THEME = 'render-rgd-theme';
const PANEL = 'render-rgd-panel';
const SIZES = 'render-rgd-sizes';
const WELCOMED = 'render-rgd-welcomed';

/** The storage of the browser, which may be blocked: then nothing is kept. */
export const browserMemory: Memory = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, text) => localStorage.setItem(key, text),
};

/** Returns the changed links that the browser keeps, the latest first. */
export function keptLinks(): { id: string; time: number }[] {
  const prefix = keyOf('kept:');
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
  return keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => ({ id: key.slice(prefix.length), time: loadKept(browserMemory, key)?.time ?? 0 }))
    .sort((a, b) => b.time - a.time);
}

/** Returns the view that was open last. */
export function loadPanel(): string {
  try {
    return localStorage.getItem(PANEL) ?? '';
  } catch {
    return '';
  }
}

export function savePanel(panel: string): void {
  try {
    localStorage.setItem(PANEL, panel);
  } catch {
    // The page works without storage.
  }
}

export type Theme = 'light' | 'dark' | 'auto';

export function loadTheme(): Theme {
  try {
    const stored = localStorage.getItem(THEME);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

export function saveTheme(theme: Theme): void {
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // The page works without storage.
  }
}

/** Returns the positions of the separators in percent, by name. */
export function loadSizes(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SIZES) ?? '{}');
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
    return Object.fromEntries(entries.filter(([, size]) => typeof size === 'number'));
  } catch {
    return {};
  }
}

export function saveSizes(sizes: Readonly<Record<string, number>>): void {
  try {
    localStorage.setItem(SIZES, JSON.stringify(sizes));
  } catch {
    // The page works without storage.
  }
}

/** Reports whether the user has closed the introduction. */
export function isWelcomed(): boolean {
  try {
    return localStorage.getItem(WELCOMED) !== null;
  } catch {
    return false;
  }
}

export function saveWelcomed(): void {
  try {
    localStorage.setItem(WELCOMED, 'true');
  } catch {
    // The page works without storage.
  }
}

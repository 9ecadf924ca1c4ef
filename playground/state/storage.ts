import { readContents } from './read-contents.ts';
import type { Contents } from './workspace.ts';

/** The state that survives a reload besides the files. */
export interface Session {
  readonly contents: Contents;
  readonly active: string;
  readonly panel: string;
  readonly lesson: string;
}

const KEY = 'render-rgd-playground';
const THEME = 'render-rgd-theme';

/** Returns the session of the last visit; undefined on a first visit, or if it is invalid. */
export function loadSession(): Session | undefined {
  try {
    const text = localStorage.getItem(KEY);
    if (text === null) return undefined;
    const value = JSON.parse(text) as { [member: string]: unknown };
    return {
      contents: readContents(value.contents),
      active: String(value.active ?? ''),
      panel: String(value.panel ?? ''),
      lesson: String(value.lesson ?? ''),
    };
  } catch {
    return undefined;
  }
}

/** Saves a session in the browser. @throws Error if its storage is full */
export const saveSession = (session: Session): void => localStorage.setItem(KEY, JSON.stringify(session));

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

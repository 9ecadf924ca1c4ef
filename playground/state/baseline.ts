import { keyOf } from './kept.ts';
import { type Place, shortHashOf } from './place.ts';
import { readContents } from './read-contents.ts';
import type { Contents } from './workspace.ts';

/**
 * What the objects are compared with: the files as they were opened, as they were pinned, of an archive or of a link, or
 * the same files with the other release of kro.
 */
export type BaselineKind = 'opened' | 'pinned' | 'zip' | 'link' | 'kro';

export interface Baseline {
  readonly kind: BaselineKind;
  /** The files; absent for the same files. */
  readonly contents?: Contents;
  /** The name of the archive, or the time at which they were pinned. */
  readonly note?: string;
}

const keyOfPlace = (place: Place): string => keyOf(`baseline:${shortHashOf(place)}`);

/** The baseline that was chosen since the package was opened: its place gets another address with the first change. */
let chosen: Baseline | undefined;

/** Keeps the chosen baseline of a place over reloads. */
export function saveBaseline(place: Place, baseline: Baseline): void {
  chosen = baseline;
  try {
    localStorage.setItem(keyOfPlace(place), JSON.stringify(baseline));
  } catch {
    // It is compared until the page is closed.
  }
}

/** Forgets the chosen baseline, for another package. */
export function forgetBaseline(): void {
  chosen = undefined;
}

const KINDS: readonly string[] = ['opened', 'pinned', 'zip', 'link', 'kro'] satisfies BaselineKind[];

/** Returns the chosen baseline of a place; the opened files without one. */
export function loadBaseline(place: Place): Baseline {
  const stored = storedBaseline(place);
  if (stored !== undefined) return stored;
  if (chosen === undefined) return { kind: 'opened' };
  saveBaseline(place, chosen);
  return chosen;
}

function storedBaseline(place: Place): Baseline | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOfPlace(place)) ?? '{}');
    const { kind, contents, note } = stored as Record<keyof Baseline, unknown>;
    if (typeof kind !== 'string' || !KINDS.includes(kind)) return undefined;
    return {
      kind: kind as BaselineKind,
      ...(contents === undefined ? {} : { contents: readContents(contents) }),
      ...(typeof note === 'string' ? { note } : {}),
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns the files of a place as this tab opened them first, also after a reload; those that are open now if it opened
 * none before.
 */
export function openedContents(place: Place, now: Contents): Contents {
  const key = keyOfPlace(place);
  try {
    const stored = sessionStorage.getItem(key);
    if (stored !== null) return readContents(JSON.parse(stored));
    sessionStorage.setItem(key, JSON.stringify(now));
  } catch {
    // Without storage they are those of this visit.
  }
  return now;
}

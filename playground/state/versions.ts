import type { Role } from '../engine/protocol.ts';

/** How many changes of each tab a version contains. */
export type Clock = Readonly<Record<string, number>>;

/** A version of a file, as a tab wrote it. */
export interface Version {
  readonly name: string;
  /** `null` if there is no file, or only the one on disk. */
  readonly text: string | null;
  readonly role: Role;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The text on disk that it changes. */
  readonly base?: string | undefined;
}

/** Reports whether a version contains everything of another one. */
const contains = (clock: Clock, other: Clock): boolean =>
  Object.entries(other).every(([tab, count]) => (Object.hasOwn(clock, tab) ? (clock[tab] ?? 0) : 0) >= count);

const joined = (clocks: readonly Clock[]): Clock => {
  const counts = new Map<string, number>();
  for (const clock of clocks)
    for (const [tab, count] of Object.entries(clock)) counts.set(tab, Math.max(count, counts.get(tab) ?? 0));
  return Object.fromEntries(counts);
};

const isEqual = (a: Clock, b: Clock): boolean => contains(a, b) && contains(b, a);

/**
 * Returns the versions of both lists without those that another one contains. The order of the lists and of calls does
 * not matter, so tabs that overwrite each other's list agree again as soon as they see both.
 */
export function merged(a: readonly Version[], b: readonly Version[]): Version[] {
  const all = new Map<string, Version[]>();
  for (const version of [...a, ...b]) {
    const others = all.get(version.name) ?? [];
    if (others.some(({ clock }) => contains(clock, version.clock))) continue;
    all.set(version.name, [...others.filter(({ clock }) => !contains(version.clock, clock)), version]);
  }
  return [...all.values()].flat();
}

/** A clock forgets the oldest tabs: the version of one that is still open then looks like another one. */
const MOST_TABS = 40;

/** The versions of a package that a tab knows, and which of them it shows. */
export class Versions {
  #all: readonly Version[] = [];
  readonly #shown = new Map<string, Clock>();
  readonly #tab: string;
  #count = 0;

  /** `tab` is unique among all tabs of all times. */
  constructor(tab: string) {
    this.#tab = tab;
  }

  get all(): readonly Version[] {
    return this.#all;
  }

  /** Adds versions of other tabs. */
  absorb(versions: readonly Version[]): void {
    this.#all = merged(this.#all, versions);
  }

  of(name: string): readonly Version[] {
    return this.#all.filter((version) => version.name === name);
  }

  /** Adds a version that replaces the shown one; with `overAll` it replaces all versions of the file. */
  write(file: Omit<Version, 'clock' | 'time'>, time: number, overAll = false): void {
    this.#count += 1;
    const known = overAll ? this.of(file.name).map(({ clock }) => clock) : [];
    const before = Object.entries(joined([this.#shown.get(file.name) ?? {}, ...known])).slice(-MOST_TABS);
    const clock = { ...Object.fromEntries(before), [this.#tab]: this.#count };
    this.absorb([{ ...file, clock, time }]);
    this.#shown.set(file.name, clock);
  }

  show({ name, clock }: Version): void {
    this.#shown.set(name, clock);
  }

  /** Shows a version that was written at the same time as the shown one, instead of it. */
  showOver({ name, clock }: Version): void {
    this.#shown.set(name, joined([this.#shown.get(name) ?? {}, clock]));
  }

  /** Returns the version that replaces the shown one, or that is the first of its file; undefined if nothing is new. */
  next(name: string): Version | undefined {
    const shown = this.#shown.get(name);
    const newer = this.of(name).filter(({ clock }) => shown === undefined || contains(clock, shown));
    const best = newer.sort(byPreference)[0];
    return best === undefined || (shown !== undefined && isEqual(best.clock, shown)) ? undefined : best;
  }

  /** Returns the texts that other tabs wrote at the same time as the shown one. */
  others(name: string, text: string | undefined): readonly Version[] {
    const shown = this.#shown.get(name) ?? {};
    return this.of(name)
      .filter((version) => version.text !== null && version.text !== text && !contains(shown, version.clock))
      .sort(byPreference);
  }
}

/** Texts before removals, then the latest; the rest only makes all tabs choose the same. */
const byPreference = (a: Version, b: Version): number =>
  Number(a.text === null) - Number(b.text === null) ||
  b.time - a.time ||
  (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

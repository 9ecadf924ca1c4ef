import { Keeper } from '../../playground/state/keeper.ts';
import { OWN } from '../../playground/state/place.ts';
import type { Served } from '../../playground/state/served.ts';
import { type Contents, Workspace } from '../../playground/state/workspace.ts';

/** A value that a tab stored; its number is its place in the order of the browser. */
interface Stored {
  readonly number: number;
  readonly key: string;
  readonly text: string;
}

/**
 * A browser whose tabs are processes: each sees at once what it stores itself, and later, in the order of the browser,
 * what others store. So tabs that store at the same time overwrite each other.
 */
export class Browser {
  #stored: Stored[] = [];
  readonly tabs: Tab[] = [];

  open(first: Contents, served?: Served): Tab {
    const tab = new Tab(this, { first, served }, [...this.#last().values()]);
    this.tabs.push(tab);
    return tab;
  }

  close(tab: Tab): void {
    this.tabs.splice(this.tabs.indexOf(tab), 1);
  }

  store(from: Tab, key: string, text: string): Stored {
    const stored = { number: this.#stored.length, key, text };
    this.#stored.push(stored);
    for (const tab of this.tabs) if (tab !== from) tab.inbox.push(stored);
    return stored;
  }

  /** Delivers everything to all tabs. @throws Error if the tabs do not stop to answer each other */
  settle(): void {
    for (let rounds = 0; this.tabs.some(({ inbox }) => inbox.length > 0); rounds += 1) {
      if (rounds > 1000) throw new Error('the tabs answer each other without an end');
      for (const tab of this.tabs) tab.receive();
    }
  }

  #last(): Map<string, Stored> {
    return new Map(this.#stored.map((one) => [one.key, one]));
  }
}

interface Setting {
  readonly first: Contents;
  readonly served: Served | undefined;
}

/** A tab with its own view of the storage. */
export class Tab {
  readonly inbox: Stored[] = [];
  readonly keeper: Keeper;
  readonly workspace: Workspace;
  readonly #view = new Map<string, Stored>();

  constructor(browser: Browser, { first, served }: Setting, view: readonly Stored[]) {
    for (const one of view) this.#view.set(one.key, one);
    const memory = {
      getItem: (key: string) => this.#view.get(key)?.text ?? null,
      setItem: (key: string, text: string) => void this.#view.set(key, browser.store(this, key, text)),
    };
    this.keeper = new Keeper({ memory, served, isEmbedded: false, first });
    const { contents, active } = this.keeper.open(OWN);
    this.workspace = new Workspace(contents, active);
  }

  /** Types at the end of a file; an empty text deletes it. */
  type(name: string, added: string): void {
    const text = this.workspace.file(name)?.text;
    if (added === '') this.workspace.remove(name);
    else if (text === undefined) this.workspace.put({ name, text: added, role: 'objects' });
    else this.workspace.setText(name, text + added);
  }

  save(): void {
    if (!this.keeper.save(this.workspace)) throw new Error('it was not kept');
  }

  /** Receives the next text of another tab. */
  receive(): void {
    const next = this.inbox.shift();
    if (next === undefined) return;
    if (next.number > (this.#view.get(next.key)?.number ?? -1)) this.#view.set(next.key, next);
    this.keeper.receive(next.key, next.text, this.workspace);
  }

  /** All texts that the tab shows or offers. */
  texts(): string {
    const { files } = this.workspace;
    const offered = this.keeper.conflicts(this.workspace);
    return [...files.map(({ text }) => text), ...offered.map(({ text }) => text ?? '')].join('\n');
  }
}

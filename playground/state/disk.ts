import type { PackageFile } from '../engine/protocol.ts';
import { notify } from '../ui/notice.ts';
import type { Keeper } from './keeper.ts';
import { membersOf } from './read-contents.ts';
import { readServed } from './served.ts';
import type { Workspace } from './workspace.ts';

/** The pause in milliseconds after the last edit before a file is written. */
const QUIET = 500;
/** How often the page asks whether files changed, in milliseconds. */
const INTERVAL = 1000;

/** Shows changes of the served folder, and with `--write` sends what was typed. */
export class DiskSync {
  readonly #keeper: Keeper;
  readonly #workspace: Workspace;
  readonly #write: boolean;
  #timer = 0;
  #stamp = '';
  #isAway = false;
  #turn: Promise<void> = Promise.resolve();
  /** The texts that were sent last: their answer may have been lost. */
  readonly #sent = new Map<string, string>();
  /** Texts that the server refuses. */
  readonly #refused = new Map<string, string>();

  constructor(keeper: Keeper, workspace: Workspace, write: boolean) {
    this.#keeper = keeper;
    this.#workspace = workspace;
    this.#write = write;
    workspace.listen(() => this.sendSoon());
    setInterval(() => document.visibilityState === 'visible' && this.#inTurn(() => this.#poll()), INTERVAL);
    addEventListener('pagehide', () => this.#sendLast());
    this.#offerLeftovers();
    this.sendSoon();
  }

  /** Sends after a pause in typing what was typed. */
  sendSoon(): void {
    clearTimeout(this.#timer);
    if (this.#write) this.#timer = window.setTimeout(() => this.#inTurn(() => this.#send()), QUIET);
  }

  /** Sends now what was typed, before other files are opened. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#write) this.#inTurn(() => this.#send());
    return this.#turn;
  }

  /** One request after the other. */
  #inTurn(run: () => Promise<void>): void {
    this.#turn = this.#turn.then(run).catch(() => this.#setAway(true));
  }

  #setAway(isAway: boolean): void {
    if (isAway && !this.#isAway)
      notify('render-rgd playground does not answer any more. What you type stays in this browser.');
    this.#isAway = isAway;
  }

  async #poll(): Promise<void> {
    if (!this.#keeper.isFolder) return;
    const stamp = await textAt('./stamp');
    this.#setAway(false);
    if (stamp === this.#stamp) return;
    await this.#look();
    this.#stamp = stamp;
    if (this.#write) await this.#send();
  }

  /** Shows the files as they are on disk. */
  async #look(): Promise<void> {
    const { files } = readServed(await textAt('./opened.json'));
    for (const { name, text, digest } of files)
      if (this.#sent.get(name) === text) this.#keeper.written(name, text, digest, this.#workspace);
    const changed = this.#keeper.look(files, this.#workspace);
    const [name] = changed;
    if (name !== undefined)
      notify(`${name}${changed.length > 1 ? ` and ${changed.length - 1} more files` : ''} changed on disk, and here.`);
  }

  async #send(): Promise<void> {
    for (const { file, digest } of this.#keeper.unsaved(this.#workspace)) {
      if (this.#refused.get(file.name) !== file.text) await this.#sendFile(file, digest);
    }
  }

  async #sendFile({ name, text }: PackageFile, digest: string): Promise<void> {
    this.#sent.set(name, text);
    const answer = await fetch('./save', requestOf({ name, text, digest }));
    const said = await answer.text();
    this.#setAway(false);
    if (answer.status === 409) return this.#look();
    // Another process writes the file now.
    if (answer.status === 423) return this.sendSoon();
    if (answer.ok) {
      this.#keeper.written(name, text, String(membersOf(JSON.parse(said)).digest), this.#workspace);
      return notify(`${name} was written.`);
    }
    this.#refused.set(name, text);
    notify(`${name} was not written: ${said.trim()}. What you type stays in this browser.`);
  }

  /** A request that the browser sends after the page is gone; what is too large for it is kept in the browser. */
  #sendLast(): void {
    if (!this.#write) return;
    for (const { file, digest } of this.#keeper.unsaved(this.#workspace)) {
      const { name, text } = file;
      void fetch('./save', { ...requestOf({ name, text, digest }), keepalive: true }).catch(() => undefined);
    }
  }

  #offerLeftovers(): void {
    const count = this.#write ? this.#keeper.leftovers(this.#workspace) : 0;
    if (count === 0) return;
    notify(`${count === 1 ? '1 file has' : `${count} files have`} changes of an earlier visit that are not on disk.`, {
      text: 'Write them',
      run: () => {
        this.#keeper.leftovers(this.#workspace, true);
        this.sendSoon();
      },
    });
  }
}

const requestOf = (file: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(file),
});

/** @throws Error if the server does not answer */
async function textAt(path: string): Promise<string> {
  const answer = await fetch(path, { cache: 'no-store' });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

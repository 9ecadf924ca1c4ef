import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readServed, type Served } from '../../playground/state/served.ts';
import { OpenedFiles } from '../../src/cli/playground/opened.ts';
import type { Saved } from '../../src/cli/write/index.ts';
import { Browser, type Tab } from '../playground/tabs.ts';
import { LONG, runs } from './runs.ts';

const NAMES = ['a.yaml', 'b.yaml', 'c.yaml'];
const FIRST = { files: NAMES.slice(0, 2).map((name) => ({ name, text: '', role: 'objects' as const })), options: {} };

const step = (kinds: readonly string[]) =>
  fc.record({ kind: fc.constantFrom(...kinds), tab: fc.nat(2), name: fc.constantFrom(...NAMES) });

/** Words that were typed, and words that a user deleted with their file or saw when deleting it. */
class Typed {
  #count = 0;
  readonly #pending = new Map<Tab, Set<string>>();
  readonly kept = new Set<string>();

  word(tab: Tab): string {
    this.#count += 1;
    const word = `<word ${this.#count}>`;
    this.#pending.set(tab, (this.#pending.get(tab) ?? new Set()).add(word));
    return word;
  }

  /** What a tab typed was acknowledged. */
  acknowledge(tab: Tab): void {
    for (const word of this.#pending.get(tab) ?? []) this.kept.add(word);
    this.#pending.delete(tab);
  }

  /** A user removed a text. */
  remove(text: string): void {
    for (const word of text.match(/<word \d+>/g) ?? []) {
      this.kept.delete(word);
      for (const words of this.#pending.values()) words.delete(word);
    }
  }
}

describe('no text that was typed and acknowledged is lost', () => {
  it(
    'while tabs of one browser edit, store, delete, close and open in any order',
    () => {
      const steps = fc.array(step(['type', 'type', 'save', 'receive', 'receive', 'delete', 'reopen']), {
        maxLength: 40,
      });
      fc.assert(
        fc.property(steps, (all) => {
          const browser = new Browser();
          const typed = new Typed();
          for (let count = 0; count < 3; count += 1) browser.open(FIRST);
          for (const { kind, tab: index, name } of all) {
            const tab = browser.tabs[index] as Tab;
            if (kind === 'type') tab.type(name, typed.word(tab));
            else if (kind === 'receive') tab.receive();
            else if (kind === 'delete') {
              typed.remove(tab.workspace.file(name)?.text ?? '');
              tab.type(name, '');
            }
            if (kind === 'save' || kind === 'reopen' || kind === 'receive') {
              tab.save();
              typed.acknowledge(tab);
            }
            if (kind !== 'reopen') continue;
            // What a tab stored right before it closes reaches the others.
            browser.settle();
            browser.close(tab);
            browser.open(FIRST);
          }
          for (const tab of browser.tabs) {
            tab.save();
            typed.acknowledge(tab);
          }
          browser.settle();
          const texts = [...browser.tabs, browser.open(FIRST)].map((tab) => tab.texts());
          for (const text of texts) expect([...typed.kept].filter((word) => !text.includes(word))).toEqual([]);
        }),
        runs(300),
      );
    },
    LONG,
  );

  it.each([true, false])(
    'while tabs of a served folder, another editor and the server write in any order, --write: %s',
    (write) => {
      const kinds = [
        'type',
        'type',
        'save',
        'send',
        'send',
        'answer',
        'answer',
        'lose',
        'look',
        'receive',
        'edit',
        'reopen',
      ];
      fc.assert(
        fc.property(fc.array(step(kinds), { maxLength: 40 }), (all) => {
          const folder = mkdtempSync(join(tmpdir(), 'render-rgd-tabs-'));
          try {
            play(new Folder(folder, write), all);
          } finally {
            rmSync(folder, { recursive: true });
          }
        }),
        runs(100),
      );
    },
    LONG,
  );
});

/** A folder on disk with its server, and another editor. */
class Folder {
  readonly path: string;
  readonly #opened: OpenedFiles;
  readonly #write: boolean;
  #count = 0;

  constructor(path: string, write: boolean) {
    this.path = path;
    this.#write = write;
    for (const name of NAMES) writeFileSync(join(path, name), `${name}\n`);
    const texts = () => NAMES.map((name) => ({ file: join(path, name), text: this.read(name) }));
    this.#opened = new OpenedFiles([path], () => ({ texts: [['objects', texts()]], faults: [] }));
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** Another editor adds a word to what it read. */
  edit(name: string): string {
    this.#count += 1;
    const word = `<edit ${this.#count}>`;
    appendFileSync(join(this.path, name), word);
    return word;
  }

  served(): Served {
    return readServed(JSON.stringify({ key: this.#opened.key, write: this.#write, ...this.#opened.snapshot() }));
  }

  save(name: string, text: string, digest: string): Saved {
    return this.#write ? this.#opened.save(name, text, digest) : { state: 'refused', fault: 'without --write' };
  }

  /** Everything on disk. */
  texts(): string {
    return NAMES.map((name) => this.read(name)).join('\n');
  }
}

interface Sent {
  readonly name: string;
  readonly text: string;
  readonly saved: Saved;
}

function play(folder: Folder, all: readonly { kind: string; tab: number; name: string }[]): void {
  const browser = new Browser();
  const typed = new Typed();
  const edits: string[] = [];
  const sent = new Map<Tab, Sent[]>();
  for (let count = 0; count < 2; count += 1) browser.open(FIRST, folder.served());
  const nameOf = (name: string) => folder.served().files.find((file) => file.name.endsWith(name))?.name ?? name;
  const look = (tab: Tab): void => void tab.keeper.look(folder.served().files, tab.workspace);
  for (const { kind, tab: index, name } of all) {
    const tab = browser.tabs[index % 2] as Tab;
    const waiting = sent.get(tab) ?? [];
    if (kind === 'type') tab.type(nameOf(name), typed.word(tab));
    if (kind === 'edit') edits.push(folder.edit(name));
    if (kind === 'receive') tab.receive();
    if (kind === 'look' && waiting.length === 0) look(tab);
    if (kind === 'send' && waiting.length === 0) {
      const files = tab.keeper.unsaved(tab.workspace);
      const answers = files.map(({ file: { name, text }, digest }) => ({
        name,
        text,
        saved: folder.save(name, text, digest),
      }));
      sent.set(tab, answers);
    }
    if (kind === 'answer') {
      const answer = waiting.shift();
      if (answer?.saved.state === 'changed') look(tab);
      if (answer?.saved.state === 'written') {
        const { name, text, saved } = answer;
        tab.keeper.written(name, text, saved.digest, tab.workspace);
      }
    }
    if (kind === 'lose') sent.delete(tab);
    if (kind === 'save' || kind === 'reopen') {
      tab.save();
      typed.acknowledge(tab);
    }
    if (kind !== 'reopen') continue;
    browser.settle();
    browser.close(tab);
    browser.open(FIRST, folder.served());
  }
  for (const tab of browser.tabs) {
    tab.save();
    typed.acknowledge(tab);
  }
  browser.settle();
  const [onDisk, inPage] = [folder.texts(), browser.open(FIRST, folder.served()).texts()];
  // The page writes only over what it read, so every word of the other editor is there.
  expect(edits.filter((word) => !onDisk.includes(word))).toEqual([]);
  expect([...typed.kept].filter((word) => !onDisk.includes(word) && !inPage.includes(word))).toEqual([]);
}

import type { PackageFile } from '../engine/protocol.ts';
import { type Kept, keptOf, keyOf, loadKept, type Memory, parseKept, saveKept } from './kept.ts';
import { OWN, type Place } from './place.ts';
import type { DiskFile, Served } from './served.ts';
import { merged, type Version, Versions } from './versions.ts';
import type { Contents, Workspace } from './workspace.ts';

/** A text of a file that was written elsewhere while the shown one was typed; `null` if the file was deleted. */
export interface Conflict {
  readonly name: string;
  readonly text: string | null;
  readonly from: 'disk' | 'tab';
}

/** A place with its files. */
export interface Opening {
  readonly place: Place;
  readonly contents: Contents;
  readonly active: string;
  readonly notice?: string;
}

type State = Pick<Version, 'text' | 'role'>;

/** What a keeper works with. */
export interface Setting {
  readonly memory: Memory;
  /** The folder of `render-rgd playground PATH`. */
  readonly served: Served | undefined;
  /** An embedded page keeps nothing. */
  readonly isEmbedded: boolean;
  /** What a first visit shows. */
  readonly first: Contents;
}

/**
 * Keeps what is typed: in the storage of the browser, a package under the key of its place. Tabs of one place exchange
 * versions of files, and no tab replaces a version that it did not show. Of a served folder it keeps what is not on
 * disk.
 */
export class Keeper {
  readonly #served: Served | undefined;
  readonly #isEmbedded: boolean;
  readonly #first: Contents;
  readonly #memory: Memory;
  #place: Place = OWN;
  #key: string | undefined;
  #versions = new Versions(randomId());
  /** What this tab last wrote or took of each file; in a folder `null` is the text on disk. */
  #known = new Map<string, State>();
  #kept: Kept | undefined;
  /** The versions of other tabs. */
  #received: readonly Version[] = [];
  /** The order, the options and the active file as this tab last kept them. */
  #state = '';
  #options = '{}';
  /** The files on disk as last seen; undefined outside of a served folder. */
  #disk: Map<string, DiskFile> | undefined;
  /** The text on disk that a shown text changes. */
  #bases = new Map<string, string | undefined>();
  /** Texts that were not typed in this tab. */
  #taken = new Map<string, string>();
  /** Whether something was typed since the place was opened. */
  isTyped = false;
  /** Called after the place or the conflicts changed. */
  onChange: () => void = () => undefined;

  constructor({ served, isEmbedded, first, memory }: Setting) {
    this.#served = served;
    this.#isEmbedded = isEmbedded;
    this.#first = first;
    this.#memory = memory;
  }

  get place(): Place {
    return this.#place;
  }

  /** Whether the files are those of a served folder. */
  get isFolder(): boolean {
    return this.#disk !== undefined;
  }

  /** Whether a file of the served folder has this name. */
  isOnDisk(name: string): boolean {
    return this.#disk?.has(name) === true;
  }

  /** Whether the browser keeps changes of this place. */
  get isChanged(): boolean {
    return this.#kept !== undefined;
  }

  /** Returns the files of a place, with the changes that the browser keeps. The caller opens them in the workspace. */
  open(place: Place, published?: Contents): Opening {
    const isFolder = place.kind === 'own' && this.#served !== undefined;
    this.#place = place;
    this.isTyped = false;
    this.#key = this.#isEmbedded ? undefined : keyOfPlace(place, this.#served);
    this.#kept = this.#key === undefined ? undefined : loadKept(this.#memory, this.#key);
    this.#versions = new Versions(randomId());
    this.#received = [];
    this.#disk = isFolder ? new Map(this.#served?.files.map((file) => [file.name, file])) : undefined;
    for (const map of [this.#known, this.#bases, this.#taken]) map.clear();
    const { files, options } = published ?? (place.kind === 'own' && !isFolder ? this.#first : NOTHING);
    const { versions, order } = this.#kept ?? keptOf(files);
    this.#versions.absorb(versions);
    const names = new Set([...(this.#disk?.keys() ?? []), ...order, ...versions.map(({ name }) => name)]);
    const shown = [...names].flatMap((name) => this.#take(name) ?? []);
    const contents = { files: shown, options: this.#kept?.options ?? options };
    this.#options = JSON.stringify(contents.options);
    this.#state = '';
    return { place, contents, active: this.#kept?.active ?? '' };
  }

  /** Takes the version of a file that replaces the shown one; returns the file, unless there is none. */
  #take(name: string): PackageFile | undefined {
    const version = this.#versions.next(name);
    const onDisk = this.#disk?.get(name);
    const { text, role } = version ?? { text: null, role: onDisk?.role ?? 'objects' };
    if (version !== undefined) this.#versions.show(version);
    this.#known.set(name, { text, role });
    this.#bases.set(name, text === null || text === onDisk?.text ? onDisk?.text : version?.base);
    if (text === null) return onDisk && { name, text: onDisk.text, role: onDisk.role };
    this.#taken.set(name, text);
    return { name, text, role };
  }

  /** Keeps what was typed, and takes what other tabs wrote. Returns false if the storage of the browser is full. */
  save(workspace: Workspace): boolean {
    if (this.#key === undefined && this.#place.kind !== 'link') return true;
    const isNew = this.#write(workspace) || JSON.stringify(workspace.contents.options) !== this.#options;
    this.isTyped ||= isNew;
    if (isNew && this.#place.kind === 'link') this.#place = { kind: 'kept', id: randomId() };
    this.#key ??= isNew ? keyOfPlace(this.#place, this.#served) : undefined;
    if (this.#key === undefined || !(isNew || this.#kept !== undefined)) return true;
    const stored = loadKept(this.#memory, this.#key);
    if (!isNew && stored !== undefined && JSON.stringify(stored.options) !== this.#options)
      workspace.setOptions(stored.options);
    const { options } = workspace.contents;
    this.#options = JSON.stringify(options);
    this.#received = merged(this.#received, stored?.versions ?? []);
    const versions = merged(this.#versions.all, this.#received);
    const isHealed = versions.length !== stored?.versions.length || !versions.every((one) => has(stored.versions, one));
    const state = { order: workspace.files.map(({ name }) => name), options, active: workspace.active };
    const isMoved = JSON.stringify(state) !== this.#state && this.#state !== '';
    this.#state = JSON.stringify(state);
    const kept = isNew || isHealed || isMoved || !stored ? { ...state, versions, time: Date.now() } : stored;
    this.#kept = kept;
    this.#takeFrom(versions, workspace);
    try {
      if (kept !== stored) saveKept(this.#memory, this.#key, kept);
      return true;
    } catch {
      return false;
    } finally {
      if (isNew) this.onChange();
    }
  }

  /**
   * Takes the text that another tab stored under a key. The storage may contain another one by now: tabs that store at
   * the same time overwrite each other, and each adds what is missing when it hears of the other.
   */
  receive(key: string, text: string, workspace: Workspace): boolean {
    if (key !== this.#key) return true;
    const stored = parseKept(text);
    if (stored === undefined) return true;
    this.#received = merged(this.#received, stored.versions);
    this.#kept ??= stored;
    return this.save(workspace);
  }

  /** Adds a version of each file that was typed; returns whether there is one. */
  #write(workspace: Workspace): boolean {
    const time = Date.now();
    let isNew = false;
    const write = (name: string, state: State): void => {
      const known = this.#known.get(name);
      if (known?.text === state.text && known.role === state.role) return;
      this.#versions.write({ name, ...state, base: state.text === null ? undefined : this.#bases.get(name) }, time);
      this.#known.set(name, state);
      isNew = true;
    };
    for (const file of workspace.files) write(file.name, this.#stateOf(file));
    for (const [name, { text, role }] of this.#known)
      if (text !== null && workspace.file(name) === undefined) write(name, { text: null, role });
    return isNew;
  }

  #stateOf({ name, text, role }: PackageFile): State {
    const onDisk = this.#disk?.get(name);
    return { text: onDisk?.text === text && onDisk.role === role ? null : text, role };
  }

  /** Shows what other tabs wrote over what this tab shows. Tabs that write to disk exchange files through the disk. */
  #takeFrom(versions: readonly Version[], workspace: Workspace): void {
    if (this.#disk !== undefined && this.#served?.write === true) return;
    this.#versions.absorb(versions);
    let files = workspace.files;
    for (const name of new Set(versions.map((version) => version.name))) {
      const newer = this.#versions.next(name);
      let file = newer === undefined ? workspace.file(name) : this.#take(name);
      // A file that was deleted in one tab and changed in another comes back.
      const back = file === undefined ? this.#versions.others(name, undefined)[0] : undefined;
      if (newer === undefined && back === undefined) continue;
      if (back !== undefined) {
        this.#versions.showOver(back);
        file = this.#takeBack(back);
      }
      const others = files.filter((one) => one.name !== name);
      if (file === undefined) files = others;
      else
        files =
          others.length === files.length ? [...files, file] : files.map((one) => (one.name === name ? file : one));
    }
    if (files !== workspace.files) workspace.sync(files);
    this.onChange();
  }

  #takeBack({ name, text, role, base }: Version): PackageFile {
    this.#known.set(name, { text, role });
    this.#bases.set(name, base);
    return { name, text: text ?? '', role };
  }

  /** Returns the texts that were written elsewhere while those of the workspace were typed. */
  conflicts(workspace: Workspace): Conflict[] {
    return workspace.files.flatMap(({ name, text }): Conflict[] => [
      ...(this.#isMoved(name, text)
        ? [{ name, text: this.#disk?.get(name)?.text ?? null, from: 'disk' as const }]
        : []),
      ...this.#versions.others(name, text).map((other) => ({ name, text: other.text, from: 'tab' as const })),
    ]);
  }

  /** Whether the file on disk is another one than the text changes. */
  #isMoved(name: string, text: string): boolean {
    const now = this.#disk?.get(name)?.text;
    return this.#disk !== undefined && now !== text && now !== this.#bases.get(name);
  }

  /** Settles all conflicts of a file: its text is what the user wants. */
  settle(name: string, text: string | null, workspace: Workspace): void {
    const file = workspace.file(name);
    if (file === undefined) return;
    this.#bases.set(name, this.#disk?.get(name)?.text);
    this.#taken.delete(name);
    if (text === null) workspace.remove(name);
    else workspace.setText(name, text, 'files');
    const state = text === null ? { text, role: file.role } : this.#stateOf({ ...file, text });
    const base = state.text === null ? undefined : this.#bases.get(name);
    this.#versions.write({ name, ...state, base }, Date.now(), true);
    this.#known.set(name, state);
    this.save(workspace);
    this.onChange();
  }

  /** Returns the files whose text was typed here, is not on disk and may be written there. */
  unsaved(workspace: Workspace): { file: PackageFile; digest: string }[] {
    return workspace.files.flatMap((file) => {
      const onDisk = this.#disk?.get(file.name);
      if (onDisk === undefined || onDisk.text === file.text || this.#isMoved(file.name, file.text)) return [];
      return this.#taken.get(file.name) === file.text ? [] : [{ file, digest: onDisk.digest }];
    });
  }

  /** Returns how many changes of earlier visits are not on disk, or allows to write them. */
  leftovers(workspace: Workspace, allow = false): number {
    const found = workspace.files.filter(({ name, text }) => this.isOnDisk(name) && this.#taken.get(name) === text);
    const changed = found.filter(({ name, text }) => this.#disk?.get(name)?.text !== text);
    if (allow) for (const { name } of changed) this.#taken.delete(name);
    return changed.length;
  }

  /** Notes that a text is on disk now. */
  written(name: string, text: string, digest: string, workspace: Workspace): void {
    const before = this.#disk?.get(name);
    if (before === undefined) return;
    this.#disk?.set(name, { ...before, text, digest });
    this.#bases.set(name, text);
    this.save(workspace);
  }

  /** Takes the files on disk as they are now; returns the names of those that changed in the workspace. */
  look(now: readonly DiskFile[], workspace: Workspace): string[] {
    const before = this.#disk;
    if (before === undefined) return [];
    this.#disk = new Map(now.map((file) => [file.name, file]));
    const changed: string[] = [];
    let files = workspace.files;
    for (const name of new Set([...before.keys(), ...this.#disk.keys()])) {
      const [old, onDisk, shown] = [before.get(name), this.#disk.get(name), workspace.file(name)];
      if (shown?.text === onDisk?.text) this.#bases.set(name, onDisk?.text);
      // A file that was closed here stays closed; one that was typed here stays as it was typed.
      const isUntouched = shown === undefined ? old === undefined : shown.text === old?.text;
      if (onDisk?.text === old?.text || !isUntouched || shown?.text === onDisk?.text) continue;
      changed.push(name);
      this.#bases.set(name, onDisk?.text);
      this.#known.set(name, { text: null, role: onDisk?.role ?? 'objects' });
      if (onDisk === undefined) files = files.filter((file) => file.name !== name);
      else if (shown === undefined) files = [...files, { name, text: onDisk.text, role: onDisk.role }];
      else files = files.map((file) => (file.name === name ? { ...file, text: onDisk.text } : file));
    }
    if (changed.length > 0) workspace.sync(files);
    this.save(workspace);
    this.onChange();
    return changed;
  }
}

const NOTHING: Contents = { files: [], options: {} };

const has = (versions: readonly Version[], { name, clock }: Version): boolean =>
  versions.some((one) => one.name === name && JSON.stringify(one.clock) === JSON.stringify(clock));

/** Returns the key of a place; undefined for a link, which gets one when it is changed. */
function keyOfPlace({ kind, id }: Place, served: Served | undefined): string | undefined {
  if (kind === 'link') return undefined;
  if (kind !== 'own') return keyOf(`${kind}:${id}`);
  return keyOf(served === undefined ? '' : `folder:${served.key}`);
}

/** A random text that needs no secure context. */
const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join('');

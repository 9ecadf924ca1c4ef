import { MOST_CHARACTERS, MOST_FILES, nameFault } from '../../src/cli/playground/limits.ts';
import type { Package, PackageFile, PackageOptions, Role } from '../engine/protocol.ts';

/** The contents of a page: files in order, options, and the active file. */
export interface Contents {
  readonly files: readonly PackageFile[];
  readonly options: PackageOptions;
}

/** Returns the role of a file by its name. */
export function roleOf(name: string): Role {
  const base = name.replace(/^.*\//, '');
  if (/^(observed|live)\b/i.test(base)) return 'observed';
  if (/^inputs?\b/i.test(base)) return 'inputs';
  return /(^|\/)definitions\//i.test(name) ? 'definitions' : 'objects';
}

/** Returns the error of the contents as a whole, or undefined. */
export function contentsFault({ files }: Contents): string | undefined {
  if (files.length > MOST_FILES) return `${files.length} files are more than the ${MOST_FILES} that a page takes`;
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  if (size > MOST_CHARACTERS) return `${(size / 1e6).toFixed(1)} MB are more than the 5 MB that a page takes`;
  const names = files.map(({ name }) => name);
  return names.map((name, index) => nameFault(name, names.slice(0, index))).find((fault) => fault !== undefined);
}

/** The kind of change: the text of a file, the list of files, the active file, the options, or all of them. */
export type Change = 'text' | 'files' | 'active' | 'options' | 'package';

/** The files of the page. Listeners are called after every change. */
export class Workspace {
  #contents: Contents;
  #active: string;
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(contents: Contents, active?: string) {
    this.#contents = contents;
    this.#active = active !== undefined && this.file(active) ? active : (contents.files[0]?.name ?? '');
  }

  get contents(): Contents {
    return this.#contents;
  }
  get package(): Package {
    return this.#contents;
  }
  get files(): readonly PackageFile[] {
    return this.#contents.files;
  }
  get active(): string {
    return this.#active;
  }

  file(name: string): PackageFile | undefined {
    return this.files.find((file) => file.name === name);
  }

  listen(listener: (change: Change) => void): void {
    this.#listeners.add(listener);
  }

  open(contents: Contents, active?: string): void {
    this.#contents = contents;
    this.#active = active ?? contents.files[0]?.name ?? '';
    this.#tell('package');
  }

  activate(name: string): void {
    if (name === this.#active || this.file(name) === undefined) return;
    this.#active = name;
    this.#tell('active');
  }

  /** Adds files, or replaces those of the same names, and opens the first of them. */
  putAll(files: readonly PackageFile[]): void {
    const remaining = this.files.filter(({ name }) => !files.some((one) => one.name === name));
    this.#contents = { ...this.#contents, files: [...remaining, ...files] };
    this.#active = files[0]?.name ?? this.#active;
    this.#tell('files');
  }

  /** Replaces the files, and keeps the active one open. */
  sync(files: readonly PackageFile[]): void {
    this.#contents = { ...this.#contents, files };
    if (this.file(this.#active) === undefined) this.#active = files[0]?.name ?? '';
    this.#tell('files');
  }

  /** Sets the text of a file. With the change `files`, editors show it. */
  setText(name: string, text: string, change: 'text' | 'files' = 'text'): void {
    if (this.file(name)?.text === text) return;
    this.#replace(name, { text });
    this.#tell(change);
  }

  setRole(name: string, role: Role): void {
    this.#replace(name, { role });
    this.#tell('files');
  }

  setOptions(options: PackageOptions): void {
    this.#contents = { ...this.#contents, options };
    this.#tell('options');
  }

  /** Adds a file, or replaces the one of that name, and opens it. */
  put(file: PackageFile): void {
    const files = this.file(file.name)
      ? this.files.map((one) => (one.name === file.name ? file : one))
      : [...this.files, file];
    this.#contents = { ...this.#contents, files };
    this.#active = file.name;
    this.#tell('files');
  }

  rename(from: string, to: string): void {
    this.#replace(from, { name: to });
    if (this.#active === from) this.#active = to;
    this.#tell('files');
  }

  remove(name: string): void {
    const at = this.files.findIndex((file) => file.name === name);
    const files = this.files.filter((file) => file.name !== name);
    this.#contents = { ...this.#contents, files };
    if (this.#active === name) this.#active = (files[at] ?? files[at - 1])?.name ?? '';
    this.#tell('files');
  }

  #replace(name: string, changed: Partial<PackageFile>): void {
    const files = this.files.map((file) => (file.name === name ? { ...file, ...changed } : file));
    this.#contents = { ...this.#contents, files };
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}

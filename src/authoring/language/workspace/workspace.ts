import { createLocator } from '../../../yaml/locate/index.ts';
import { type Checked, type CheckSettings, checkPackage, defaultCheckSettings } from './check.ts';
import { SourceFile } from './file.ts';
import { type Package, type Preferred, planPackages } from './packages.ts';

/** The files of a workspace, and the state of its packages. Everything is computed on demand. */
export class Workspace {
  readonly #files = new Map<string, SourceFile>();
  readonly #disk = new Map<string, string>();
  #plans: Package[] | undefined;
  #packageOf = new Map<string, Package>();
  readonly #checked = new Map<string, Checked>();
  /** Caches the outlines of documents across versions. */
  readonly #locator = createLocator();
  #settings: CheckSettings = { ...defaultCheckSettings };
  #preferred: Preferred = [];

  get files(): ReadonlyMap<string, SourceFile> {
    return this.#files;
  }

  get settings(): CheckSettings {
    return this.#settings;
  }

  /** Changes the settings; all packages are validated again. */
  configure(settings: CheckSettings, preferred: Preferred): void {
    this.#settings = settings;
    this.#preferred = preferred;
    this.#plans = undefined;
    this.#checked.clear();
  }

  /** Sets the content of a file on disk; `undefined` if it is deleted. An open file keeps the text of its editor. */
  setFile(uri: string, text: string | undefined): void {
    if (text === undefined) this.#disk.delete(uri);
    else this.#disk.set(uri, text);
    if (this.#files.get(uri)?.version === undefined) this.#put(uri, text, undefined);
  }

  /** Sets the text of an open file. */
  open(uri: string, text: string, version: number): void {
    this.#put(uri, text, version);
  }

  /** Returns to the file on disk. */
  close(uri: string): void {
    this.#put(uri, this.#disk.get(uri), undefined);
  }

  #put(uri: string, text: string | undefined, version: number | undefined): void {
    const before = this.#files.get(uri);
    this.#plans = undefined;
    if (text === undefined) this.#files.delete(uri);
    else this.#files.set(uri, new SourceFile(uri, text, version, before));
  }

  /** The current packages. */
  get packages(): readonly Package[] {
    if (this.#plans === undefined) {
      this.#plans = planPackages(this.#files.values(), this.#preferred);
      this.#packageOf = new Map(this.#plans.flatMap((plan) => plan.files.map(({ uri }) => [uri, plan])));
      const folders = new Set(this.#plans.map(({ folder }) => folder));
      for (const folder of this.#checked.keys()) if (!folders.has(folder)) this.#checked.delete(folder);
    }
    return this.#plans;
  }

  /** Returns the package of a file; none for other files. */
  packageOf(uri: string): Package | undefined {
    return this.packages && this.#packageOf.get(uri);
  }

  /** Reports whether a package was validated since it changed. */
  isChecked(plan: Package): boolean {
    const before = this.#checked.get(plan.folder)?.plan;
    return (
      before !== undefined &&
      before.rules === plan.rules &&
      sameItems(before.objects, plan.objects) &&
      sameItems(before.definitions, plan.definitions) &&
      sameItems(before.files, plan.files) &&
      sameItems(before.beside, plan.beside)
    );
  }

  /** Validates a package, unless it did not change. */
  check(plan: Package): Checked {
    const before = this.#checked.get(plan.folder);
    if (before !== undefined && this.isChecked(plan)) return before;
    const checked = checkPackage(plan, this.#settings, before, this.#locator);
    this.#checked.set(plan.folder, checked);
    return checked;
  }

  /** Returns the last state of the package of a file, which may be older than its text. */
  known(uri: string): Checked | undefined {
    const plan = this.packageOf(uri);
    return plan && (this.#checked.get(plan.folder) ?? this.check(plan));
  }

  /** Returns the current state of the package of a file. */
  current(uri: string): Checked | undefined {
    const plan = this.packageOf(uri);
    return plan && this.check(plan);
  }

  /** All validated packages. */
  get checked(): Iterable<Checked> {
    return this.#checked.values();
  }
}

const sameItems = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

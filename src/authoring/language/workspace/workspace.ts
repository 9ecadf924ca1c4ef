import { createLocator } from '../../../yaml/locate/index.ts';
import { type Checked, type CheckSettings, checkPackage, defaultCheckSettings } from './check.ts';
import { SourceFile } from './file.ts';
import { type Package, type Preferred, planPackages } from './packages.ts';

/** The files of a workspace, and what is known of its packages. Nothing is looked at before somebody asks. */
export class Workspace {
  readonly #files = new Map<string, SourceFile>();
  readonly #disk = new Map<string, string>();
  #plans: Package[] | undefined;
  #packageOf = new Map<string, Package>();
  readonly #checked = new Map<string, Checked>();
  /** Keeps the outlines of documents over their versions. */
  readonly #locator = createLocator();
  #settings: CheckSettings = { ...defaultCheckSettings };
  #preferred: Preferred = [];

  get files(): ReadonlyMap<string, SourceFile> {
    return this.#files;
  }

  get settings(): CheckSettings {
    return this.#settings;
  }

  /** Takes other settings; everything is looked at again. */
  configure(settings: CheckSettings, preferred: Preferred): void {
    this.#settings = settings;
    this.#preferred = preferred;
    this.#plans = undefined;
    this.#checked.clear();
  }

  /** Takes a file as it is on the disk; `undefined` when it is gone. One that is open stays as its editor has it. */
  setFile(uri: string, text: string | undefined): void {
    if (text === undefined) this.#disk.delete(uri);
    else this.#disk.set(uri, text);
    if (this.#files.get(uri)?.version === undefined) this.#put(uri, text, undefined);
  }

  /** Takes a text as an editor has it. */
  open(uri: string, text: string, version: number): void {
    this.#put(uri, text, version);
  }

  /** Goes back to the file on the disk. */
  close(uri: string): void {
    this.#put(uri, this.#disk.get(uri), undefined);
  }

  #put(uri: string, text: string | undefined, version: number | undefined): void {
    const before = this.#files.get(uri);
    this.#plans = undefined;
    if (text === undefined) this.#files.delete(uri);
    else this.#files.set(uri, new SourceFile(uri, text, version, before));
  }

  /** The packages as they are now. */
  get packages(): readonly Package[] {
    if (this.#plans === undefined) {
      this.#plans = planPackages(this.#files.values(), this.#preferred);
      this.#packageOf = new Map(this.#plans.flatMap((plan) => plan.files.map(({ uri }) => [uri, plan])));
      const folders = new Set(this.#plans.map(({ folder }) => folder));
      for (const folder of this.#checked.keys()) if (!folders.has(folder)) this.#checked.delete(folder);
    }
    return this.#plans;
  }

  /** The package that a file is in; none for what is not ours. */
  packageOf(uri: string): Package | undefined {
    return this.packages && this.#packageOf.get(uri);
  }

  /** Whether a package was looked at since it changed. */
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

  /** Looks at a package, unless it did not change since. */
  check(plan: Package): Checked {
    const before = this.#checked.get(plan.folder);
    if (before !== undefined && this.isChecked(plan)) return before;
    const checked = checkPackage(plan, this.#settings, before, this.#locator);
    this.#checked.set(plan.folder, checked);
    return checked;
  }

  /** What is known of the package of a file, which may be a little older than its text. */
  known(uri: string): Checked | undefined {
    const plan = this.packageOf(uri);
    return plan && (this.#checked.get(plan.folder) ?? this.check(plan));
  }

  /** What is known of the package of a file as its texts are now. */
  current(uri: string): Checked | undefined {
    const plan = this.packageOf(uri);
    return plan && this.check(plan);
  }

  /** All that was looked at. */
  get checked(): Iterable<Checked> {
    return this.#checked.values();
  }
}

const sameItems = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

import type { Diagnostic } from '../../core/diagnostics/index.ts';
import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKind, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import { isBelow } from '../../core/text/paths.ts';
import { builtinKinds, type Describe } from '../../kubernetes/schema/index.ts';
import { createLocator } from '../../yaml/locate/index.ts';
import { settingsKind } from '../yaml/settings-files.ts';
import { type Checked, type CheckSettings, checkPackage, defaultCheckSettings } from './check.ts';
import { SourceFile } from './file.ts';
import { IgnoredPaths } from './ignored.ts';
import { groupPackages, isClaimed, type Package, sameItems, withVersion } from './packages.ts';

/** The files of a workspace, and the state of its packages. Everything is computed on demand. */
export class Workspace {
  /** The descriptions of Kubernetes' own fields, once they are loaded. */
  describe: Describe | undefined;
  /** Reports whether a file or folder exists, also one that is not read; undefined if nobody can tell. */
  exists: ((uri: string) => boolean) | undefined;
  /** What git ignores, as far as it is known. */
  readonly ignored: IgnoredPaths;
  /** Changes when a file is added or deleted, and when files on disk change. */
  generation = 0;
  readonly #files = new Map<string, SourceFile>();
  readonly #disk = new Map<string, string>();
  #plans: Package[] | undefined;
  /** The relevant kinds of the files as they are now. */
  #relevant: ReadonlySet<string> | undefined;
  #packageOf = new Map<string, Package>();
  readonly #checked = new Map<string, Checked>();
  /** Caches the outlines of documents across versions. */
  #locator = createLocator();
  #settings: CheckSettings = { ...defaultCheckSettings };
  #preferred: readonly string[] = [];
  readonly #roots = new Set<string>();
  /** The folders of the packages so far: a project whose RGD was deleted is still validated. */
  readonly #known = new Set<string>();

  /** The kinds that open files declared since they were opened: a kind that is being renamed is none of another project. */
  readonly #declared = new Map<string, Set<string>>();

  constructor(ignored = new IgnoredPaths()) {
    this.ignored = ignored;
  }

  get files(): ReadonlyMap<string, SourceFile> {
    return this.#files;
  }

  get settings(): CheckSettings {
    return this.#settings;
  }

  /** Changes the settings; all packages are validated again. */
  configure(settings: CheckSettings, preferred: readonly string[]): void {
    this.#settings = settings;
    this.#preferred = preferred;
    this.#plans = undefined;
    this.#relevant = undefined;
    this.#checked.clear();
  }

  /** Adds the folder of a workspace or of a repository: what no settings divide below it is one package. */
  addRoot(folder: string): void {
    this.#roots.add(folder);
    this.#plans = undefined;
  }

  /** Notes that git ignores a file or folder: what is below it is irrelevant, unless something names it. */
  ignore(uri: string): void {
    this.ignored.ignore(uri);
    this.#plans = undefined;
  }

  /** Returns the paths that git ignores, and that a file of the workspace names; from now on they are relevant. */
  includeNamed(pathsNamedIn: (file: SourceFile) => readonly { target: string }[]): string[] {
    if (this.ignored.isEmpty) return [];
    const named = [...this.#files.values()].flatMap((file) => pathsNamedIn(file).map(({ target }) => target));
    const found = [...new Set(named)].filter((target) => this.ignored.has(target));
    for (const target of found) this.ignored.include(target);
    if (found.length > 0) this.#plans = undefined;
    return found;
  }

  /** Forgets what git ignores, and the files that are not open. */
  forgetDisk(): void {
    this.ignored.clear();
    for (const uri of [...this.#disk.keys()]) this.setFile(uri, undefined);
    this.#plans = undefined;
  }

  /** Forgets a folder of the workspace, and the files below it that are not open. */
  removeRoot(folder: string): void {
    for (const root of this.#roots) if (isBelow(root, folder)) this.#roots.delete(root);
    for (const known of this.#known) if (isBelow(known, folder)) this.#known.delete(known);
    for (const uri of [...this.#disk.keys()]) if (isBelow(uri, folder)) this.setFile(uri, undefined);
    this.#plans = undefined;
  }

  /** Returns a copy whose changes do not affect this workspace. */
  fork(): Workspace {
    const fork = new Workspace(this.ignored);
    for (const [uri, file] of this.#files) fork.#files.set(uri, file);
    for (const one of this.#roots) fork.#roots.add(one);
    for (const one of this.#known) fork.#known.add(one);
    for (const [uri, kinds] of this.#declared) fork.#declared.set(uri, new Set(kinds));
    for (const [folder, checked] of this.#checked) fork.#checked.set(folder, checked);
    fork.#setPlans(this.#plans);
    fork.#relevant = this.#relevant;
    fork.#locator = this.#locator;
    fork.#settings = this.#settings;
    fork.#preferred = this.#preferred;
    return fork;
  }

  /** Sets the content of a file on disk; `undefined` if it is deleted. An open file keeps the text of its editor. */
  setFile(uri: string, text: string | undefined): void {
    this.generation += 1;
    if (text === undefined) this.#disk.delete(uri);
    else this.#disk.set(uri, text);
    if (this.#files.get(uri)?.version === undefined) this.#put(uri, text, undefined);
  }

  open(uri: string, text: string, version: number): void {
    this.#put(uri, text, version);
  }

  /** Returns to the file on disk. */
  close(uri: string): void {
    this.#put(uri, this.#disk.get(uri), undefined);
  }

  #put(uri: string, text: string | undefined, version: number | undefined): void {
    const before = this.#files.get(uri);
    const after = text === undefined ? undefined : new SourceFile(uri, text, version, before);
    this.#rememberKinds(uri, before, after);
    const plans = this.#plans && before && after && withVersion(this.#plans, before, after);
    this.#setPlans(plans);
    if (plans === undefined) this.#relevant = undefined;
    if (after === undefined) this.#files.delete(uri);
    else this.#files.set(uri, after);
  }

  #rememberKinds(uri: string, before: SourceFile | undefined, after: SourceFile | undefined): void {
    if (before === undefined || after?.version === undefined) {
      this.#declared.delete(uri);
      return;
    }
    const { defines, rgds } = before.facts;
    if (defines.size === 0 && rgds.length === 0) return;
    const kinds = getOrCompute(this.#declared, uri, () => new Set<string>());
    for (const kind of defines) kinds.add(kind);
    for (const { kind } of rgds) kinds.add(kind);
  }

  #setPlans(plans: Package[] | undefined): void {
    this.#plans = plans;
    if (plans !== undefined)
      this.#packageOf = new Map(plans.flatMap((plan) => plan.files.map(({ uri }) => [uri, plan])));
  }

  get packages(): readonly Package[] {
    if (this.#plans === undefined) {
      const files = [...this.#files.values()];
      const roots = this.#roots;
      const known = this.#known;
      const preferred = this.#preferred;
      const declared = this.#declared;
      const plans = groupPackages(files, {
        roots,
        known,
        preferred,
        declared,
        ignored: this.ignored,
        relevant: this.#relevantKinds(),
      });
      for (const { folder } of plans) this.#known.add(folder);
      this.#setPlans(plans);
      const folders = new Set(plans.map(({ folder }) => folder));
      for (const folder of this.#checked.keys()) if (!folders.has(folder)) this.#checked.delete(folder);
    }
    return this.#plans ?? [];
  }

  withTexts(texts: ReadonlyMap<string, string>): Workspace {
    const fork = this.fork();
    for (const [uri, text] of texts) fork.#put(uri, text, this.#files.get(uri)?.version);
    return fork;
  }

  diagnosticsAround(uris: Pick<ReadonlySet<string>, 'has'>): Diagnostic[] {
    const readers = this.packages.filter(({ files, beside }) => [...files, ...beside].some(({ uri }) => uris.has(uri)));
    return readers.flatMap((plan) => this.check(plan).diagnostics);
  }

  /** Reports whether a file contains an object of kro or Flux, valid or not. */
  isOurs(file: SourceFile): boolean {
    const relevant = this.#relevantKinds();
    if (isClaimed(file, relevant)) return true;
    const names = new Set([...relevant].map((kind) => kind.split('.')[0]));
    const written = [...file.text.matchAll(/^[ \t]*["']?kind["']?: *["']?(\w+)/gm)];
    return file.facts.kinds.size === 0 && written.some(([, kind]) => names.has(kind));
  }

  /** Returns a file about which requests are answered: one of a package, or of others until they contain something else. */
  fileToAnswer(uri: string): SourceFile | undefined {
    const file = this.#files.get(uri);
    if (file === undefined || isBegun(file.text)) return file;
    if (settingsKind(uri) !== undefined && this.packages.some(({ folder }) => isBelow(uri, folder))) return file;
    const isOpen = file.facts.kinds.size === 0 && !/^(?!apiVersion|kind|metadata|spec)[\w-]+:/m.test(file.text);
    const isAnswered = isOpen || this.isOurs(file) || this.#hasBegunVersion(file);
    return this.packageOf(uri) !== undefined && isAnswered ? file : undefined;
  }

  /** Reports whether an object has the kind of an RGD or a CRD with an apiVersion that may be unfinished. */
  #hasBegunVersion(file: SourceFile): boolean {
    const names = new Set([...this.#relevantKinds()].map((kind) => kind.split('.')[0]));
    return file.read.documents.some(({ object }) => {
      if (!isKubeObject(object) || !names.has(object.kind)) return false;
      return builtinKinds.find(groupVersionKind(object)) === undefined;
    });
  }

  /** The files with diagnostics: those of packages, and the settings below their folders. */
  get reported(): string[] {
    const ofPackages = this.packages.flatMap(({ files }) => files.map(({ uri }) => uri));
    const folders = this.packages.map(({ folder }) => folder);
    const settings = [...this.#files.keys()].filter(
      (uri) => settingsKind(uri) !== undefined && folders.some((folder) => isBelow(uri, folder)),
    );
    return [...new Set([...ofPackages, ...settings])];
  }

  /** Validates one changed package; returns whether there are more. Those of open files come first. */
  checkNext(): boolean {
    const waiting = this.packages.filter((plan) => !this.isChecked(plan));
    const next = waiting.find(({ files }) => files.some(({ version }) => version !== undefined)) ?? waiting[0];
    if (next !== undefined) this.check(next);
    return waiting.length > 1;
  }

  /** Returns the kinds that RGDs, also incomplete ones, and CRDs define, and those of template languages that the settings add. */
  #relevantKinds(): ReadonlySet<string> {
    if (this.#relevant !== undefined) return this.#relevant;
    const apis = this.#settings.frontEnds?.flatMap((one) => one.apis) ?? [];
    const added = apis.flatMap(({ group, kinds }) => kinds.map((kind) => groupKind({ kind, group })));
    const relevant = new Set(added);
    for (const { facts } of this.#files.values()) {
      for (const kind of facts.defines) relevant.add(kind);
      for (const { kind } of facts.rgds) relevant.add(kind);
    }
    this.#relevant = relevant;
    return relevant;
  }

  /** Returns the files that a package reads whose current texts are not validated yet. */
  get waiting(): ReadonlySet<string> {
    const waiting = this.packages.filter((plan) => !this.isChecked(plan));
    return new Set(waiting.flatMap(({ files, beside }) => [...files, ...beside].map(({ uri }) => uri)));
  }

  packageOf(uri: string): Package | undefined {
    return this.packages && this.#packageOf.get(uri);
  }

  isChecked(plan: Package): boolean {
    const before = this.#checked.get(plan.folder)?.plan;
    if (before === undefined || before.rules !== plan.rules) return false;
    return LISTS.every((list) => sameItems<unknown>(before[list], plan[list]));
  }

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

  get checked(): Iterable<Checked> {
    return this.#checked.values();
  }

  current(uri: string): Checked | undefined {
    const plan = this.packageOf(uri);
    return plan && this.check(plan);
  }
}

const LISTS = ['objects', 'definitions', 'policies', 'files', 'beside', 'around'] as const;

/** A longer text is more than the beginning of one. */
const MAX_BEGUN = 2000;

/** Reports whether a text has at most one word, beside comments: that of a document to be chosen. */
function isBegun(text: string): boolean {
  if (text.length > MAX_BEGUN) return text.trim() === '';
  const written = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '---' && !line.startsWith('#'));
  return written.length === 0 || (written.length === 1 && /^[\w.-]+$/.test(written[0] ?? ''));
}

import type { Diagnostic } from '../src/api/index.ts';
import { isPending } from '../src/core/diagnostics/index.ts';
import type { App, ObjectFilter, ShownObjects } from './app.ts';
import { FileEditor } from './editor/editor.ts';
import { fieldText, type Path, templateAt } from './editor/yaml-path.ts';
import { Crashed, Engine, Stopped, Superseded } from './engine/client.ts';
import type { Answer, Checked, ExpressionAt, Located, Package, Rendered, RenderedObject } from './engine/protocol.ts';
import { startEngine } from './engine/start.ts';
import { showExpression } from './panels/expression.ts';
import { FileBar } from './panels/files.ts';
import { panelsOf } from './panels/index.ts';
import { showOrigin } from './panels/origin.ts';
import { Problems } from './panels/problems.ts';
import { forgetBaseline, openedContents } from './state/baseline.ts';
import type { DiskSync } from './state/disk.ts';
import { Keeper } from './state/keeper.ts';
import { hashOf } from './state/place.ts';
import { problemsOf } from './state/problems.ts';
import { firstExample } from './state/published.ts';
import { readServed, type Served } from './state/served.ts';
import { openingOf } from './state/start.ts';
import { browserMemory, loadPanel, savePanel } from './state/storage.ts';
import { type Contents, Workspace } from './state/workspace.ts';
import { byId } from './ui/dom.ts';
import { acceptDrops } from './ui/drop.ts';
import type { Embed } from './ui/embed.ts';
import { Header } from './ui/header.ts';
import { LessonBox } from './ui/lesson-box.ts';
import type { MenuItems } from './ui/menu.ts';
import { notify, notifyFault, reportFaults } from './ui/notice.ts';
import { PlaceBar } from './ui/place-bar.ts';
import { Sides } from './ui/sides.ts';
import { splitter } from './ui/splitter.ts';
import { Tabs } from './ui/tabs.ts';
import { applyTheme } from './ui/theme.ts';
import type { Threads } from './ui/threads.ts';
import { showWelcome } from './ui/welcome.ts';

/** Milliseconds between a rendering and the validation of the same files. */
const PAUSE = 150;
/** Milliseconds without typing until lines are drawn again, so that they do not delay a rendering. */
const REST = 500;
/** Milliseconds that the cursor rests before its expression is shown. */
const LOOK = 400;
const NOTHING: Rendered = { objects: [], diagnostics: [] };
const NOT_CHECKED: Checked = { diagnostics: [], unchecked: '' };
const NOTHING_SHOWN: ShownObjects = { objects: [], stale: new Set() };

/** Builds the page and renders for the first time. */
export async function start(): Promise<void> {
  reportFaults();
  applyTheme();
  const isEmbedded = new URLSearchParams(location.search).has('embed');
  if (isEmbedded) document.documentElement.dataset.embed = '';
  const served = servedFiles();
  const keeper = new Keeper({ memory: browserMemory, served, isEmbedded, first: firstExample() });
  const opening = await openingOf(location.hash, keeper);
  const workspace = new Workspace(opening.contents, opening.active);
  const engine = new Engine(startEngine);
  engine.onReady = (version) => {
    byId('version').textContent = version;
  };
  engine.onFailure = (message) => notifyFault(`The engine does not run: ${message}`);
  byId('editor').replaceChildren();
  const editor = new FileEditor(byId('editor'), workspace);
  const main = byId('view-files');
  const bar = splitter({ name: 'left', label: 'Width of the editors', container: main, axis: 'x', initial: 50 });
  byId('results').before(bar);
  const page = new Page({ workspace, keeper, served, engine, editor });
  page.show(loadPanel());
  showWelcome(page);
  byId('start').remove();
  performance.mark('interactive');
  if (keeper.isFolder && served !== undefined && served.left.length > 0)
    notify(`${served.left.length} files of the folder are not shown: ${served.left[0]}.`);
  if (opening.notice !== undefined) notifyFault(opening.notice);
  page.listen();
  await page.showLesson();
  await page.render();
  performance.mark('rendered');
  if (served !== undefined && !isEmbedded) await page.connectDisk(served);
  if (isEmbedded) await page.connectEmbed();
  await page.showFirstLine();
  await connectLater(page);
  const { prefetch } = await import('./ui/prefetch.ts');
  await prefetch(engine);
}

/** Returns what `render-rgd playground PATH` put into the page. */
function servedFiles(): Served | undefined {
  const text = document.getElementById('opened')?.textContent;
  if (!text) return undefined;
  try {
    return readServed(text);
  } catch (error) {
    notify(`The files of the folder cannot be shown: ${(error as Error).message}.`);
    return { files: [], left: [], key: '', write: false };
  }
}

/** Starts the language server after the first rendering, so that it does not delay it. */
async function connectLater(page: Page): Promise<void> {
  try {
    const { writing } = await import('./editor/writing.ts');
    page.editor.extend(() => writing);
    const { connectLanguageServer } = await import('./editor/language.ts');
    await connectLanguageServer(page);
    document.documentElement.dataset.language = 'connected';
    page.offerFixes();
  } catch (error) {
    notifyFault(`Without completion: ${(error as Error).message}`);
  }
}

type Parts = Pick<App, 'workspace' | 'keeper' | 'served' | 'engine' | 'editor'>;

/** The whole page: the rendering, and the parts that show it. */
class Page implements App {
  readonly workspace: Workspace;
  readonly keeper: Keeper;
  readonly served: Served | undefined;
  readonly engine: Engine;
  readonly editor: FileEditor;
  readonly notify = notify;
  readonly #panels: ReturnType<typeof panelsOf>;
  readonly #tabs: Tabs;
  readonly #lesson: LessonBox;
  #rendered = NOTHING;
  #shown: ShownObjects = NOTHING_SHOWN;
  /** The last objects of each instance that had no errors. */
  #lastGood: readonly RenderedObject[] = [];
  #opened: Contents | undefined;
  #openedAt = '';
  #checked: Checked = NOT_CHECKED;
  #checking = 0;
  /** How many renderings were asked for: the answer to an earlier one is not shown. */
  #renderings = 0;
  #saving = 0;
  #looking = 0;
  #opening = 0;
  readonly #place: PlaceBar;
  readonly #files: FileBar;
  readonly #header: Header;
  readonly #problems: Problems;
  #threads: Threads | undefined;
  readonly #sides = new Sides();
  /** The field whose steps are shown. */
  #chosen: { readonly key: string; readonly path: Path } | undefined;
  /** The field whose lines are shown. */
  #traced: { readonly key: string; readonly path: Path } | undefined;
  #tracing = 0;
  /** The instance whose values expressions have, by its address; '' for the first one. */
  #instance = '';
  /** Whether the panel of origins shows the expression at the cursor. */
  #isExpression = false;
  #disk: DiskSync | undefined;
  #embed: Embed | undefined;

  constructor({ workspace, keeper, served, engine, editor }: Parts) {
    this.workspace = workspace;
    this.keeper = keeper;
    this.served = served;
    this.engine = engine;
    this.editor = editor;
    this.#files = new FileBar(byId('file-bar'), this);
    acceptDrops(document.body, (dropped) => void this.#files.take(dropped));
    this.#panels = panelsOf(this);
    byId('panels').replaceChildren(...this.#panels.all.map(({ element }) => element));
    const tabs = this.#panels.all.map(({ id, title, element }) => ({ id, title, panel: element }));
    this.#tabs = new Tabs('Results', tabs, () => this.#updatePanel());
    byId('result-tabs').replaceChildren(this.#tabs.list);
    this.#lesson = new LessonBox(byId('lesson'), this);
    this.#problems = new Problems(byId('problems'), this);
    this.#header = new Header(this);
    this.#place = new PlaceBar(byId('place'), this);
    editor.onCursor = () => this.#look();
  }

  /** Follows changes of the files, of the address and of other tabs. */
  listen(): void {
    this.opened();
    this.workspace.listen((change) => this.changed(change));
    this.keeper.onChange = () => {
      this.#place.show();
      this.#header.show();
      this.#disk?.sendSoon();
    };
    addEventListener('hashchange', () => void this.openAddress());
    addEventListener('pagehide', () => this.#save());
    addEventListener('storage', ({ key, newValue }) => {
      if (key !== null && newValue !== null) this.keeper.receive(key, newValue, this.workspace);
    });
  }

  /** Answers the page around the embedded view. */
  async connectEmbed(): Promise<void> {
    const { Embed } = await import('./ui/embed.ts');
    this.#embed = new Embed(this, byId('result-tabs'));
  }

  /** Shows changes of a served folder, and sends what is typed. */
  async connectDisk({ write }: Served): Promise<void> {
    const { DiskSync } = await import('./state/disk.ts');
    this.#disk = new DiskSync(this.keeper, this.workspace, write);
  }

  rendered = (): Rendered => this.#rendered;
  opened = (): Contents => {
    this.#opened ??= openedContents(this.keeper.place, this.workspace.contents);
    return this.#opened;
  };

  fileItems = (): MenuItems => this.#files.commands();

  modeItems = (): MenuItems => this.#header.modeItems();

  openFiles(what: 'files' | 'folder' | 'address'): void {
    this.#files.openFiles(what);
  }

  searchCommands = (): Promise<void> => this.#header.search();

  keepNow = (): void => {
    clearTimeout(this.#saving);
    this.#save();
  };

  showProblems(): void {
    this.#sides.show('source');
    this.#problems.open();
  }

  offerFixes(): void {
    this.#problems.offerFixes();
  }

  shown = (): ShownObjects => this.#shown;

  marks = (): ReadonlyMap<string, 'pending' | 'error'> => {
    const errors = this.#rendered.diagnostics.filter((one) => one.severity === 'error' && one.object?.includes('/'));
    const marks = new Map<string, 'pending' | 'error'>();
    for (const error of errors) {
      const { object = '' } = error;
      if (marks.get(object) !== 'error') marks.set(object, isPending(error) ? 'pending' : 'error');
    }
    return marks;
  };

  problems = (): readonly Diagnostic[] => problemsOf(this.#rendered.diagnostics, this.#checked.diagnostics);

  unchecked = (): string => this.#checked.unchecked;

  showResults(panel: string): void {
    this.#sides.show('results');
    this.#tabs.select(panel);
  }

  show(panel: string): void {
    this.#tabs.select(panel);
  }

  goTo = (hash: string): void => {
    if (hash.replace(/^#$/, '') !== location.hash) location.hash = hash;
    else void this.openAddress();
  };

  replaceFiles = (contents: Contents, message: string): void => {
    const { contents: before, active } = this.workspace;
    this.workspace.open(contents);
    notify(message, { text: 'Undo', run: () => this.workspace.open(before, active) });
  };

  showLesson(): Promise<void> {
    const { kind, id } = this.keeper.place;
    return this.#lesson.open(kind === 'lesson' ? id : '');
  }

  reveal({ file, line, column }: { file: string; line: number; column: number }): void {
    this.#sides.show('source');
    this.editor.reveal(file, line, column);
  }

  fillIn(pending: Diagnostic): void {
    this.#sides.show('results');
    this.#tabs.select('objects');
    this.#panels.objects.fillIn(pending);
  }

  point(place: Located | undefined): void {
    if (place !== undefined) this.editor.point(place);
  }

  showObjects(filter: ObjectFilter): void {
    this.#sides.show('results');
    this.#tabs.select('objects');
    this.#panels.objects.filter(filter);
  }

  explain(object: RenderedObject | undefined, path: Path, how: 'trace' | 'show' | 'go'): void {
    void this.#explain(object, path, how);
  }

  redrawLines(): void {
    this.#threads?.redraw();
  }

  /** Draws a line for the first visit: the first field that comes from an instance. */
  async showFirstLine(): Promise<void> {
    const { Threads } = await import('./ui/threads.ts');
    this.#threads = new Threads(this);
    this.#traceAgain();
    for (const { object, path } of this.#panels.objects.candidates().slice(0, 12)) {
      if (this.#threads?.isShown) return;
      const origin = await this.#originOf(object, path);
      if (origin === undefined || 'fault' in origin) continue;
      const files = new Set(origin.steps.flatMap(({ place }) => place?.file ?? []));
      if (files.size < 2 || this.#threads?.isShown) continue;
      this.#traced = { key: object.key, path };
      const place = origin.steps.find((step) => step.place !== undefined)?.place;
      // What somebody typed stays where it is.
      const isFirst = JSON.stringify(this.workspace.files) === JSON.stringify(firstExample().files);
      if (place !== undefined && isFirst) this.editor.scrollTo(place);
      this.#threads?.show(this.#panels.objects.rowOf(object, path), origin.steps);
      return;
    }
  }

  /** Opens what the address names, after what was typed is kept. */
  async openAddress(): Promise<void> {
    this.#opening += 1;
    const own = this.#opening;
    this.#save(false);
    await this.#disk?.flush();
    if (own !== this.#opening) return;
    const { contents, active, notice } = await openingOf(location.hash, this.keeper);
    this.workspace.open(contents, contents.files.some(({ name }) => name === active) ? active : undefined);
    if (notice !== undefined) notifyFault(notice);
    this.#place.show();
    this.#sides.show('source');
    if (this.keeper.place.kind === 'lesson') this.#tabs.select('objects');
    showWelcome(this);
    await this.showLesson();
  }

  changed(change: string): void {
    clearTimeout(this.#tracing);
    this.#saveSoon();
    if (change === 'package') {
      this.#lastGood = [];
      this.#shown = NOTHING_SHOWN;
      this.#checked = NOT_CHECKED;
      clearTimeout(this.#checking);
      this.#checking = 0;
      this.#opened = undefined;
      forgetBaseline();
      this.opened();
      this.#forget();
      this.#panels.objects.reset();
    }
    if (change !== 'active') void this.render();
  }

  async render(): Promise<void> {
    this.#renderings += 1;
    const own = this.#renderings;
    // It is validated after it was rendered: a validation of the text before it would hold it up.
    clearTimeout(this.#checking);
    this.#checking = 0;
    await this.#render(own).catch((error: Error) => this.#failed(own, error));
  }

  /** Renders the files as they are now; the answer is dropped if another rendering was asked for in between. */
  async #render(own: number): Promise<void> {
    const pack = this.workspace.package;
    const rendered = await this.engine.ask('render', pack);
    const live = await this.#partOf(pack, rendered);
    if (own !== this.#renderings) return;
    this.#keep(rendered, live);
    this.#take(rendered);
  }

  /**
   * Shows that a rendering failed: its objects are those of an earlier one. A worker that was stopped or ended has
   * restarted, and the reason may have been its start: the files are rendered once more.
   */
  async #failed(own: number, error: Error): Promise<void> {
    if (error instanceof Superseded || own !== this.#renderings) return;
    this.#takeFault(error);
    if (!(error instanceof Stopped || error instanceof Crashed)) return;
    await this.#render(own).catch((again: Error) => {
      if (!(again instanceof Superseded) && own === this.#renderings) this.#takeFault(again);
    });
  }

  #takeFault({ message }: Error): void {
    const fault: Diagnostic = { severity: 'error', code: 'budget-exceeded', stage: 'expand', message };
    this.#shown = { objects: this.#lastGood, stale: new Set(this.#lastGood.map(({ key }) => key)) };
    this.#checked = NOT_CHECKED;
    this.#take({ objects: [], diagnostics: [fault] });
    notify(`Not rendered: ${message}.`, { text: 'Render again', run: () => void this.render() });
  }

  /** Returns the objects that have nothing to do with the errors of a rendering. */
  async #partOf(pack: Package, { objects, diagnostics }: Rendered): Promise<readonly RenderedObject[]> {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) return objects;
    try {
      return await this.engine.ask('partial', pack, errors);
    } catch (error) {
      if (error instanceof Superseded) throw error;
      return [];
    }
  }

  /** Sets the objects to show: those of the rendering, and the last ones of instances with errors. */
  #keep({ diagnostics }: Rendered, live: readonly RenderedObject[]): void {
    if (diagnostics.every(({ severity }) => severity !== 'error')) {
      this.#lastGood = live;
      this.#shown = { objects: live, stale: new Set() };
      return;
    }
    const broken = new Set(diagnostics.map(({ object }) => object));
    const known = new Set(live.map(({ key }) => key));
    const healthy = new Set(live.map(({ instance }) => instance).filter((instance) => !broken.has(instance)));
    const stale = this.#lastGood.filter(({ key, instance }) => !known.has(key) && !healthy.has(instance));
    this.#lastGood = [...live, ...stale];
    this.#shown = { objects: this.#lastGood, stale: new Set(stale.map(({ key }) => key)) };
  }

  #take(rendered: Rendered): void {
    this.#rendered = rendered;
    this.#showProblems();
    this.#checkSoon();
    const errors = rendered.diagnostics.filter(({ severity }) => severity === 'error').length;
    this.#sides.count(errors, this.shown().objects.length);
    this.#lesson.check();
    this.#updatePanel();
    this.#traceAgain();
    this.#embed?.send();
    document.documentElement.dataset.rendered = String(Number(document.documentElement.dataset.rendered ?? 0) + 1);
  }

  #showProblems(): void {
    this.editor.mark(this.problems());
    this.#files.mark(this.problems());
    this.#problems.show();
  }

  /** Validates after a pause in typing. Until then the lints of the last validation stay, so that the list keeps still. */
  #checkSoon(): void {
    clearTimeout(this.#checking);
    this.#checking = window.setTimeout(() => void this.#check(), PAUSE);
  }

  async #check(): Promise<void> {
    const own = this.#checking;
    const checked = await this.engine.ask('check', this.workspace.package).catch((error: Error) => {
      if (error instanceof Superseded) return NOT_CHECKED;
      notify(`Not validated: ${error.message}.`);
      return { diagnostics: [], unchecked: 'not validated' };
    });
    // A later rendering or another package has its own validation.
    if (own !== this.#checking) return;
    this.#checked = checked;
    this.#showProblems();
  }

  #updatePanel(): void {
    this.#panels.all.find(({ id }) => id === this.#tabs.selected)?.update();
    this.#threads?.redraw();
    this.#saveSoon();
  }

  /** Saves after a pause in typing, or when the page is hidden. */
  #saveSoon(): void {
    clearTimeout(this.#saving);
    this.#saving = window.setTimeout(() => this.#save(), 300);
  }

  #save(isHere = true): void {
    savePanel(this.#tabs.selected);
    if (!this.keeper.save(this.workspace))
      notify('The browser keeps no more: this package will not survive a reload. Save it as ZIP.');
    // An address with other contents, such as a shared link, would bring them back at a reload.
    const hash = hashOf(this.keeper.place);
    // The first change of a link gives it an address of its own.
    if (hash !== this.#openedAt && this.keeper.place.kind === 'kept') openedContents(this.keeper.place, this.opened());
    this.#openedAt = hash;
    if (isHere && this.keeper.isTyped && location.hash !== hash)
      history.replaceState(null, '', hash === '' ? location.pathname + location.search : hash);
  }

  /** Shows the context of the cursor when it rests. */
  #look(): void {
    clearTimeout(this.#looking);
    this.#looking = window.setTimeout(() => {
      if (this.editor.view.hasFocus) void this.#lookAtCursor();
    }, LOOK);
  }

  /** Shows the expression at the cursor, or the origin of the field that the template there renders. */
  async #lookAtCursor(): Promise<void> {
    const { state } = this.editor.view;
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    const place = { file: this.workspace.active, line: line.number, column: head - line.from + 1 };
    let found: Answer<'expression'>;
    try {
      found = await this.engine.ask('expression', this.workspace.package, place, this.#instance);
    } catch (error) {
      if (!(error instanceof Superseded)) this.notify((error as Error).message);
      return;
    }
    const at = templateAt(state, head);
    const objects = this.#shown.objects.filter(({ node }) => node === at?.node);
    if (found !== undefined) return this.#showExpression(found, objects, at?.path ?? []);
    if (this.#isExpression) {
      // An expression that is being typed has no value now.
      if (this.#rendered.diagnostics.some(({ severity }) => severity === 'error'))
        return byId('origin').classList.add('stale');
      this.#forget();
    }
    const [object] = objects;
    if (at !== undefined && object !== undefined && at.path.length > 0) await this.#explain(object, at.path, 'show');
  }

  #showExpression(found: ExpressionAt, objects: readonly RenderedObject[], path: Path): void {
    this.#chosen = undefined;
    this.#isExpression = true;
    showExpression(byId('origin'), found, this, (instance) => {
      this.#instance = instance;
      void this.#lookAtCursor();
    });
    const object = objects.find(({ address }) => address === found.instance) ?? objects[0];
    if (object !== undefined && path.length > 0) void this.#explain(object, path, 'trace');
  }

  async #originOf({ kind, namespace, name }: RenderedObject, path: Path): Promise<Answer<'origin'> | undefined> {
    const address = [kind, namespace, name].filter((part) => part !== '').join('/');
    try {
      return await this.engine.ask('origin', this.workspace.package, address, fieldText(path));
    } catch (error) {
      if (!(error instanceof Superseded)) notify((error as Error).message);
      return undefined;
    }
  }

  async #explain(object: RenderedObject | undefined, path: Path, how: 'trace' | 'show' | 'go'): Promise<void> {
    if (object === undefined || path.length === 0) {
      if (how === 'trace') return this.#traceAgain();
      return this.#forget();
    }
    this.#traced = { key: object.key, path };
    if (how !== 'trace') {
      this.#chosen = this.#traced;
      this.#isExpression = false;
    }
    const origin = await this.#originOf(object, path);
    if (origin === undefined) return;
    const isUnknown = 'fault' in origin && how === 'show';
    if (how !== 'trace') showOrigin(byId('origin'), isUnknown ? undefined : origin, this);
    if ('fault' in origin) return this.#threads?.clear();
    const place = origin.steps.find((step) => step.place !== undefined)?.place;
    // What it opens may be in another file: the lines are drawn afterwards.
    if (how === 'go' && place !== undefined) this.reveal(place);
    const row = this.#panels.objects.rowOf(object, path);
    if (how !== 'trace') row?.scrollIntoView({ block: 'nearest' });
    this.#threads?.show(row, origin.steps);
  }

  #forget(): void {
    this.#chosen = undefined;
    this.#traced = undefined;
    this.#isExpression = false;
    this.#threads?.clear();
    showOrigin(byId('origin'), undefined, this);
  }

  /** Shows the lines of the chosen field after a pause, since they may have moved. */
  #traceAgain(): void {
    clearTimeout(this.#tracing);
    const chosen = this.#chosen ?? this.#traced;
    if (chosen === undefined) return;
    const how = this.#chosen === undefined ? 'trace' : 'show';
    this.#tracing = window.setTimeout(() => {
      const object = this.shown().objects.find(({ key }) => key === chosen.key);
      if (object === undefined) this.#forget();
      else void this.#explain(object, chosen.path, how);
    }, REST);
  }
}

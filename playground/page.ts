import type { Diagnostic } from '../src/api/index.ts';
import type { App, ObjectFilter } from './app.ts';
import { FileEditor } from './editor/editor.ts';
import { fieldText, type Path, templateAt } from './editor/yaml-path.ts';
import { Engine, Superseded } from './engine/client.ts';
import type { Rendered, RenderedObject } from './engine/protocol.ts';
import { startEngine } from './engine/start.ts';
import { FileBar } from './panels/files.ts';
import { panelsOf } from './panels/index.ts';
import { showOrigin } from './panels/origin.ts';
import { showProblems } from './panels/problems.ts';
import { saveChanges } from './state/save.ts';
import { savesFiles, startOf } from './state/start.ts';
import { saveSession } from './state/storage.ts';
import { Workspace } from './state/workspace.ts';
import { showActions } from './ui/actions.ts';
import { byId } from './ui/dom.ts';
import { acceptDrops } from './ui/drop.ts';
import { LessonBox } from './ui/lesson-box.ts';
import { notify, reportFaults } from './ui/notice.ts';
import { Tabs } from './ui/tabs.ts';
import { applyTheme } from './ui/theme.ts';
import { Views } from './ui/views.ts';

/** Milliseconds between a rendering and the validation of the same files. */
const PAUSE = 150;
const NOTHING: Rendered = { objects: [], diagnostics: [] };

/** Builds the page and renders for the first time. */
export async function start(): Promise<void> {
  reportFaults();
  applyTheme();
  const isEmbedded = new URLSearchParams(location.search).has('embed');
  if (isEmbedded) document.documentElement.dataset.embed = '';
  const opened = await startOf(location.hash);
  const workspace = new Workspace(opened.contents, opened.active);
  const engine = new Engine(startEngine);
  engine.onReady = (version) => {
    byId('version').textContent = `render-rgd ${version}`;
  };
  engine.onFailure = (message) => notify(`The engine does not run: ${message}`);
  byId('editor').replaceChildren();
  const editor = new FileEditor(byId('editor'), workspace);
  const page = new Page(workspace, engine, editor);
  page.show(opened.panel);
  byId('start').remove();
  performance.mark('interactive');
  if (opened.notice !== undefined) notify(opened.notice);
  addEventListener('hashchange', () => void page.openHash());
  workspace.listen((change) => page.changed(change));
  if (savesFiles()) saveChanges(workspace);
  if (opened.lesson !== '' && location.hash.startsWith('#lesson=')) page.openLesson(opened.lesson);
  else if (opened.lesson !== '') await page.resumeLesson(opened.lesson);
  await page.render();
  performance.mark('rendered');
  await connectLater(page);
}

/** Starts the language server after the first rendering, so that it does not delay it. */
async function connectLater({ editor, workspace }: Page): Promise<void> {
  try {
    const { connectLanguageServer } = await import('./editor/language.ts');
    await connectLanguageServer(editor, workspace);
    document.documentElement.dataset.language = 'connected';
  } catch (error) {
    notify(`Without completion: ${(error as Error).message}`);
  }
}

/** The whole page: the rendering, and the parts that show it. */
class Page implements App {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly editor: FileEditor;
  readonly notify = notify;
  readonly #panels: ReturnType<typeof panelsOf>;
  readonly #tabs: Tabs;
  readonly #lesson: LessonBox;
  #rendered = NOTHING;
  #lastGood = NOTHING;
  #checked: readonly Diagnostic[] = [];
  #checking = 0;
  #saving = 0;
  #looking = 0;

  constructor(workspace: Workspace, engine: Engine, editor: FileEditor) {
    this.workspace = workspace;
    this.engine = engine;
    this.editor = editor;
    const files = new FileBar(byId('file-bar'), this);
    acceptDrops(document.body, (dropped) => void files.take(dropped));
    this.#panels = panelsOf(this);
    byId('panels').replaceChildren(...this.#panels.all.map(({ element }) => element));
    const tabs = this.#panels.all.map(({ id, title, element }) => ({ id, title, panel: element }));
    this.#tabs = new Tabs('Results', tabs, () => this.#updatePanel());
    byId('result-tabs').replaceChildren(this.#tabs.list);
    this.#lesson = new LessonBox(byId('lesson'), this);
    new Views(this);
    showActions(byId('actions'), this);
    showOrigin(byId('origin'), undefined, this);
    editor.onCursor = () => this.#look();
    addEventListener('pagehide', () => this.#save());
  }

  rendered = (): Rendered => this.#rendered;
  lastGood = (): Rendered => this.#lastGood;

  problems = (): readonly Diagnostic[] => {
    const placeOf = ({ code, file, line, object }: Diagnostic): string => JSON.stringify([code, file, line, object]);
    const known = new Set(this.#rendered.diagnostics.map(placeOf));
    return [...this.#rendered.diagnostics, ...this.#checked.filter((one) => !known.has(placeOf(one)))];
  };

  show(panel: string): void {
    this.#tabs.select(panel);
  }

  openLesson(id: string): void {
    void this.#lesson.open(id, true);
  }

  /** Resumes the lesson of the last visit, with the user's files. */
  resumeLesson(id: string): Promise<void> {
    return this.#lesson.open(id, false);
  }

  reveal({ file, line, column }: { file: string; line: number; column: number }): void {
    this.editor.reveal(file, line, column);
  }

  showObjects(filter: ObjectFilter): void {
    this.#tabs.select('objects');
    this.#panels.objects.filter(filter);
  }

  explain(object: RenderedObject, path: Path, go: boolean): void {
    void this.#explain(object, path, go);
  }

  async openHash(): Promise<void> {
    if (!/^#(s|example|lesson)=/.test(location.hash)) return;
    const { contents, notice, lesson } = await startOf(location.hash);
    if (notice !== undefined) notify(notice);
    else if (lesson !== '') this.openLesson(lesson);
    else this.workspace.open(contents);
  }

  changed(change: string): void {
    this.#saveSoon();
    if (change === 'package') {
      this.#lastGood = NOTHING;
      this.#checked = [];
      clearTimeout(this.#checking);
      this.#checking = 0;
      this.#panels.difference.reset();
      showOrigin(byId('origin'), undefined, this);
      this.#panels.objects.filter({ instance: '', node: '' });
    }
    if (change !== 'active') void this.render();
  }

  async render(): Promise<void> {
    try {
      this.#take(await this.engine.ask('render', this.workspace.package));
    } catch (error) {
      if (error instanceof Superseded) return;
      notify(`Not rendered: ${(error as Error).message}.`, { text: 'Render again', run: () => void this.render() });
    }
  }

  #take(rendered: Rendered): void {
    this.#rendered = rendered;
    const failed = rendered.diagnostics.some(({ severity }) => severity === 'error');
    if (!failed) this.#lastGood = rendered;
    this.#panels.difference.note();
    this.#showProblems();
    this.#checkSoon();
    this.#tabs.count('pending', rendered.diagnostics.filter(({ code }) => code === 'pending-value').length);
    this.#lesson.check();
    this.#updatePanel();
    document.documentElement.dataset.rendered = String(Number(document.documentElement.dataset.rendered ?? 0) + 1);
  }

  #showProblems(): void {
    this.editor.mark(this.problems());
    showProblems(byId('problems'), this);
  }

  /** Validates after a pause in typing. Until then the lints of the last validation stay, so that the list keeps still. */
  #checkSoon(): void {
    clearTimeout(this.#checking);
    this.#checking = window.setTimeout(() => void this.#check(), PAUSE);
  }

  async #check(): Promise<void> {
    const own = this.#checking;
    const checked = await this.engine.ask('check', this.workspace.package).catch((error: Error) => {
      if (!(error instanceof Superseded)) notify(`Not validated: ${error.message}.`);
      return [];
    });
    // A later rendering or another package has its own validation.
    if (own !== this.#checking) return;
    this.#checked = checked;
    this.#showProblems();
  }

  #updatePanel(): void {
    this.#panels.all.find(({ id }) => id === this.#tabs.selected)?.update();
    this.#saveSoon();
  }

  /** Saves after a pause in typing, or when the page is hidden. */
  #saveSoon(): void {
    clearTimeout(this.#saving);
    this.#saving = window.setTimeout(() => this.#save(), 300);
  }

  #save(): void {
    if (document.documentElement.dataset.embed !== undefined) return;
    try {
      const { contents, active } = this.workspace;
      saveSession({ contents, active, panel: this.#tabs.selected, lesson: this.#lesson.id });
    } catch {
      notify('The browser keeps no more: this package will not survive a reload. Save it as ZIP.');
    }
  }

  /** Shows the context of the cursor when it rests. */
  #look(): void {
    clearTimeout(this.#looking);
    this.#looking = window.setTimeout(() => {
      if (!this.editor.view.hasFocus) return;
      const { state } = this.editor.view;
      const at = templateAt(state, state.selection.main.head);
      const object = at && this.#lastGood.objects.find(({ node }) => node === at.node);
      if (at !== undefined && object !== undefined && at.path.length > 0) void this.#explain(object, at.path, false);
    }, 400);
  }

  async #explain({ kind, namespace, name }: RenderedObject, path: Path, go: boolean): Promise<void> {
    if (path.length === 0) return;
    const address = [kind, namespace, name].filter((part) => part !== '').join('/');
    try {
      const origin = await this.engine.ask('origin', this.workspace.package, address, fieldText(path));
      showOrigin(byId('origin'), origin, this);
      if (!go || 'fault' in origin) return;
      const place = origin.steps.find((step) => step.place !== undefined)?.place;
      if (place !== undefined) this.reveal(place);
    } catch (error) {
      if (!(error instanceof Superseded)) notify((error as Error).message);
    }
  }
}

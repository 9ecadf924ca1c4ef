import { yaml } from '@codemirror/lang-yaml';
import { EditorState } from '@codemirror/state';
import type { Diagnostic } from '../../src/api/index.ts';
import { isPending } from '../../src/core/diagnostics/index.ts';
import { groupBy } from '../../src/core/model/group-by.ts';
import { ownValue } from '../../src/core/model/value.ts';
import type { App, ObjectFilter, Panel } from '../app.ts';
import { type Path, pathAt } from '../editor/yaml-path.ts';
import type { RenderedObject } from '../engine/protocol.ts';
import { kindsIn } from '../state/story.ts';
import { button, download, emptyState, h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import type { Notes } from './notes.ts';
import { linesOf } from './yaml-lines.ts';

/** The number of objects that are open if there are no more; otherwise the first one is. */
const FEW = 2;
/** Milliseconds that the pointer rests on a field before its origin is shown. */
const REST = 120;
/** Milliseconds without a change until pending and skipped nodes are listed. */
const NOTE_PAUSE = 150;

interface Shown {
  readonly element: HTMLDetailsElement;
  readonly size: HTMLElement;
  readonly text: HTMLElement;
  object: RenderedObject;
  /** The rendered text, or undefined if it was not shown yet. */
  drawn: string | undefined;
}

/** The rendered objects: a list by instance, in which objects open. */
export class ObjectsPanel implements Panel {
  readonly id = 'objects';
  readonly title = 'Objects';
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #list = h('div', { class: 'objects' });
  readonly #status = h('p', { class: 'status', role: 'status' });
  readonly #filterBar = h('p', { class: 'filter', hidden: true });
  readonly #shown = new Map<string, Shown>();
  #filter: ObjectFilter = { instances: [], node: '' };
  #structure = '';
  /** The rows of what is not rendered, by the instance. */
  #notes: Notes = new Map();
  #noted = '';
  #noting = 0;
  #isFirst = true;
  #resting = 0;

  constructor(app: App) {
    this.#app = app;
    const tools = h(
      'div',
      { class: 'tools' },
      this.#status,
      button('Open all', () => this.#toggle(true), { class: 'plain' }),
      button('Close all', () => this.#toggle(false), { class: 'plain' }),
      button('Copy', () => void this.#copy(), { class: 'plain' }),
      button('Download', () => download('rendered.yaml', this.#text(), 'application/yaml'), { class: 'plain' }),
    );
    this.element = h('div', { class: 'panel' }, tools, this.#filterBar, this.#list);
    this.#list.addEventListener('pointerover', ({ target }) => this.#rest(target as Element));
    this.#list.addEventListener('pointerleave', () => this.#rest(undefined));
  }

  filter(filter: ObjectFilter): void {
    this.#filter = filter;
    this.update();
    // A node of a few objects was asked for: show what they are.
    const chosen = this.#app.shown().objects.filter((object) => this.#matches(object));
    if (filter.node !== '' && chosen[0] !== undefined) this.#open(chosen[0].key);
  }

  /** Forgets which objects are open, for another package. */
  reset(): void {
    this.#isFirst = true;
    this.#shown.clear();
    this.#notes = new Map();
    this.#noted = '';
    clearTimeout(this.#noting);
    this.#structure = '';
    this.#filter = { instances: [], node: '' };
  }

  update(): void {
    const { objects, stale } = this.#app.shown();
    const chosen = objects.filter((object) => this.#matches(object));
    this.#status.textContent = statusOf(objects.length, chosen.length, stale.size);
    this.#showFilter();
    this.#drop(objects);
    for (const object of chosen) this.#draw(object);
    if (this.#isFirst && chosen.length > 0) this.#openFirst(chosen);
    const marks = this.#app.marks();
    const state = [chosen.map(({ key, instance, node }) => [key, instance, node]), [...marks], this.#isEmpty()];
    const structure = JSON.stringify(state);
    if (structure !== this.#structure) this.#arrange(chosen, marks);
    this.#structure = structure;
    this.#note();
    for (const [key, { element }] of this.#shown) element.classList.toggle('stale', stale.has(key));
  }

  /** Opens the field of a pending value, after the engine has listed it. */
  fillIn({ object, node }: Diagnostic): void {
    const focus = (tries: number): void => {
      const rows = [...this.#list.querySelectorAll<HTMLElement>('.note.pending')];
      const isOf = (row: HTMLElement): boolean => row.closest('section')?.getAttribute('aria-label') === object;
      const row = rows.find((one) => isOf(one) && one.dataset.node === node) ?? rows.find(isOf) ?? rows[0];
      const input = row?.querySelector('input');
      if (input) input.focus();
      else if (tries > 0) setTimeout(() => focus(tries - 1), 50);
    };
    focus(40);
  }

  /** Adds what instances do not render: pending nodes, and skipped ones. */
  #note(): void {
    const { diagnostics } = this.#app.rendered();
    const own = diagnostics.filter((one) => one.code === 'node-skipped' || isPending(one));
    const noted = own.length === 0 ? '' : JSON.stringify([own, this.#app.workspace.contents]);
    if (noted === this.#noted) return;
    this.#noted = noted;
    clearTimeout(this.#noting);
    if (own.length === 0) this.#showNotes(new Map());
    else this.#noting = window.setTimeout(() => void this.#askNotes(own), NOTE_PAUSE);
  }

  async #askNotes(diagnostics: readonly Diagnostic[]): Promise<void> {
    const noted = this.#noted;
    const { notesOf } = await import('./notes.ts');
    const notes = await notesOf(this.#app, diagnostics).catch(() => undefined);
    // Another rendering has other notes.
    if (notes !== undefined && noted === this.#noted) this.#showNotes(notes);
  }

  #showNotes(notes: Notes): void {
    if (this.#notes.size === 0 && notes.size === 0) return;
    this.#notes = notes;
    this.#arrange(
      this.#app.shown().objects.filter((object) => this.#matches(object)),
      this.#app.marks(),
    );
  }

  /** Returns the row of a field, or that of its object if it is closed. */
  rowOf({ key }: RenderedObject, path: Path): HTMLElement | undefined {
    const shown = this.#shown.get(key);
    if (shown === undefined || !shown.element.isConnected) return undefined;
    if (!shown.element.open) return shown.element.querySelector('summary') ?? undefined;
    const wanted = JSON.stringify(path);
    const state = EditorState.create({ doc: shown.object.yaml, extensions: yaml() });
    const rows = rowsOf(shown.text);
    const found = rows.find((_, index) => JSON.stringify(pathAt(state, state.doc.line(index + 1).to).path) === wanted);
    return found ?? shown.element.querySelector('summary') ?? undefined;
  }

  /** Returns the fields of the first open object that may come from somewhere. */
  candidates(): { readonly object: RenderedObject; readonly path: Path }[] {
    const shown = [...this.#shown.values()].find(({ element }) => element.open);
    if (shown === undefined) return [];
    const { object, text } = shown;
    const state = EditorState.create({ doc: object.yaml, extensions: yaml() });
    return rowsOf(text).flatMap((row, index) => {
      if (row.closest('.folded') !== null || !/: \S/.test(row.textContent ?? '')) return [];
      const { path } = pathAt(state, state.doc.line(index + 1).to);
      return path[0] === 'spec' || path[0] === 'data' ? [{ object, path }] : [];
    });
  }

  #matches({ address, node }: RenderedObject): boolean {
    const { instances, node: only } = this.#filter;
    return (instances.length === 0 || instances.includes(address)) && (only === '' || only === node);
  }

  #showFilter(): void {
    const { instances, node } = this.#filter;
    this.#filterBar.hidden = instances.length === 0 && node === '';
    const [instance] = instances;
    const owner = instances.length > 1 ? `${instances.length} instances` : instance;
    const what = [owner, node === '' ? undefined : `node ${node}`].filter((text) => text !== undefined).join(', ');
    this.#filterBar.replaceChildren(
      `Only ${what} `,
      button('Show all objects', () => this.filter({ instances: [], node: '' })),
    );
  }

  /** Removes state of removed objects. */
  #drop(objects: readonly RenderedObject[]): void {
    const keys = new Set(objects.map(({ key }) => key));
    for (const key of this.#shown.keys()) if (!keys.has(key)) this.#shown.delete(key);
  }

  #draw(object: RenderedObject): void {
    const shown = this.#shown.get(object.key) ?? this.#create(object);
    if (shown.object !== object || shown.size.textContent === '') {
      const lines = object.yaml.split('\n').length - 1;
      shown.size.textContent = `${lines} line${lines === 1 ? '' : 's'}`;
    }
    shown.object = object;
    if (shown.element.open && shown.drawn !== object.yaml) fill(shown);
  }

  /** Opens the first object of the definition that the editor shows. */
  #openFirst(chosen: readonly RenderedObject[]): void {
    this.#isFirst = false;
    const texts = this.#app.editor.panes.map(({ view }) => view.state.doc.toString());
    const isShown = ({ definition }: RenderedObject): boolean =>
      definition !== '' && texts.some((text) => text.includes(`\n  name: ${definition}\n`));
    const first = chosen.find(isShown) ?? chosen[0];
    for (const object of chosen.length <= FEW ? chosen : [first]) this.#open(object?.key ?? '');
  }

  #open(key: string): void {
    const shown = this.#shown.get(key);
    if (shown === undefined) return;
    shown.element.open = true;
    if (shown.drawn !== shown.object.yaml) fill(shown);
  }

  #create(object: RenderedObject): Shown {
    const { kind, namespace, name, node } = object;
    const title = [kind, namespace, name].filter((part) => part !== '').join('/');
    const text = h('pre', {
      class: 'yaml',
      tabindex: 0,
      role: 'textbox',
      'aria-readonly': 'true',
      'aria-multiline': 'true',
      'aria-label': `${title} as YAML. Arrow keys choose a field, Enter shows where it comes from`,
    });
    const size = h('span', { class: 'size' });
    const summary = h(
      'summary',
      { title },
      icon('chevron'),
      h('span', { class: 'kind' }, kind),
      ' ',
      h('span', { class: 'name' }, namespace === '' ? '' : h('span', { class: 'faint' }, `${namespace}/`), name),
      ' ',
      h('span', { class: 'node' }, node),
      ' ',
      size,
    );
    const element = h('details', { class: 'object' }, summary, text);
    const shown: Shown = { element, text, size, object, drawn: undefined };
    element.addEventListener('toggle', () => {
      if (element.open && shown.drawn !== shown.object.yaml) fill(shown);
      this.#app.redrawLines();
    });
    text.addEventListener('click', (event) => {
      const row = (event.target as Element).closest('.line');
      if (row?.classList.contains('fold')) unfold(row);
      else if (row !== null && getSelection()?.isCollapsed !== false) this.#choose(shown, row, true);
    });
    text.addEventListener('keydown', (event) => this.#move(shown, event));
    this.#shown.set(object.key, shown);
    return shown;
  }

  #move(shown: Shown, event: KeyboardEvent): void {
    const lines = [...shown.text.querySelectorAll('.line')].filter((line) => line.closest('.folded[hidden]') === null);
    const at = lines.findIndex((line) => line.classList.contains('current'));
    const to = ownValue({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }, event.key);
    const line =
      event.key === 'Enter'
        ? lines[at]
        : to === undefined
          ? undefined
          : lines[Math.min(Math.max(to, 0), lines.length - 1)];
    if (line === undefined) return;
    event.preventDefault();
    if (event.key === 'Enter' && line.classList.contains('fold')) unfold(line);
    else this.#choose(shown, line, event.key === 'Enter');
    line.scrollIntoView({ block: 'nearest' });
  }

  #choose({ text, object }: Shown, line: Element, go: boolean): void {
    for (const other of this.#list.querySelectorAll('.line.current')) other.classList.remove('current');
    line.classList.add('current');
    const path = pathOfRow(text, line, object);
    if (path !== undefined) this.#app.explain(object, path, go ? 'go' : 'show');
  }

  /** Shows the origin of the field below a resting pointer. */
  #rest(target: Element | undefined): void {
    clearTimeout(this.#resting);
    const line = target?.closest('.line:not(.fold)');
    this.#resting = window.setTimeout(() => {
      if (line === null || line === undefined) return this.#app.explain(undefined, [], 'trace');
      const shown = [...this.#shown.values()].find(({ text }) => text.contains(line));
      const path = shown && pathOfRow(shown.text, line, shown.object);
      if (shown !== undefined && path !== undefined) this.#app.explain(shown.object, path, 'trace');
    }, REST);
  }

  #arrange(objects: readonly RenderedObject[], marks: ReadonlyMap<string, string>): void {
    const groups = groupBy(objects, ({ instance }) => instance);
    const isFiltered = this.#filter.instances.length > 0 || this.#filter.node !== '';
    const notes: Notes = isFiltered ? new Map() : this.#notes;
    for (const instance of [...marks.keys(), ...notes.keys()]) if (!groups.has(instance)) groups.set(instance, []);
    const sections = [...groups].map(([instance, own]) => {
      const title = instance === '' ? 'Other objects' : instance;
      const mark = marks.get(instance);
      const heading = h(
        'h2',
        { class: 'group' },
        title,
        h('span', { class: 'count' }, ` ${own.length}`),
        mark === undefined ? undefined : h('span', { class: `badge ${mark}` }, mark),
      );
      return h(
        'section',
        { 'aria-label': title },
        heading,
        ...(notes.get(instance)?.pending ?? []),
        ...own.flatMap(({ key }) => this.#shown.get(key)?.element ?? []),
        ...(notes.get(instance)?.skipped ?? []),
      );
    });
    this.#list.replaceChildren(...(sections.length === 0 ? [this.#nothing()] : sections));
  }

  /** What is missing for objects: a definition, an instance, or a correction. */
  #isEmpty(): 'errors' | 'instance' | 'definition' {
    if (this.#app.problems().some(({ severity }) => severity === 'error')) return 'errors';
    const defines = this.#app.workspace.files.some(({ text }) => kindsIn(text).length > 0);
    return defines ? 'instance' : 'definition';
  }

  /** Says why there are no objects, with one action. */
  #nothing(): HTMLElement {
    const what = this.#isEmpty();
    if (what === 'errors') {
      const text = 'Nothing is rendered yet: the problems below the text say why.';
      return emptyState(text, 'Show the problems', () => this.#app.showProblems());
    }
    if (what === 'instance') {
      const add = async (): Promise<void> => (await import('../ui/add.ts')).addInstance(this.#app);
      return emptyState('There is no instance of the kind that the RGD defines.', 'Add an instance', () => void add());
    }
    const open = (): void => this.#app.goTo('#example=collections');
    return emptyState('Write a ResourceGraphDefinition and an instance of its kind.', 'Open an example', open);
  }

  #toggle(open: boolean): void {
    for (const { element } of this.#shown.values()) element.open = open;
  }

  #text(): string {
    const chosen = this.#app.shown().objects.filter((object) => this.#matches(object));
    return chosen.map(({ yaml: text }) => text).join('---\n');
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#text());
      this.#app.notify('The rendered objects are in the clipboard.');
    } catch {
      this.#app.notify('The browser does not let this page write to the clipboard: use Download.');
    }
  }
}

const statusOf = (all: number, shown: number, stale: number): string => {
  const count = shown === all ? `${all} object${all === 1 ? '' : 's'}` : `${shown} of ${all} objects`;
  if (stale === 0) return count;
  return `${count}, ${stale === all ? '' : `${stale} `}of the last rendering without errors`;
};

/** The lines of the text, without those that stand for folded ones. */
const rowsOf = (text: HTMLElement): HTMLElement[] => [...text.querySelectorAll<HTMLElement>('.line:not(.fold)')];

function pathOfRow(text: HTMLElement, line: Element, object: RenderedObject): Path | undefined {
  const index = rowsOf(text).indexOf(line as HTMLElement);
  if (index < 0) return undefined;
  const state = EditorState.create({ doc: object.yaml, extensions: yaml() });
  return pathAt(state, state.doc.line(index + 1).to).path;
}

function unfold(row: Element): void {
  const lines = row.nextElementSibling as HTMLElement;
  lines.hidden = !lines.hidden;
  row.classList.toggle('open', !lines.hidden);
}

function fill(shown: Shown): void {
  const current = rowsOf(shown.text).findIndex((row) => row.classList.contains('current'));
  const unfolded = shown.text.querySelector('.fold.open') !== null;
  shown.drawn = shown.object.yaml;
  shown.text.replaceChildren(...folded(linesOf(shown.object.yaml), unfolded));
  rowsOf(shown.text)[current]?.classList.add('current');
}

/** Labels and annotations that the renderer adds. */
const ADDED =
  /^ {4}(?:app\.kubernetes\.io\/managed-by: render-rgd|(?:kro\.run|resourceset\.fluxcd\.controlplane\.io|render-rgd\.dev)\/)/;

/** Puts runs of added labels and annotations behind one line. */
function folded(lines: readonly HTMLElement[], isOpen: boolean): HTMLElement[] {
  const result: HTMLElement[] = [];
  let run: HTMLElement[] = [];
  let section = '';
  const close = (): void => {
    const [first] = run;
    if (first !== undefined) {
      const what = `${run.length} ${run.length === 1 ? section.replace(/s$/, '') : section} that the renderer adds`;
      result.push(
        h(
          'span',
          { class: `line fold${isOpen ? ' open' : ''}` },
          '    ',
          h('span', { class: 'fold-mark' }, what),
          '\n',
        ),
        h('span', { class: 'folded', hidden: !isOpen }, ...run),
      );
    }
    run = [];
  };
  let isMetadata = false;
  for (const line of lines) {
    const text = line.textContent ?? '';
    if (/^\S/.test(text)) isMetadata = text.startsWith('metadata:');
    const [, name] = /^ {2}(labels|annotations):$/.exec(text.trimEnd()) ?? [];
    if (name !== undefined) section = name;
    if (isMetadata && ADDED.test(text)) run.push(line);
    else {
      close();
      result.push(line);
    }
  }
  close();
  return result;
}

import { yaml } from '@codemirror/lang-yaml';
import { EditorState } from '@codemirror/state';
import { groupBy } from '../../src/core/model/group-by.ts';
import type { App, ObjectFilter, Panel } from '../app.ts';
import { pathAt } from '../editor/yaml-path.ts';
import type { RenderedObject } from '../engine/protocol.ts';
import { button, download, h } from '../ui/dom.ts';
import { linesOf } from './yaml-lines.ts';

/** The number of objects that are open at first; others are opened on demand. */
const OPEN = 40;

interface Shown {
  readonly element: HTMLDetailsElement;
  readonly text: HTMLElement;
  object: RenderedObject;
  /** The rendered text, or undefined if it was not shown yet. */
  drawn: string | undefined;
}

/** The rendered objects by instance and node. */
export class ObjectsPanel implements Panel {
  readonly id = 'objects';
  readonly title = 'Objects';
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #list = h('div', { class: 'objects' });
  readonly #status = h('p', { class: 'status', role: 'status' });
  readonly #filterBar = h('p', { class: 'filter', hidden: true });
  readonly #shown = new Map<string, Shown>();
  #filter: ObjectFilter = { instance: '', node: '' };
  #structure = '';

  constructor(app: App) {
    this.#app = app;
    const tools = h(
      'div',
      { class: 'tools' },
      this.#status,
      button('Open all', () => this.#toggle(true)),
      button('Close all', () => this.#toggle(false)),
      button('Copy', () => void this.#copy()),
      button('Download', () => download('rendered.yaml', this.#text(), 'application/yaml')),
    );
    this.element = h('div', { class: 'panel' }, tools, this.#filterBar, this.#list);
  }

  filter(filter: ObjectFilter): void {
    this.#filter = filter;
    this.update();
  }

  update(): void {
    const { diagnostics } = this.#app.rendered();
    const failed = diagnostics.some(({ severity }) => severity === 'error');
    const { objects } = this.#app.lastGood();
    const chosen = objects.filter((object) => this.#matches(object));
    this.#status.textContent = statusOf(objects.length, chosen.length, failed);
    this.#list.classList.toggle('stale', failed);
    this.#showFilter();
    this.#drop(objects);
    const structure = JSON.stringify(chosen.map(({ key, instance, node }) => [key, instance, node]));
    for (const object of chosen) this.#draw(object, chosen.length);
    if (structure !== this.#structure) this.#arrange(chosen);
    this.#structure = structure;
  }

  #matches({ instance, node }: RenderedObject): boolean {
    const { instance: wanted, node: only } = this.#filter;
    return (wanted === '' || wanted === instance) && (only === '' || only === node);
  }

  #showFilter(): void {
    const { instance, node } = this.#filter;
    this.#filterBar.hidden = instance === '' && node === '';
    const what = [instance, node === '' ? '' : `node ${node}`].filter((text) => text !== '').join(', ');
    this.#filterBar.replaceChildren(
      `Only ${what} `,
      button('Show all objects', () => this.filter({ instance: '', node: '' })),
    );
  }

  /** Removes state of removed objects. */
  #drop(objects: readonly RenderedObject[]): void {
    const keys = new Set(objects.map(({ key }) => key));
    for (const key of this.#shown.keys()) if (!keys.has(key)) this.#shown.delete(key);
  }

  #draw(object: RenderedObject, count: number): void {
    const shown = this.#shown.get(object.key) ?? this.#create(object, count <= OPEN);
    shown.object = object;
    if (shown.element.open && shown.drawn !== object.yaml) fill(shown);
  }

  #create(object: RenderedObject, open: boolean): Shown {
    const title = [object.kind, object.namespace, object.name].filter((part) => part !== '').join('/');
    const text = h('pre', {
      class: 'yaml',
      tabindex: 0,
      role: 'textbox',
      'aria-readonly': 'true',
      'aria-multiline': 'true',
      'aria-label': `${title} as YAML. Arrow keys choose a field, Enter shows where it comes from`,
    });
    const element = h('details', { class: 'object', open }, h('summary', {}, title), text);
    const shown: Shown = { element, text, object, drawn: undefined };
    element.addEventListener('toggle', () => {
      if (element.open && shown.drawn !== shown.object.yaml) fill(shown);
    });
    text.addEventListener('click', (event) => {
      const line = (event.target as Element).closest('.line');
      if (line !== null && getSelection()?.isCollapsed !== false) this.#choose(shown, line, true);
    });
    text.addEventListener('keydown', (event) => this.#move(shown, event));
    this.#shown.set(object.key, shown);
    return shown;
  }

  #move(shown: Shown, event: KeyboardEvent): void {
    const lines = [...shown.text.children];
    const at = lines.findIndex((line) => line.classList.contains('current'));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    const line =
      event.key === 'Enter'
        ? lines[at]
        : to === undefined
          ? undefined
          : lines[Math.min(Math.max(to, 0), lines.length - 1)];
    if (line === undefined) return;
    event.preventDefault();
    this.#choose(shown, line, event.key === 'Enter');
    line.scrollIntoView({ block: 'nearest' });
  }

  #choose({ text, object }: Shown, line: Element, go: boolean): void {
    for (const other of this.#list.querySelectorAll('.line.current')) other.classList.remove('current');
    line.classList.add('current');
    const index = [...text.children].indexOf(line);
    const state = EditorState.create({ doc: object.yaml, extensions: yaml() });
    const { to } = state.doc.line(index + 1);
    this.#app.explain(object, pathAt(state, to).path, go);
  }

  #arrange(objects: readonly RenderedObject[]): void {
    const groups = groupBy(objects, ({ instance }) => instance);
    const sections = [...groups].map(([instance, own]) => {
      const title = instance === '' ? 'Other objects' : instance;
      const parts: Node[] = [h('h3', {}, title, h('span', { class: 'count' }, ` ${own.length}`))];
      for (const [node, ofNode] of groupBy(own, (object) => object.node)) {
        if (node !== '') parts.push(h('h4', {}, `node ${node}`));
        for (const { key } of ofNode) parts.push(this.#shown.get(key)?.element ?? ('' as unknown as Node));
      }
      return h('section', { 'aria-label': title }, ...parts);
    });
    this.#list.replaceChildren(...sections);
  }

  #toggle(open: boolean): void {
    for (const { element } of this.#shown.values()) element.open = open;
  }

  #text(): string {
    const chosen = this.#app.lastGood().objects.filter((object) => this.#matches(object));
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

const statusOf = (all: number, shown: number, failed: boolean): string => {
  const count = shown === all ? `${all} object${all === 1 ? '' : 's'}` : `${shown} of ${all} objects`;
  return failed ? `${count}, of the last rendering without errors` : count;
};

function fill(shown: Shown): void {
  shown.drawn = shown.object.yaml;
  shown.text.replaceChildren(...linesOf(shown.object.yaml));
}

import { ownValue } from '../../src/core/model/value.ts';
import type { App } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import type { GraphNode, GraphPicture, Graphs, Size } from '../engine/protocol.ts';
import { scaleOf } from '../engine/scale.ts';
import { sideOf } from '../state/story.ts';
import { choice } from '../ui/choice.ts';
import { button, emptyState, h, s } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { Minimap } from './minimap.ts';

const LINE = 16;
const MARGIN = 16;
const TITLE = 28;
/** The smallest scale of a graph that is shown first: a larger one is read in parts. */
const SMALLEST = 0.45;
/** More nodes have a map. */
const MANY = 40;
const LEGEND = [
  ['included', 'included'],
  ['skipped', 'skipped'],
  ['pending', 'pending'],
  ['failed', 'failed'],
] as const;

/** Where a picture is on the canvas. */
interface Block {
  readonly picture: GraphPicture;
  readonly x: number;
  readonly y: number;
}

/** A node on the canvas, with its left upper corner. */
interface Place {
  readonly node: GraphNode;
  readonly element: SVGElement;
  readonly x: number;
  readonly y: number;
}

/** Reports whether a text has an object with an address, `KIND/NAMESPACE/NAME` or `KIND/NAME`. */
function isIn(text: string, address: string): boolean {
  const [kind = '', ...names] = address.split('/');
  return text.includes(`kind: ${kind}\n`) && new RegExp(`\\bname: ["']?${names.at(-1)}["']?\\s*[,}\\n]`).test(text);
}

/** Draws the graph of an instance, with the states of its nodes. It fits the view, zooms and pans. */
export class GraphPanel {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #choice = choice('Instance', () => {
    this.#isChosen = true;
    this.update();
  });
  /** Whether the user chose an instance; otherwise it is one of the shown file. */
  #isChosen = false;
  readonly #body = h('div', { class: 'graph' });
  readonly #details = h('div', { class: 'graph-details', hidden: true });
  readonly #zoomed = h('span', { class: 'sr', role: 'status' });
  readonly #search = h('input', {
    type: 'search',
    class: 'node-search',
    placeholder: 'Filter nodes',
    'aria-label': 'Filter nodes',
    on: {
      input: () => this.#mark(),
      keydown: (event) => (event as KeyboardEvent).key === 'Enter' && this.#goToFound(),
    },
  });
  readonly #map = new Minimap((x, y) => this.#centre(x, y));
  /** The nodes on the canvas, with their element. */
  #places: readonly Place[] = [];
  #svg: SVGElement | undefined;
  #size = { width: 1, height: 1 };
  /** The visible part: its left upper corner, and pixels for each unit. */
  #view = { x: 0, y: 0, scale: 1 };
  #isFitted = true;
  #drawn = '';
  #graphs: Graphs | undefined;
  #chosen = '';

  constructor(app: App) {
    this.#app = app;
    const legend = h(
      'p',
      { class: 'legend' },
      ...LEGEND.map(([outcome, title]) => h('span', { class: `outcome ${outcome}` }, title)),
    );
    const tools = h(
      'div',
      { class: 'tools' },
      this.#choice.element,
      this.#search,
      legend,
      this.#zoomed,
      button('−', () => this.#zoom(1 / 1.25), { class: 'plain', 'aria-label': 'Zoom out', title: 'Zoom out' }),
      button('+', () => this.#zoom(1.25), { class: 'plain', 'aria-label': 'Zoom in', title: 'Zoom in' }),
      h(
        'button',
        {
          type: 'button',
          class: 'plain',
          'aria-label': 'Fit the view',
          title: 'Fit the view',
          on: { click: () => this.#fit(0) },
        },
        icon('fit'),
      ),
    );
    this.element = h('div', { class: 'panel graph-panel' }, tools, this.#body, this.#map.element, this.#details);
    this.#listen();
    new ResizeObserver(() => this.#isFitted && this.#arrange()).observe(this.#body);
  }

  update(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    try {
      const { engine, workspace } = this.#app;
      const panel = this.#panel();
      const graphs = await engine.ask('graph', workspace.package, this.#choice.value, panel);
      const own = graphs.instances.find((address) => isIn(workspace.file(workspace.active)?.text ?? '', address));
      const drawn = this.#choice.value === '' ? graphs.instances[0] : this.#choice.value;
      const isOther = !this.#isChosen && own !== undefined && own !== drawn;
      this.#show(isOther ? await engine.ask('graph', workspace.package, own, panel) : graphs);
      if (isOther) this.#choice.value = own;
    } catch (error) {
      if (!(error instanceof Superseded)) this.#body.replaceChildren(h('p', {}, (error as Error).message));
    }
  }

  #show(graphs: Graphs): void {
    const { instances, pictures, diagnostics } = graphs;
    this.#choice.offer(instances.map((address) => [address, address]));
    this.#graphs = graphs;
    if (pictures.length === 0) {
      this.#svg = undefined;
      this.#drawn = '';
      this.#places = [];
      this.#map.show([], this.#size);
      this.#body.replaceChildren(this.#nothing(diagnostics[0]?.message));
      return;
    }
    const structure = JSON.stringify(
      pictures.map(({ name, nodes }) => [name, nodes.map(({ id, lines }) => [id, lines])]),
    );
    if (structure !== this.#drawn) this.#isFitted = true;
    this.#drawn = structure;
    this.#arrange();
  }

  #nothing(fault: string | undefined): HTMLElement {
    if (fault !== undefined) return emptyState(fault, 'Show the problems', () => this.#app.showProblems());
    return emptyState('There is no RGD to draw.', 'Open an example', () => this.#app.goTo('#example=collections'));
  }

  /** Returns the size that graphs can take; a panel that is hidden has none yet. */
  #panel(): Size {
    const { width, height } = this.#body.getBoundingClientRect();
    return { width: Math.max(1, width - 2 * MARGIN), height: Math.max(1, height - 2 * MARGIN - TITLE) };
  }

  /** Draws the pictures in the order that fits the panel best. */
  #arrange(): void {
    const { width } = this.#body.getBoundingClientRect();
    const pictures = this.#graphs?.pictures ?? [];
    if (width === 0 || pictures.length === 0) return;
    const panel = this.#panel();
    const row = blocksOf(pictures, true);
    const column = blocksOf(pictures, false);
    const { blocks, size } = scaleOf(row.size, panel) > scaleOf(column.size, panel) ? row : column;
    this.#size = size;
    const focused = this.#svg?.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-node')
      : null;
    this.#places = [];
    this.#svg = s(
      'svg',
      { role: 'group', 'aria-label': 'Graph. Plus and minus zoom, 0 fits it, arrow keys move it', tabindex: 0 },
      arrowHead(),
      ...blocks.map((block) => this.#picture(block)),
    );
    this.#body.replaceChildren(this.#svg);
    if (focused) this.#svg.querySelector<SVGElement>(`[data-node="${CSS.escape(focused)}"]`)?.focus();
    this.#map.show(this.#places.length > MANY ? this.#places : [], this.#size);
    if (this.#isFitted) this.#fit(SMALLEST);
    else this.#apply();
    this.#mark();
    this.#showDetails();
  }

  #picture({ picture: { name, title, nodes, arrows }, x, y }: Block): SVGElement {
    const drawn = nodes.map((node) => this.#node(name, node));
    const places = nodes.map((node, index) => ({
      node,
      element: drawn[index] as SVGElement,
      x: x + node.x,
      y: y + TITLE + node.y,
    }));
    this.#places = [...this.#places, ...places];
    return s(
      'g',
      { transform: `translate(${x} ${y})`, role: 'group', 'aria-label': `Graph of ${name} (${title})` },
      s('text', { class: 'graph-title', x: 0, y: 14 }, `${name} (${title})`),
      s(
        'g',
        { transform: `translate(0 ${TITLE})` },
        ...arrows.map((points) =>
          s('path', { class: 'arrow', 'marker-end': 'url(#arrow-head)', d: lineThrough(points) }),
        ),
        ...drawn,
      ),
    );
  }

  #node(definition: string, node: GraphNode): SVGElement {
    const { id, lines, outcome, conditions, x, y, width, height } = node;
    const key = `${definition}/${id}`;
    const choose = (): void => this.#choose(definition, id);
    const notes = conditions.map((condition) => `if ${condition}`);
    return s(
      'g',
      {
        class: `${outcome}${key === this.#chosen ? ' chosen' : ''}`,
        role: 'button',
        tabindex: 0,
        'data-node': key,
        'aria-label': [lines.join(' '), outcome, ...notes].filter((text) => text !== '').join(', '),
        on: {
          click: choose,
          keydown: (event) => {
            if (!['Enter', ' '].includes((event as KeyboardEvent).key)) return;
            event.preventDefault();
            choose();
          },
        },
      },
      s('title', {}, [...lines, ...notes].join('\n')),
      ...(node.collection ? [boxOf(node, x + 4, y + 4)] : []),
      boxOf(node, x, y),
      ...lines.map((line, index) =>
        s(
          'text',
          {
            'text-anchor': 'middle',
            class: index === 0 ? 'node-id' : undefined,
            x: x + width / 2,
            y: y + (height - lines.length * LINE) / 2 + 12 + index * LINE,
          },
          `${line} `,
        ),
      ),
    );
  }

  /** Shows the text of a node in the editor, and its objects below the graph. */
  #choose(definition: string, id: string): void {
    this.#chosen = `${definition}/${id}`;
    for (const node of this.#svg?.querySelectorAll('[data-node]') ?? [])
      node.classList.toggle('chosen', node.getAttribute('data-node') === this.#chosen);
    this.#app.point(nodePlace(this.#app, definition, id));
    this.#showDetails();
  }

  #showDetails(): void {
    const [definition = '', id = ''] = this.#chosen.split('/');
    const picture = this.#graphs?.pictures.find(({ name }) => name === definition);
    const node = picture?.nodes.find((one) => one.id === id);
    this.#details.hidden = node === undefined;
    if (picture === undefined || node === undefined) return;
    const { instances } = picture;
    const own = this.#app
      .shown()
      .objects.filter((object) => object.definition === definition && object.node === id)
      .filter(({ address }) => instances.length === 0 || instances.includes(address));
    const place = nodePlace(this.#app, definition, id);
    this.#details.replaceChildren(
      h('b', {}, id),
      h('span', { class: `outcome ${node.outcome}` }, node.outcome),
      ...node.conditions.map((condition) => h('code', {}, `if ${condition}`)),
      ...(place === undefined ? [] : [button('Show its text', () => this.#app.reveal(place))]),
      own.length === 0
        ? h('span', { class: 'faint' }, 'It renders no object.')
        : button(`Show ${own.length} object${own.length === 1 ? '' : 's'}`, () =>
            this.#app.showObjects({ instances, node: id }),
          ),
      h(
        'span',
        { class: 'faint' },
        own
          .map(({ name }) => name)
          .slice(0, 6)
          .join(', '),
        own.length > 6 ? ', ...' : '',
      ),
    );
  }

  #found(): Place[] {
    const wanted = this.#search.value.trim().toLowerCase();
    if (wanted === '') return [];
    return this.#places.filter(({ node }) => node.lines.join(' ').toLowerCase().includes(wanted));
  }

  /** Fades the nodes that the filter does not name. */
  #mark(): void {
    const found = new Set(this.#found());
    const isFiltered = this.#search.value.trim() !== '';
    this.#svg?.classList.toggle('filtered', isFiltered);
    for (const place of this.#places) place.element.classList.toggle('found', found.has(place));
  }

  #goToFound(): void {
    const [first] = this.#found();
    if (first === undefined) return;
    this.#centre(first.x + first.node.width / 2, first.y + first.node.height / 2);
    first.element.focus();
  }

  /** Shows a point of the canvas in the middle. */
  #centre(x: number, y: number): void {
    const { width, height } = this.#body.getBoundingClientRect();
    const { scale } = this.#view;
    this.#view = { scale, x: x - width / scale / 2, y: y - height / scale / 2 };
    this.#isFitted = false;
    this.#apply();
  }

  #listen(): void {
    this.#body.addEventListener(
      'wheel',
      (event) => {
        if (this.#svg === undefined) return;
        event.preventDefault();
        if (event.ctrlKey || event.metaKey) return this.#zoom(Math.exp(-event.deltaY / 300), event);
        this.#pan(event.deltaX / this.#view.scale, event.deltaY / this.#view.scale);
      },
      { passive: false },
    );
    this.#body.addEventListener('keydown', (event) => {
      if (event.target !== this.#svg) return;
      const by = ownValue(
        { ArrowLeft: [-40, 0], ArrowRight: [40, 0], ArrowUp: [0, -40], ArrowDown: [0, 40] },
        event.key,
      );
      if (by !== undefined) this.#pan((by[0] ?? 0) / this.#view.scale, (by[1] ?? 0) / this.#view.scale);
      else if (event.key === '+' || event.key === '=') this.#zoom(1.25);
      else if (event.key === '-') this.#zoom(1 / 1.25);
      else if (event.key === '0') this.#fit();
      else return;
      event.preventDefault();
    });
    let last: PointerEvent | undefined;
    this.#body.addEventListener('pointerdown', (event) => {
      if (event.button === 0 && (event.target as Element).closest('[data-node]') === null) last = event;
    });
    this.#body.addEventListener('pointermove', (event) => {
      if (last === undefined || event.buttons === 0) {
        last = undefined;
        return;
      }
      this.#pan((last.clientX - event.clientX) / this.#view.scale, (last.clientY - event.clientY) / this.#view.scale);
      last = event;
    });
  }

  /** Fits the whole graph, or its beginning at the smallest scale. */
  #fit(smallest = 0): void {
    const { width, height } = this.#body.getBoundingClientRect();
    const canvas = { width: this.#size.width + 2 * MARGIN, height: this.#size.height + 2 * MARGIN };
    const scale = Math.max(smallest, scaleOf(canvas, { width, height }));
    const middle = (this.#size.width - width / scale) / 2;
    this.#view = {
      scale,
      x: canvas.width * scale > width ? -MARGIN : middle,
      y: Math.min((this.#size.height - height / scale) / 2, -MARGIN),
    };
    this.#isFitted = true;
    this.#apply();
  }

  #pan(x: number, y: number): void {
    this.#view = { ...this.#view, x: this.#view.x + x, y: this.#view.y + y };
    this.#isFitted = false;
    this.#apply();
  }

  /** Zooms around a point of the page, or the middle. */
  #zoom(factor: number, around?: { readonly clientX: number; readonly clientY: number }): void {
    const bounds = this.#body.getBoundingClientRect();
    const [left, top] =
      around === undefined
        ? [bounds.width / 2, bounds.height / 2]
        : [around.clientX - bounds.left, around.clientY - bounds.top];
    const scale = Math.min(4, Math.max(0.05, this.#view.scale * factor));
    const { x, y } = this.#view;
    this.#view = { scale, x: x + left / this.#view.scale - left / scale, y: y + top / this.#view.scale - top / scale };
    this.#isFitted = false;
    this.#apply();
  }

  #apply(): void {
    const { width, height } = this.#body.getBoundingClientRect();
    const { x, y, scale } = this.#view;
    this.#svg?.setAttribute('viewBox', `${x} ${y} ${width / scale} ${height / scale}`);
    this.#map.move({ x, y, width: width / scale, height: height / scale });
    this.#zoomed.textContent = `${Math.round(scale * 100)} %`;
  }
}

/** Places pictures side by side or below each other. */
function blocksOf(
  pictures: readonly GraphPicture[],
  isRow: boolean,
): { readonly blocks: Block[]; readonly size: Size } {
  const blocks: Block[] = [];
  let x = 0;
  let y = 0;
  let width = 0;
  let height = 0;
  for (const picture of pictures) {
    const titled = Math.max(picture.width, 7.5 * (picture.name.length + picture.title.length + 3));
    blocks.push({ picture, x, y });
    width = Math.max(width, x + titled);
    height = Math.max(height, y + picture.height + TITLE);
    if (isRow) x += titled + 48;
    else y += picture.height + TITLE + 32;
  }
  return { blocks, size: { width, height } };
}

const lineThrough = (points: GraphPicture['arrows'][number]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** Returns where the text of a node starts. */
function nodePlace(
  { workspace }: App,
  definition: string,
  id: string,
): { file: string; line: number; column: number } | undefined {
  const named = new RegExp(`^ {2}name:\\s*["']?${definition}["']?\\s*$`, 'm');
  const files = workspace.files.filter((file) => sideOf(file) === 'definition');
  const file = files.find(({ text }) => named.test(text)) ?? files[0];
  if (file === undefined) return undefined;
  const from = named.exec(file.text)?.index ?? 0;
  const lines = file.text.split('\n');
  const start = file.text.slice(0, from).split('\n').length - 1;
  const at = lines.findIndex(
    (line, index) => index >= start && new RegExp(`^\\s*(?:- )?\\s*id:\\s*["']?${id}\\b`).test(line),
  );
  return at < 0 ? undefined : { file: file.name, line: at + 1, column: (lines[at]?.search(/\S/) ?? 0) + 1 };
}

const boxOf = ({ width, height, external }: GraphNode, x: number, y: number): SVGElement =>
  s('rect', { class: 'box', x, y, width, height, rx: external ? height / 2 : 6 });

const arrowHead = (): SVGElement =>
  s(
    'defs',
    {},
    s(
      'marker',
      { id: 'arrow-head', viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
      s('path', { class: 'head', d: 'M0 0L8 4L0 8z' }),
    ),
  );

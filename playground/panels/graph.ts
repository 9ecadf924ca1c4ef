import { ownValue } from '../../src/core/model/value.ts';
import type { App } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import type { GraphNode, GraphPicture, Graphs } from '../engine/protocol.ts';
import { sideOf } from '../state/story.ts';
import { choice } from '../ui/choice.ts';
import { button, h, s } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { type Placed, placed, scaleOf } from './graph-layout.ts';

const LINE = 16;
const MARGIN = 16;
const TITLE = 28;
const LEGEND = [
  ['included', 'included'],
  ['skipped', 'skipped'],
  ['pending', 'pending'],
  ['failed', 'failed'],
] as const;

/** Where a picture is on the canvas. */
interface Block {
  readonly picture: GraphPicture;
  readonly layout: Placed;
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
  readonly #zoomed = h('span', { class: 'faint', role: 'status' });
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
      legend,
      this.#zoomed,
      button('−', () => this.#zoom(1 / 1.25), { 'aria-label': 'Zoom out', title: 'Zoom out' }),
      button('+', () => this.#zoom(1.25), { 'aria-label': 'Zoom in', title: 'Zoom in' }),
      h(
        'button',
        { type: 'button', 'aria-label': 'Fit the view', title: 'Fit the view', on: { click: () => this.#fit() } },
        icon('fit'),
      ),
    );
    this.element = h('div', { class: 'panel graph-panel' }, tools, this.#body, this.#details);
    this.#listen();
    new ResizeObserver(() => this.#isFitted && this.#arrange()).observe(this.#body);
  }

  update(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    try {
      const { engine, workspace } = this.#app;
      const graphs = await engine.ask('graph', workspace.package, this.#choice.value);
      const own = graphs.instances.find((address) => isIn(workspace.file(workspace.active)?.text ?? '', address));
      const drawn = this.#choice.value === '' ? graphs.instances[0] : this.#choice.value;
      const isOther = !this.#isChosen && own !== undefined && own !== drawn;
      this.#show(isOther ? await engine.ask('graph', workspace.package, own) : graphs);
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
      this.#body.replaceChildren(h('p', { class: 'faint' }, diagnostics[0]?.message ?? 'There is no RGD to draw.'));
      return;
    }
    const structure = JSON.stringify(
      pictures.map(({ name, nodes }) => [name, nodes.map(({ id, lines }) => [id, lines])]),
    );
    if (structure !== this.#drawn) this.#isFitted = true;
    this.#drawn = structure;
    this.#arrange();
  }

  /** Draws the pictures in the order that fits the panel best. */
  #arrange(): void {
    const { width, height } = this.#body.getBoundingClientRect();
    const pictures = this.#graphs?.pictures ?? [];
    if (width === 0 || pictures.length === 0) return;
    const panel = { width: width - 2 * MARGIN, height: height - 2 * MARGIN };
    const options = [true, false].map((isRow) => blocksOf(pictures, panel, isRow));
    const [row, column] = options as [ReturnType<typeof blocksOf>, ReturnType<typeof blocksOf>];
    const { blocks, size } = scaleOf(row.size, panel) > scaleOf(column.size, panel) ? row : column;
    this.#size = size;
    const focused = this.#svg?.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-node')
      : null;
    this.#svg = s(
      'svg',
      { role: 'group', 'aria-label': 'Graph. Plus and minus zoom, 0 fits it, arrow keys move it', tabindex: 0 },
      arrowHead(),
      ...blocks.map((block) => this.#picture(block)),
    );
    this.#body.replaceChildren(this.#svg);
    if (focused) this.#svg.querySelector<SVGElement>(`[data-node="${CSS.escape(focused)}"]`)?.focus();
    if (this.#isFitted) this.#fit();
    else this.#apply();
    this.#showDetails();
  }

  #picture({ picture: { name, title, nodes }, layout, x, y }: Block): SVGElement {
    const order = new Map(nodes.map((node, index) => [node, index]));
    const inOrder = [...layout.nodes].sort((a, b) => (order.get(a.node) ?? 0) - (order.get(b.node) ?? 0));
    return s(
      'g',
      { transform: `translate(${x} ${y})`, role: 'group', 'aria-label': `Graph of ${name} (${title})` },
      s('text', { class: 'graph-title', x: 0, y: 14 }, `${name} (${title})`),
      s(
        'g',
        { transform: `translate(0 ${TITLE})` },
        ...layout.arrows.map((d) => s('path', { class: 'arrow', 'marker-end': 'url(#arrow-head)', d })),
        ...inOrder.map((place) => this.#node(name, place)),
      ),
    );
  }

  #node(definition: string, { node, x, y }: Placed['nodes'][number]): SVGElement {
    const { id, lines, outcome, conditions, width, height } = node;
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
    const node = this.#graphs?.pictures.find(({ name }) => name === definition)?.nodes.find((one) => one.id === id);
    this.#details.hidden = node === undefined;
    if (node === undefined) return;
    const own = this.#app.shown().objects.filter((object) => object.definition === definition && object.node === id);
    const place = nodePlace(this.#app, definition, id);
    this.#details.replaceChildren(
      h('b', {}, id),
      h('span', { class: `outcome ${node.outcome}` }, node.outcome),
      ...node.conditions.map((condition) => h('code', {}, `if ${condition}`)),
      ...(place === undefined ? [] : [button('Show its text', () => this.#app.reveal(place))]),
      own.length === 0
        ? h('span', { class: 'faint' }, 'It renders no object.')
        : button(`Show ${own.length} object${own.length === 1 ? '' : 's'}`, () =>
            this.#app.showObjects({ instance: '', node: id }),
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

  #fit(): void {
    const { width, height } = this.#body.getBoundingClientRect();
    const scale = scaleOf(
      { width: this.#size.width + 2 * MARGIN, height: this.#size.height + 2 * MARGIN },
      { width, height },
    );
    this.#view = {
      scale,
      x: (this.#size.width - width / scale) / 2,
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
    this.#zoomed.textContent = `${Math.round(scale * 100)} %`;
  }
}

/** Places pictures side by side or below each other. */
function blocksOf(
  pictures: readonly GraphPicture[],
  panel: { readonly width: number; readonly height: number },
  isRow: boolean,
): { readonly blocks: Block[]; readonly size: { readonly width: number; readonly height: number } } {
  const blocks: Block[] = [];
  let [x, y, width, height] = [0, 0, 0, 0];
  const share = isRow
    ? { ...panel, width: panel.width / pictures.length }
    : { ...panel, height: panel.height / pictures.length };
  for (const picture of pictures) {
    const layout = placed(picture, { width: share.width, height: share.height - TITLE });
    const titled = Math.max(layout.width, 7.5 * (picture.name.length + picture.title.length + 3));
    blocks.push({ picture, layout, x, y });
    width = Math.max(width, x + titled);
    height = Math.max(height, y + layout.height + TITLE);
    if (isRow) x += titled + 48;
    else y += layout.height + TITLE + 32;
  }
  return { blocks, size: { width, height } };
}

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

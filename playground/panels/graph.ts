import type { App, Panel } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import type { GraphNode, GraphPicture, Graphs } from '../engine/protocol.ts';
import { h, s } from '../ui/dom.ts';

const LINE = 16;
const MARGIN = 12;
const LEGEND =
  'Green: included. Dashed: skipped. Yellow: pending. Red: failed. Enter or a click shows the objects of a node.';

/** Draws the graph of an instance, with the states of its nodes. */
export class GraphPanel implements Panel {
  readonly id = 'graph';
  readonly title = 'Graph';
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #choice = h('select', { 'aria-label': 'Instance', on: { change: () => this.update() } });
  readonly #graphs = h('div', { class: 'graph' });

  constructor(app: App) {
    this.#app = app;
    const tools = h('div', { class: 'tools' }, this.#choice);
    this.element = h('div', { class: 'panel' }, tools, h('p', { class: 'legend' }, LEGEND), this.#graphs);
  }

  update(): void {
    void this.#draw();
  }

  async #draw(): Promise<void> {
    try {
      this.#show(await this.#app.engine.ask('graph', this.#app.workspace.package, this.#choice.value));
    } catch (error) {
      if (!(error instanceof Superseded)) this.#graphs.replaceChildren(h('p', {}, (error as Error).message));
    }
  }

  #show({ instances, pictures, diagnostics }: Graphs): void {
    const chosen = this.#choice.value;
    this.#choice.replaceChildren(...instances.map((address) => h('option', { value: address }, address)));
    this.#choice.value = instances.includes(chosen) ? chosen : (instances[0] ?? '');
    this.#choice.hidden = instances.length === 0;
    if (pictures.length > 0) this.#graphs.replaceChildren(...pictures.map((picture) => this.#picture(picture)));
    else
      this.#graphs.replaceChildren(h('p', { class: 'faint' }, diagnostics[0]?.message ?? 'There is no RGD to draw.'));
  }

  #picture({ name, title, nodes, arrows, width, height }: GraphPicture): HTMLElement {
    const svg = s(
      'svg',
      {
        viewBox: `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`,
        width: width + 2 * MARGIN,
        height: height + 2 * MARGIN,
        role: 'group',
        'aria-label': `Graph of ${name} (${title})`,
      },
      arrowHead(),
      ...arrows.map((points) => s('path', { class: 'arrow', 'marker-end': 'url(#arrow-head)', d: pathOf(points) })),
      ...nodes.map((node) => this.#node(node)),
    );
    return h('section', {}, h('h3', {}, `${name} (${title})`), svg as unknown as HTMLElement);
  }

  #node(node: GraphNode): SVGElement {
    const { id, lines, outcome, conditions, x, y, width } = node;
    const show = (): void => this.#app.showObjects({ instance: '', node: id });
    const notes = conditions.map((condition) => `if ${condition}`);
    return s(
      'g',
      {
        class: outcome,
        role: 'button',
        tabindex: 0,
        'aria-label': [lines.join(' '), outcome, ...notes].filter((text) => text !== '').join(', '),
        on: {
          click: show,
          keydown: (event) => {
            if (!['Enter', ' '].includes((event as KeyboardEvent).key)) return;
            event.preventDefault();
            show();
          },
        },
      },
      s('title', {}, [...lines, ...notes].join('\n')),
      ...(node.collection ? [boxOf(node, 4)] : []),
      boxOf(node, 0),
      ...lines.map((line, index) =>
        s('text', { 'text-anchor': 'middle', x: x + width / 2, y: y + 20 + index * LINE }, `${line} `),
      ),
    );
  }
}

const boxOf = ({ x, y, width, height, external }: GraphNode, by: number): SVGElement =>
  s('rect', { class: 'box', x: x + by, y: y + by, width, height, rx: external ? height / 2 : 5 });

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

const pathOf = (points: readonly { readonly x: number; readonly y: number }[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

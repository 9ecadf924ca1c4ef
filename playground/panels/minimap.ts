import type { GraphNode, Size } from '../engine/protocol.ts';
import { h, s } from '../ui/dom.ts';

/** The size of the map in pixels. */
const MAP: Size = { width: 160, height: 110 };

interface Place {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
}

/** A small map of a large graph, with the part that is visible. A click moves the graph there. */
export class Minimap {
  readonly element = h('div', { class: 'minimap', hidden: true, 'aria-hidden': 'true' });
  readonly #visible = s('rect', { class: 'visible' });
  readonly #go: (x: number, y: number) => void;
  #svg: SVGElement | undefined;

  constructor(go: (x: number, y: number) => void) {
    this.#go = go;
    this.element.addEventListener('pointerdown', (event) => this.#take(event));
    this.element.addEventListener('pointermove', (event) => event.buttons !== 0 && this.#take(event));
  }

  /** Draws the nodes of a canvas; without nodes there is no map. */
  show(places: readonly Place[], { width, height }: Size): void {
    this.element.hidden = places.length === 0;
    if (places.length === 0) return;
    const boxes = places.map(({ node, x, y }) =>
      s('rect', { class: node.outcome, x, y, width: node.width, height: node.height }),
    );
    this.#svg = s(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, width: MAP.width, height: MAP.height },
      ...boxes,
      this.#visible,
    );
    this.element.replaceChildren(this.#svg);
  }

  /** Marks the visible part of the canvas. */
  move(part: Size & { readonly x: number; readonly y: number }): void {
    for (const [name, value] of Object.entries(part)) this.#visible.setAttribute(name, String(value));
  }

  #take({ clientX, clientY }: PointerEvent): void {
    const matrix = (this.#svg as SVGSVGElement | undefined)?.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    this.#go(x, y);
  }
}

import type { App } from '../app.ts';
import { offsetOf } from '../editor/editor.ts';
import { setOrigins } from '../editor/origins.ts';
import type { Located, OriginStep } from '../engine/protocol.ts';
import { s } from './dom.ts';

interface Point {
  readonly x: number;
  readonly y: number;
  /** Whether the place itself is out of sight: the line ends at the edge. */
  readonly isHidden: boolean;
}

/** Draws a line from a rendered field to each place that its value comes from. */
export class Threads {
  readonly #app: App;
  readonly #svg = s('svg', { class: 'threads', 'aria-hidden': 'true' });
  #row: HTMLElement | undefined;
  #steps: readonly OriginStep[] = [];
  #frame = 0;

  constructor(app: App) {
    this.#app = app;
    document.body.append(this.#svg);
    const redraw = (): void => this.redraw();
    addEventListener('scroll', redraw, { capture: true, passive: true });
    addEventListener('resize', redraw);
    addEventListener('pointermove', ({ buttons }) => buttons > 0 && redraw(), { passive: true });
    new ResizeObserver(redraw).observe(document.querySelector('main') ?? document.body);
  }

  get isShown(): boolean {
    return this.#row?.isConnected === true && this.#steps.length > 0;
  }

  show(row: HTMLElement | undefined, steps: readonly OriginStep[]): void {
    this.#row?.classList.remove('traced');
    this.#row = row;
    this.#row?.classList.add('traced');
    this.#steps = steps;
    const places = steps.flatMap(({ place }) => (place === undefined ? [] : [place]));
    for (const { name, view } of this.#app.editor.panes) {
      const own = places.filter(({ file }) => file === name);
      view.dispatch({ effects: setOrigins.of(own.map(({ line, column }) => offsetOf(view.state.doc, line, column))) });
    }
    this.redraw();
  }

  clear(): void {
    if (this.#steps.length > 0) this.show(undefined, []);
  }

  redraw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const start = this.#row === undefined ? undefined : pointOfRow(this.#row);
    this.#svg.replaceChildren();
    if (start === undefined) return;
    const drawn: Element[] = [dot(start, 0)];
    /** The last point of each depth: a deeper step starts at the one above it. */
    const above: (Point | undefined)[] = [start];
    for (const { depth, place } of this.#steps) {
      const from: Point = above.slice(0, depth + 1).findLast((point) => point !== undefined) ?? start;
      const to = place === undefined ? undefined : this.#pointOf(place);
      above.length = depth + 1;
      above[depth + 1] = to;
      if (to === undefined || (Math.abs(to.y - from.y) < 3 && from !== start)) continue;
      drawn.push(curve(from, to, from === start ? 0 : 1), dot(to, from === start ? 0 : 1));
    }
    if (drawn.length > 1) this.#svg.append(...drawn);
  }

  #pointOf({ file, line, column }: Located): Point | undefined {
    const pane = this.#app.editor.panes.find(({ name }) => name === file);
    if (pane === undefined) return tabPoint(file);
    const { view } = pane;
    const bounds = view.scrollDOM.getBoundingClientRect();
    if (bounds.width === 0) return undefined;
    const at = offsetOf(view.state.doc, line, column);
    const block = view.lineBlockAt(at);
    const middle = view.documentTop + block.top + Math.min(block.height, view.defaultLineHeight) / 2;
    const y = Math.min(Math.max(middle, bounds.top + 2), bounds.bottom - 2);
    const end = view.coordsAtPos(view.state.doc.lineAt(at).to)?.right ?? bounds.left + bounds.width / 2;
    return { x: Math.min(end + 10, bounds.right - 14), y, isHidden: y !== middle };
  }
}

function pointOfRow(row: HTMLElement): Point | undefined {
  const bounds = row.getBoundingClientRect();
  const panel = row.closest('.panel')?.getBoundingClientRect();
  if (panel === undefined || bounds.height === 0 || panel.width === 0) return undefined;
  const middle = bounds.top + bounds.height / 2;
  // The tools stay at the top of the panel.
  const y = Math.min(Math.max(middle, panel.top + 40), panel.bottom - 2);
  return { x: Math.max(bounds.left, panel.left) + 5, y, isHidden: y !== middle };
}

/** The tab of a file that no editor shows. */
function tabPoint(file: string): Point | undefined {
  const bounds = document.querySelector(`.file-tabs [data-name="${CSS.escape(file)}"]`)?.getBoundingClientRect();
  if (bounds === undefined || bounds.height === 0) return undefined;
  return { x: bounds.left + bounds.width / 2, y: bounds.bottom - 3, isHidden: false };
}

function curve(from: Point, to: Point, depth: number): Element {
  // Between two places of the left half the line swings to the right.
  const bend = Math.max(36, Math.abs(from.x - to.x) / 2);
  const [one, two] = depth === 0 ? [from.x - bend, to.x + bend] : [from.x + bend, to.x + bend];
  const hidden = from.isHidden || to.isHidden ? ' hidden' : '';
  const d = `M${from.x} ${from.y}C${one} ${from.y} ${two} ${to.y} ${to.x} ${to.y}`;
  return s('path', { class: `thread depth-${depth}${hidden}`, d });
}

const dot = ({ x, y, isHidden }: Point, depth: number): Element =>
  s('circle', { class: `knot depth-${depth}${isHidden ? ' hidden' : ''}`, cx: x, cy: y, r: 3.5 });

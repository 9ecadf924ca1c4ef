import type { App } from '../app.ts';
import { offsetOf } from '../editor/offset.ts';
import { setOrigins } from '../editor/origins.ts';
import type { Located, OriginStep } from '../engine/protocol.ts';
import { s } from './dom.ts';

interface Point {
  readonly x: number;
  readonly y: number;
  /** Whether the place itself is out of sight: the line ends at the edge. */
  readonly isHidden: boolean;
  /** The text of its line. */
  readonly text: string;
}

/** The number of colours of steps; later ones have the last colour. */
const COLOURS = 4;
/** The colour of a step. */
const depthOf = (step: number): number => Math.min(step, COLOURS - 1);
/** The longest value that a line shows, and the width of a letter of it. */
const LONGEST = 32;
const LETTER = 6.7;

/**
 * Draws a line from a rendered field to each place that its value comes from. A line runs along the rows of its ends and
 * between the halves of the page, so that it never covers text.
 */
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
    for (const { name, view } of this.#app.editor.panes) {
      const lines = steps.flatMap(({ place }, step) => {
        if (place?.file !== name) return [];
        return [{ at: offsetOf(view.state.doc, place.line, place.column), depth: depthOf(step) }];
      });
      view.dispatch({ effects: setOrigins.of(lines) });
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
    const gutter = document.querySelector('#view-files > .splitter.x')?.getBoundingClientRect();
    if (start === undefined || gutter === undefined || gutter.width === 0) return;
    const lines: Element[] = [];
    const marks: Element[] = [];
    for (const [step, { place, value }] of this.#steps.entries()) {
      const to = place === undefined ? undefined : this.#pointOf(place);
      if (to === undefined) continue;
      const depth = depthOf(step);
      // Each step has a lane of its own between the halves.
      const lane = gutter.left + 2 + (depth * (gutter.width - 4)) / (COLOURS - 1);
      const hidden = to.isHidden || start.isHidden ? ' hidden' : '';
      lines.push(s('path', { class: `thread depth-${depth}${hidden}`, d: throughGutter(start, to, lane) }));
      marks.push(knot(to, depth));
      const shown = value ?? (step === 0 ? this.#row?.querySelector('.value')?.textContent?.trim() : undefined);
      if (shown !== undefined && !to.isHidden && !to.text.includes(shown.replace(/^"|"$/g, '')))
        marks.push(...valueLabel(shown, to, lane, depth));
    }
    if (lines.length > 0) this.#svg.append(...lines.reverse(), ...marks, knot(start, 0));
  }

  #pointOf({ file, line, column }: Located): Point | undefined {
    const pane = this.#app.editor.panes.find(({ name }) => name === file);
    // The line of a file that no editor shows has no place.
    if (pane === undefined) return undefined;
    const { view } = pane;
    const bounds = view.scrollDOM.getBoundingClientRect();
    if (bounds.width === 0) return undefined;
    const at = offsetOf(view.state.doc, line, column);
    const block = view.lineBlockAt(at);
    const middle = view.documentTop + block.top + Math.min(block.height, view.defaultLineHeight) / 2;
    const y = Math.min(Math.max(middle, bounds.top + 2), bounds.bottom - 2);
    const end = view.coordsAtPos(view.state.doc.lineAt(at).to)?.right ?? bounds.left + bounds.width / 2;
    const { text } = view.state.doc.lineAt(at);
    return { x: Math.min(end + 10, bounds.right - 14), y, isHidden: y !== middle, text };
  }
}

function pointOfRow(row: HTMLElement): Point | undefined {
  const bounds = row.getBoundingClientRect();
  const panel = row.closest('.panel')?.getBoundingClientRect();
  if (panel === undefined || bounds.height === 0 || panel.width === 0) return undefined;
  const middle = bounds.top + bounds.height / 2;
  // The tools stay at the top of the panel.
  const y = Math.min(Math.max(middle, panel.top + 40), panel.bottom - 2);
  return { x: Math.max(bounds.left, panel.left) + 5, y, isHidden: y !== middle, text: '' };
}

/** Returns a line from a rendered field to its source: along both rows, where there is no text, and between the halves. */
function throughGutter(from: Point, to: Point, lane: number): string {
  const down = Math.sign(to.y - from.y);
  const radius = Math.min(6, Math.abs(to.y - from.y) / 2);
  const first = `M${from.x} ${from.y}H${lane + radius}`;
  const second = `Q${lane} ${from.y} ${lane} ${from.y + down * radius}V${to.y - down * radius}`;
  return `${first}${second}Q${lane} ${to.y} ${lane - radius} ${to.y}H${to.x}`;
}

const knot = ({ x, y, isHidden }: Point, depth: number): Element =>
  s('circle', { class: `knot depth-${depth}${isHidden ? ' hidden' : ''}`, cx: x, cy: y, r: 3.5 });

/** The value at a step, on its line, if there is room between its text and the other half. */
function valueLabel(value: string, { x, y }: Point, lane: number, depth: number): Element[] {
  if (value === '' || value.length > LONGEST) return [];
  const width = value.length * LETTER + 10;
  if (x + 14 + width > lane - 8) return [];
  return [
    s('rect', { class: `value-back depth-${depth}`, x: x + 14, y: y - 8, width, height: 16, rx: 8 }),
    s('text', { class: `value-label depth-${depth}`, x: x + 19, y: y + 4 }, value),
  ];
}

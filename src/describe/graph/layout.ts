import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import { groupBy } from '../../core/model/group-by.ts';
import { greatest, smallest } from '../../core/text/extremes.ts';
import { type Box, lanesOf, layersOf, placeInLayers, widthOf } from './layers.ts';
import type { Picture } from './picture.ts';

/** The positions of the parts of one picture, from its upper left corner. */
export interface Layout {
  boxes: readonly Box[];
  /** The points of each arrow: consecutive points are on one level, or connected by a curve. */
  arrows: readonly (readonly Point[])[];
  /** The middle of the label of each arrow; undefined for those without one. */
  labels: readonly (Point | undefined)[];
  vertical: boolean;
  width: number;
  height: number;
}

/** The direction of arrows, as Mermaid and Graphviz name it: from left to right, from top to bottom, or the reverse. */
export type Direction = 'LR' | 'TB' | 'RL' | 'BT';

export interface DrawOptions {
  /** The direction of arrows. Default: LR; for SVG with `width` the narrower one. */
  direction?: Direction | undefined;
  /** Whether arrows show the fields that are read. Default: false. */
  edgeLabels?: boolean;
  /** The maximum width of an SVG in pixels; a wider one is scaled down. Default: no limit. */
  width?: number;
}

export const LINE = 16;
export const LABEL_LINE = 13;
const PADDING = 10;
const GAP = 14;

/** Lays out the connected nodes in one direction, and the others in rows below. */
export function layoutOf(
  { nodes, edges }: Picture,
  lines: readonly (readonly string[])[],
  { direction = 'LR', labels = [] }: { direction?: Direction; labels?: readonly (readonly string[])[] } = {},
): Layout {
  const vertical = direction === 'TB' || direction === 'BT';
  const turned = ({ width, height }: Size): Size => (vertical ? { width: height, height: width } : { width, height });
  const tied = new Set(edges.flat());
  const boxes: Box[] = nodes.map((_, index) => ({ x: 0, y: 0, ...turned(sizeOf(lines[index] ?? [])) }));
  const tags = edges.map((_, index) => turned(sizeOfLabel(labels[index] ?? [])));
  // The layout is from left to right, and rotated afterwards.
  const { bends, middles } = place(boxes, tags, edges, tied);
  const starts = portsOf(
    boxes,
    edges.map(([from]) => from),
    bends.map((points) => points[0]?.y),
  );
  const ends = portsOf(
    boxes,
    edges.map(([, to]) => to),
    bends.map((points) => points.at(-1)?.y),
  );
  const labelled = middles.flatMap((middle, index) =>
    middle === undefined ? [] : { ...middle, ...(tags[index] as Size) },
  );
  const own = [...tied].map((index) => boxes[index] as Box);
  const columns = columnsOf([...own, ...labelled]);
  const arrows = edges.map(([from, to], index) => {
    const source = boxes[from] as Box;
    const target = boxes[to] as Box;
    const start = { x: source.x + source.width / 2, y: starts[index] ?? source.y };
    const end = { x: target.x - target.width / 2, y: ends[index] ?? target.y };
    return routeOf(start, bends[index] ?? [], end, columns);
  });
  turn([...own, ...arrows.flat(), ...middles], direction);
  for (const box of boxes) Object.assign(box, turned(box));
  const size = toCorner(own, [...arrows.flat(), ...middles.flatMap((middle) => middle ?? [])]);
  const alone = boxes.filter((_, index) => !tied.has(index));
  return { ...inRows(alone, size), boxes, arrows, labels: middles, vertical };
}

type Size = Pick<Layout, 'width' | 'height'>;

/** The way of each arrow between its boxes. */
interface Ways {
  /** The points that an arrow passes. */
  bends: Point[][];
  /** The middle of its label. */
  middles: (Point | undefined)[];
}

/** Places the boxes. */
function place(boxes: Box[], tags: readonly Size[], edges: Picture['edges'], tied: ReadonlySet<number>): Ways {
  const layers = layersOf(boxes.length, edges);
  if (layers !== undefined) {
    const centres = placeInLayers(boxes, tied, layers, GAP);
    return { bends: overBoxes(edges, layers, centres), middles: edges.map(() => undefined) };
  }
  const graph = new LayoutGraph({ directed: true, multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: GAP, ranksep: 48, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const index of tied) graph.setNode(String(index), { ...(boxes[index] as Box) });
  edges.forEach(([from, to], index) => {
    graph.setEdge(String(from), String(to), { ...(tags[index] as Size), labelpos: 'c' });
  });
  if (tied.size > 0) layout(graph);
  for (const index of tied) {
    const { x = 0, y = 0 } = graph.node(String(index)) as Partial<Box>;
    Object.assign(boxes[index] as Box, { x, y });
  }
  const laid = edges.map(([from, to]) => graph.edge(String(from), String(to)) as Partial<Point> & { points?: Point[] });
  return {
    bends: laid.map(({ points = [] }) => points.slice(1, -1)),
    middles: laid.map(({ x = 0, y = 0 }, index) => (tags[index]?.width ? { x, y } : undefined)),
  };
}

/** The distance of two lanes. */
const LANE = 8;

/** Returns the bends of arrows that pass other layers in lanes above all boxes. */
function overBoxes(
  edges: Picture['edges'],
  layers: readonly number[],
  centres: ReadonlyMap<number, number>,
): Point[][] {
  const lanes = lanesOf(layers, edges);
  return edges.map(([from, to], index) => {
    const lane = lanes[index];
    if (lane === undefined) return [];
    const y = -GAP - lane * LANE;
    const first = centres.get((layers[from] ?? 0) + 1) ?? 0;
    const last = centres.get((layers[to] ?? 0) - 1) ?? 0;
    return first === last
      ? [{ x: first, y }]
      : [
          { x: first, y },
          { x: last, y },
        ];
  });
}

/** Rotates a layout from left to right into another direction. */
function turn(points: readonly (Point | undefined)[], direction: Direction): void {
  for (const point of points) {
    if (point === undefined) continue;
    const { x, y } = point;
    if (direction === 'RL') point.x = -x;
    else if (direction !== 'LR') Object.assign(point, { x: y, y: direction === 'TB' ? x : -x });
  }
}

/** Returns the heights at which arrows touch their boxes (`at`), not at corners, in the order of their bends. */
function portsOf(boxes: readonly Box[], at: readonly number[], from: readonly (number | undefined)[]): number[] {
  const ports: number[] = [];
  for (const [box, own] of groupBy([...at.keys()], (index) => at[index] as number)) {
    const { y, height } = boxes[box] as Box;
    const step = Math.min(MOST_APART, (height - PADDING) / own.length);
    const sorted = own.sort((a, b) => (from[a] ?? y) - (from[b] ?? y));
    for (const [place, index] of sorted.entries()) ports[index] = y + (place - (own.length - 1) / 2) * step;
  }
  return ports;
}

const MOST_APART = 12;

/** Moves everything to the origin, because arrows may bend beyond the boxes. Returns its size. */
function toCorner(boxes: readonly Box[], points: readonly Point[]): Size {
  const xs = [...boxes.flatMap(({ x, width }) => [x - width / 2, x + width / 2]), ...points.map(({ x }) => x)];
  const ys = [...boxes.flatMap(({ y, height }) => [y - height / 2, y + height / 2]), ...points.map(({ y }) => y)];
  if (xs.length === 0) return { width: 0, height: 0 };
  const left = smallest(xs);
  const top = smallest(ys);
  for (const point of [...boxes, ...points]) {
    point.x -= left;
    point.y -= top;
  }
  return { width: greatest(xs, left) - left, height: greatest(ys, top) - top };
}

/** Returns the size of a label in its arrow; without lines it is empty. */
function sizeOfLabel(lines: readonly string[]): Size {
  if (lines.length === 0) return { width: 0, height: 0 };
  return { width: greatest(lines.map(widthOf)) * SMALL + PADDING, height: lines.length * LABEL_LINE + 4 };
}
/** The letters of a label are smaller. */
const SMALL = 10 / 12;

function sizeOf(lines: readonly string[]): Size {
  return { width: greatest(lines.map(widthOf), 60) + 2 * PADDING, height: lines.length * LINE + 2 * PADDING - 4 };
}

/** Arranges boxes in rows that are about as wide as the part above them; returns the total size. */
function inRows(boxes: readonly Box[], above: Size): Size {
  const most = Math.max(above.width, 720);
  let { width, height } = above;
  let left = 0;
  let top = above.height === 0 ? 0 : above.height + 2 * GAP;
  let tallest = 0;
  for (const box of boxes) {
    if (left > 0 && left + box.width > most) {
      top += tallest + GAP;
      left = 0;
      tallest = 0;
    }
    Object.assign(box, { x: left + box.width / 2, y: top + box.height / 2 });
    left += box.width + GAP;
    tallest = Math.max(tallest, box.height);
    width = Math.max(width, left - GAP);
    height = Math.max(height, top + box.height);
  }
  return { width, height };
}

export interface Point {
  x: number;
  y: number;
}

/** The horizontal range of a column of boxes, which have one centre. */
type Column = Record<'left' | 'right', number>;

function columnsOf(boxes: readonly Box[]): Column[] {
  const columns = new Map<number, Column>();
  for (const { x, width } of boxes) {
    const middle = Math.round(x);
    const known = columns.get(middle) ?? { left: x, right: x };
    columns.set(middle, { left: Math.min(known.left, x - width / 2), right: Math.max(known.right, x + width / 2) });
  }
  return [...columns.values()].sort((a, b) => a.left - b.left);
}

/** Returns the column at a position, or the first of several. */
function columnAt(columns: readonly Column[], x: number): Column | undefined {
  let low = 0;
  let high = columns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((columns[middle] as Column).right < x) low = middle + 1;
    else high = middle;
  }
  const column = columns[low];
  return column !== undefined && column.left <= x ? column : undefined;
}

/** Returns the points of an arrow: it passes columns on free levels, and changes its level between columns. */
function routeOf(start: Point, bends: readonly Point[], end: Point, columns: readonly Column[]): Point[] {
  const at = ({ x }: Point): Column | undefined => columnAt(columns, x);
  const points: Point[] = [start];
  const push = (x: number, y: number): void => {
    const last = points.at(-1);
    if (last === undefined || last.x !== x || last.y !== y) points.push({ x, y });
  };
  const first = at(start);
  const last = at(end);
  if (first !== undefined) push(first.right, start.y);
  for (const bend of bends) {
    const column = at(bend);
    if (column === undefined || column === first || column === last) continue;
    push(column.left, bend.y);
    push(column.right, bend.y);
  }
  if (last !== undefined) push(last.left, end.y);
  push(end.x, end.y);
  return points;
}

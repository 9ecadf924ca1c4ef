import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import { groupBy } from '../model/group-by.ts';
import { layersOf, placeInLayers } from './layers.ts';
import { type Box, widthOf } from './measure.ts';
import type { Picture } from './picture.ts';

/** Where the parts of one picture stand, from its upper left corner. */
export interface Layout {
  boxes: readonly Box[];
  /** The points of each arrow. */
  arrows: readonly (readonly Point[])[];
  width: number;
  height: number;
}

export const LINE = 16;
const PADDING = 10;
const GAP = 14;

/** Lays out the nodes that read each other from left to right, and those that nobody reads in rows below. */
export function layoutOf({ nodes, edges }: Picture, lines: readonly (readonly string[])[]): Layout {
  const sizes = nodes.map((_, index) => sizeOf(lines[index] ?? []));
  const tied = new Set(edges.flat());
  const boxes: Box[] = sizes.map((size) => ({ x: 0, y: 0, ...size }));
  const graph = new LayoutGraph({ directed: true, multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: GAP, ranksep: 48, marginx: 0, marginy: 0 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const index of tied) graph.setNode(String(index), { ...(sizes[index] as Box) });
  for (const [from, to] of edges) graph.setEdge(String(from), String(to));
  const layers = layersOf(boxes.length, edges);
  if (layers !== undefined) placeInLayers(boxes, tied, layers, GAP);
  else if (tied.size > 0) layout(graph);
  for (const index of layers === undefined ? tied : []) {
    const { x = 0, y = 0 } = graph.node(String(index)) as Partial<Box>;
    Object.assign(boxes[index] as Box, { x, y });
  }
  const bends = edges.map(([from, to]) => {
    const { points = [] } = graph.edge(String(from), String(to)) as { points?: Point[] };
    return points.slice(1, -1);
  });
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
  const arrows = edges.map(([from, to], index) => {
    const [source, target] = [boxes[from] as Box, boxes[to] as Box];
    const start = { x: source.x + source.width / 2, y: starts[index] ?? source.y };
    return [start, ...(bends[index] ?? []), { x: target.x - target.width / 2, y: ends[index] ?? target.y }];
  });
  const size = toCorner(
    [...tied].map((index) => boxes[index] as Box),
    arrows.flat(),
  );
  const alone = boxes.filter((_, index) => !tied.has(index));
  return { ...inRows(alone, size), boxes, arrows };
}

interface Point {
  x: number;
  y: number;
}

/**
 * How high arrows touch the side of their box, beside each other in the order of where they come from: at its corners
 * they would run behind a wider box above or below.
 * @param at the box of each arrow
 * @param from where each arrow bends next
 */
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

/** Moves all of it so that it starts at the corner: arrows may bend beyond the boxes. Yields its size. */
function toCorner(boxes: readonly Box[], points: readonly Point[]): { width: number; height: number } {
  const xs = [...boxes.flatMap(({ x, width }) => [x - width / 2, x + width / 2]), ...points.map(({ x }) => x)];
  const ys = [...boxes.flatMap(({ y, height }) => [y - height / 2, y + height / 2]), ...points.map(({ y }) => y)];
  if (xs.length === 0) return { width: 0, height: 0 };
  const [left, top] = [least(xs), least(ys)];
  for (const point of [...boxes, ...points]) {
    point.x -= left;
    point.y -= top;
  }
  return { width: -least(xs.map((x) => -x)) - left, height: -least(ys.map((y) => -y)) - top };
}

const least = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b));

function sizeOf(lines: readonly string[]): { width: number; height: number } {
  const width = Math.max(60, ...lines.map(widthOf)) + 2 * PADDING;
  return { width, height: lines.length * LINE + 2 * PADDING - 4 };
}

/** Puts boxes into rows that are about as wide as what is above them; yields the size of all. */
function inRows(boxes: readonly Box[], above: { width: number; height: number }): { width: number; height: number } {
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

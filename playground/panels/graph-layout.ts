import { groupBy } from '../../src/core/model/group-by.ts';
import type { GraphNode, GraphPicture } from '../engine/protocol.ts';

/** A node at its place, and the path of each arrow, in units of the canvas. */
export interface Placed {
  readonly nodes: readonly { readonly node: GraphNode; readonly x: number; readonly y: number }[];
  readonly arrows: readonly string[];
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const [GAP_X, GAP_Y, GAP_LINE] = [44, 16, 40];

/**
 * Places a picture, whose arrows lead from left to right, for a panel of a size. A graph that is much longer or higher
 * than the panel is wrapped: long chains into lines, high ranks into several columns. Otherwise its own layout stays.
 */
export function placed(picture: GraphPicture, panel: Size): Placed {
  const own = asDrawn(picture);
  const heights = [Number.POSITIVE_INFINITY, 1.6, 1, 0.7, 0.5].map((factor) => factor * panel.height);
  const wrapped = heights.flatMap((height) => {
    const columns = columnsOf(picture, height);
    return [1, 2, 3, 4, 5, 6, 8, 10]
      .filter((count) => count <= columns.length)
      .map((count) => inLines(picture, columns, count));
  });
  const best = wrapped.reduce((one, other) => (scaleOf(other, panel) > scaleOf(one, panel) ? other : one), own);
  // A small gain is not worth losing the routes of the arrows.
  return scaleOf(own, panel) > 0.7 || scaleOf(best, panel) < scaleOf(own, panel) * 1.2 ? own : best;
}

export const scaleOf = ({ width, height }: Size, panel: Size): number =>
  Math.min(panel.width / Math.max(1, width), panel.height / Math.max(1, height), 1.15);

function asDrawn({ nodes, arrows, width, height }: GraphPicture): Placed {
  return {
    nodes: nodes.map((node) => ({ node, x: node.x, y: node.y })),
    arrows: arrows.map((points) =>
      points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(''),
    ),
    width,
    height,
  };
}

/** Returns the ranks from left to right, each from top to bottom, and broken into columns of a height. */
function columnsOf({ nodes }: GraphPicture, most: number): GraphNode[][] {
  const ranks = groupBy(nodes, (node) => Math.round((node.x + node.width / 2) / 8));
  const sorted = [...ranks].sort(([a], [b]) => a - b).map(([, rank]) => [...rank].sort((a, b) => a.y - b.y));
  return sorted.flatMap((rank) => {
    const columns: GraphNode[][] = [[]];
    let height = 0;
    for (const node of rank) {
      if (height > 0 && height + node.height > most) {
        columns.push([]);
        height = 0;
      }
      columns.at(-1)?.push(node);
      height += node.height + GAP_Y;
    }
    return columns;
  });
}

type Column = readonly GraphNode[];

const widthOf = (column: Column): number => Math.max(...column.map(({ width }) => width));
const heightOf = (column: Column): number => column.reduce((sum, { height }) => sum + height + GAP_Y, 0) - GAP_Y;

function inLines(picture: GraphPicture, columns: readonly Column[], count: number): Placed {
  const all = columns.reduce((sum, column) => sum + widthOf(column) + GAP_X, 0);
  const lines: Column[][] = [[]];
  let taken = 0;
  for (const column of columns) {
    if (taken >= (all / count) * lines.length && lines.length < count) lines.push([]);
    lines.at(-1)?.push(column);
    taken += widthOf(column) + GAP_X;
  }
  const places: Place[] = [];
  let [top, width] = [0, 0];
  for (const line of lines) {
    const height = Math.max(...line.map(heightOf));
    let x = 0;
    for (const column of line) {
      let y = top + (height - heightOf(column)) / 2;
      for (const node of column) {
        places.push({ node, x: x + (widthOf(column) - node.width) / 2, y });
        y += node.height + GAP_Y;
      }
      x += widthOf(column) + GAP_X;
    }
    top += height + GAP_LINE;
    width = Math.max(width, x - GAP_X);
  }
  const placeOf = new Map(places.map((place) => [place.node, place]));
  const arrows = picture.arrows.flatMap((points) => {
    const ends = [nodeAt(picture, points[0]), nodeAt(picture, points.at(-1))];
    const [from, to] = ends.map((node) => node && placeOf.get(node));
    return from === undefined || to === undefined || from === to ? [] : [curve(from, to)];
  });
  return { nodes: places, arrows, width, height: top - GAP_LINE };
}

/** Returns the node that an end of an arrow touches. */
function nodeAt({ nodes }: GraphPicture, point: { x: number; y: number } | undefined): GraphNode | undefined {
  if (point === undefined) return undefined;
  const distance = ({ x, y, width, height }: GraphNode): number =>
    Math.max(x - point.x, point.x - x - width, 0) + Math.max(y - point.y, point.y - y - height, 0);
  return nodes.reduce<GraphNode | undefined>(
    (best, node) => (best === undefined || distance(node) < distance(best) ? node : best),
    undefined,
  );
}

interface Place {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
}

/** A curve from side to side, or between lines from the lower to the upper edge. */
function curve(from: Place, to: Place): string {
  if (to.x >= from.x + from.node.width || to.y <= from.y) {
    const isRight = to.x > from.x;
    const [x, y] = [isRight ? from.x + from.node.width : from.x, from.y + from.node.height / 2];
    const [endX, endY] = [isRight ? to.x : to.x + to.node.width, to.y + to.node.height / 2];
    const bend = isRight ? 40 : -40;
    return `M${x} ${y}C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}`;
  }
  const [x, y] = [from.x + from.node.width / 2, from.y + from.node.height];
  const endX = to.x + to.node.width / 2;
  const bend = Math.min(40, (to.y - y) / 2);
  return `M${x} ${y}C${x} ${y + bend} ${endX} ${to.y - bend} ${endX} ${to.y}`;
}

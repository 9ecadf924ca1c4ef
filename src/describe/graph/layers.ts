import { mapText, type Text } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { orderWithCycles } from '../../core/model/order.ts';
import { greatest } from '../../core/text/extremes.ts';

type Edge = readonly [from: number, to: number];

/** Returns the depth of each node. Arrows have no cycles. */
function depthsOf(count: number, edges: readonly Edge[]): number[] {
  const reads = groupBy(edges, ([, to]) => to);
  const needed = Array.from({ length: count }, (_, node) => (reads.get(node) ?? []).map(([from]) => from));
  const depths = needed.map(() => 0);
  for (const node of orderWithCycles(needed, 0).order)
    depths[node] = greatest((needed[node] ?? []).map((from) => (depths[from] ?? 0) + 1));
  return depths;
}

/** The maximum number of arrows, counted per layer, for the full layout. */
const MOST_PARTS = 2000;
const MOST_LAYERS = 300;

/** Returns the layer of each node of a graph whose full layout would take minutes; `undefined` for others. */
export function layersOf(count: number, edges: readonly Edge[]): readonly number[] | undefined {
  const depths = depthsOf(count, edges);
  const parts = edges.reduce((sum, [from, to]) => sum + (depths[to] ?? 0) - (depths[from] ?? 0), 0);
  return parts > MOST_PARTS || greatest(depths) > MOST_LAYERS ? depths : undefined;
}

/** Stacks the nodes of a layer around one centre, in the order in which they are written. Returns the centres. */
export function placeInLayers(
  boxes: Box[],
  nodes: Iterable<number>,
  layers: readonly number[],
  gap: number,
): ReadonlyMap<number, number> {
  const columns = groupBy(nodes, (node) => layers[node] ?? 0);
  const centres = new Map<number, number>();
  let left = 0;
  for (const layer of [...columns.keys()].sort((a, b) => a - b)) {
    const column = (columns.get(layer) ?? []).map((node) => boxes[node] as Box);
    const width = greatest(column.map((box) => box.width));
    const centre = left + width / 2;
    centres.set(layer, centre);
    let top = 0;
    for (const box of column) {
      Object.assign(box, { x: centre, y: top + box.height / 2 });
      top += box.height + gap;
    }
    left += width + 4 * gap;
  }
  return centres;
}

/**
 * Returns for each arrow over other layers the number of the lane above all boxes that it takes, from 0; undefined for
 * an arrow to the next layer. Arrows from one node share a lane, and a lane is free again where its arrows end.
 */
export function lanesOf(layers: readonly number[], edges: readonly Edge[]): (number | undefined)[] {
  const layerOf = (node: number): number => layers[node] ?? 0;
  const isLong = ([from, to]: Edge): boolean => layerOf(to) - layerOf(from) > 1;
  const ends = new Map<number, number>();
  for (const edge of edges) {
    if (isLong(edge)) ends.set(edge[0], Math.max(ends.get(edge[0]) ?? 0, layerOf(edge[1])));
  }
  const sources = groupBy(ends.keys(), layerOf);
  const lanes = new Map<number, number>();
  const freed = new Map<number, number[]>();
  const free: number[] = [];
  let count = 0;
  for (const layer of [...new Set([...sources.keys(), ...ends.values()])].sort((a, b) => a - b)) {
    for (const lane of freed.get(layer) ?? []) free.push(lane);
    for (const source of sources.get(layer) ?? []) {
      let lane = free.pop();
      if (lane === undefined) {
        lane = count;
        count += 1;
      }
      lanes.set(source, lane);
      const end = ends.get(source) ?? layer;
      const others = freed.get(end);
      if (others === undefined) freed.set(end, [lane]);
      else others.push(lane);
    }
  }
  return edges.map((edge) => (isLong(edge) ? lanes.get(edge[0]) : undefined));
}

/** The advance of a character of a monospaced font at 12 pixels. */
const ADVANCE = 7.3;
/** Letters that take two columns: East Asian wide ones and pictographs. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

export function widthOf(line: string): number {
  let columns = 0;
  for (const char of line) columns += WIDE.test(char) ? 2 : 1;
  return columns * ADVANCE;
}

/** Truncates a line to so many characters. */
export function fitted(line: Text, most: number): Text {
  const chars = [...line];
  return chars.length <= most ? line : mapText(line, () => [...chars.slice(0, most - 1), '…'].join(''));
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graph } from '../../../src/api/tools/index.ts';
import { type Picture, svgText } from '../../../src/describe/graph/index.ts';
import { seed as first } from '../../seed.ts';
import { box, picture } from './pictures.ts';

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Point {
  readonly x: number;
  readonly y: number;
}

const numberIn = (tag: string, name: string): number => Number(new RegExp(` ${name}="([-\\d.]+)"`).exec(tag)?.[1]);

/** Returns the boxes of each picture of an SVG. The second box of a pile is drawn over the first one. */
function boxesIn(svg: string): Rectangle[] {
  return [...svg.matchAll(/<rect class="box"[^>]*>/g)].map(([tag]) => ({
    x: numberIn(tag, 'x'),
    y: numberIn(tag, 'y'),
    width: numberIn(tag, 'width'),
    height: numberIn(tag, 'height'),
  }));
}

const STEPS = 24;

const bezier = (start: number, first: number, second: number, end: number, t: number): number =>
  (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t ** 2 * second + t ** 3 * end;

/** Returns points along a path of the commands M, L and C, as SVG defines them. */
function pointsOf(d: string): Point[] {
  const points: Point[] = [];
  let at: Point = { x: 0, y: 0 };
  for (const [, command, numbers = ''] of d.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const values = numbers
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const [x = 0, y = 0] = values.slice(-2);
    const from = at;
    at = { x, y };
    if (command === 'M') points.push(at);
    else if (command === 'L' || command === 'C') {
      // A line is a curve whose control points are its ends.
      const [x1 = from.x, y1 = from.y, x2 = x, y2 = y] = command === 'C' ? values : [from.x, from.y, x, y];
      for (let step = 1; step <= STEPS; step += 1) {
        const t = step / STEPS;
        points.push({ x: bezier(from.x, x1, x2, x, t), y: bezier(from.y, y1, y2, y, t) });
      }
    } else throw new Error(`a path has the command ${command}`);
  }
  return points;
}

/** Reports whether a point is in a box that is larger by `by` on each side. */
const isIn = ({ x, y }: Point, { x: left, y: top, width, height }: Rectangle, by: number): boolean =>
  x > left - by && x < left + width + by && y > top - by && y < top + height + by;

/** Fails if an arrow of an SVG crosses a box that is not its end, or does not end at boxes. Returns their number. */
function expectFree(svg: string, name: string): number {
  let arrows = 0;
  for (const part of svg.split(/<g transform="translate\(0 /).slice(1)) {
    const boxes = boxesIn(part);
    for (const [, d = ''] of part.matchAll(/<path class="arrow"[^>]* d="([^"]*)"/g)) {
      arrows += 1;
      const points = pointsOf(d);
      const ends = [points[0], points.at(-1)] as Point[];
      for (const end of ends)
        expect(
          boxes.some((one) => isIn(end, one, 1)),
          `${name}: an end of ${d} is at no box`,
        ).toBe(true);
      const others = boxes.filter((one) => !ends.some((end) => isIn(end, one, 5)));
      const crossed = others.find((one) => points.some((point) => isIn(point, one, -1)));
      expect(crossed, `${name}: ${d} crosses a box`).toBeUndefined();
    }
  }
  return arrows;
}

/** Returns a graph with layers of many sizes, in which nodes also read nodes of much earlier layers. */
function layered(seed: number): Picture {
  let state = (seed * 2_654_435_761 + 7) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const layers = Array.from({ length: 2 + below(5) }, () => 1 + below(14));
  const starts = layers.map((_, layer) => layers.slice(0, layer).reduce((sum, size) => sum + size, 0));
  const nodes = layers.flatMap((size, layer) =>
    Array.from({ length: size }, (_, index) => ({
      ...box(`n${layer}-${index}${'x'.repeat(below(24))}`),
      kind: below(5) === 0 ? ('collection' as const) : ('resource' as const),
    })),
  );
  const edges = new Map<string, readonly [number, number]>();
  for (const [layer, size] of layers.entries()) {
    if (layer === 0) continue;
    for (let index = 0; index < size; index += 1) {
      const to = (starts[layer] ?? 0) + index;
      for (let read = below(4); read >= 0; read -= 1) {
        const source = below(3) === 0 ? below(layer) : layer - 1;
        const from = (starts[source] ?? 0) + below(layers[source] ?? 1);
        edges.set(`${from} ${to}`, [from, to]);
      }
    }
  }
  return picture('layered', nodes, [...edges.values()]);
}

const PICTURES = 12 * Number(process.env.TIMES ?? 1);

describe('the arrows of an SVG', () => {
  it.each(['LR', 'TB', 'RL', 'BT'] as const)('cross no box that is not their end in random graphs: %s', (direction) => {
    let arrows = 0;
    for (let seed = first; seed < first + PICTURES; seed += 1)
      arrows += expectFree(svgText([layered(seed)], { direction }), `seed ${seed}`);
    expect(arrows).toBeGreaterThan(PICTURES);
  });

  it('cross no box that is not their end in a graph with one node that twenty read, and one that reads the last', () => {
    const nodes = ['cache', ...Array.from({ length: 21 }, (_, index) => `dep${index}`), 'cm1'].map((id) => box(id));
    const edges = [
      ...Array.from({ length: 21 }, (_, index) => [0, index + 1] as const),
      [21, 22] as const,
      [0, 22] as const,
    ];
    expect(expectFree(svgText([picture('wide', nodes, edges)]), 'wide')).toBe(23);
  });

  it('cross no box that is not their end in the examples', () => {
    let arrows = 0;
    for (const folder of readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
      const files = readdirSync(join('examples', folder.name), { recursive: true }).map(String);
      const objects = files
        .filter((file) => /\.ya?ml$/.test(file))
        .map((file) => ({ file, text: readFileSync(join('examples', folder.name, file), 'utf8') }));
      const { pictures } = graph({ objects });
      arrows += expectFree(svgText(pictures), folder.name);
    }
    expect(arrows).toBeGreaterThan(5);
  });
});

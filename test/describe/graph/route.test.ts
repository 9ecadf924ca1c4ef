import { describe, expect, it } from 'vitest';
import { graphWriters, mermaidText, type Picture, svgText } from '../../../src/describe/graph/index.ts';
import { type Direction, layoutOf } from '../../../src/describe/graph/layout.ts';
import { seed as first } from '../../seed.ts';
import { box, picture } from './pictures.ts';

/** Returns a graph of nodes of many widths from a simple random number generator. */
function randomPicture(seed: number): Picture {
  let state = seed * 2_654_435_761 + 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const count = 4 + next(22);
  const nodes = Array.from({ length: count }, (_, index) => box(`n${index}${'x'.repeat(next(28))}`));
  const edges = nodes.flatMap((_, to) =>
    Array.from({ length: to === 0 ? 0 : next(4) }, () => next(to))
      .filter((from, at, all) => all.indexOf(from) === at)
      .map((from) => [from, to] as const),
  );
  const reads = edges.map(() => [{ read: `status.${'y'.repeat(next(12))}`, by: 'spec.field' }]);
  return picture('random', nodes, edges, reads);
}

/** Points along an arrow, as a browser draws it. */
function* along({ arrows, vertical }: ReturnType<typeof layoutOf>, index: number): Iterable<{ x: number; y: number }> {
  const points = arrows[index] ?? [];
  for (const [at, to] of points.entries()) {
    const from = points[at - 1];
    if (from === undefined) continue;
    for (let step = 0; step <= 20; step += 1) {
      const t = step / 20;
      // A cubic Bézier curve with level ends: x or y moves from one value to the other.
      const swing = 3 * t * t - 2 * t * t * t;
      const even = 1.5 * t * (1 - t) ** 2 + 1.5 * t * t * (1 - t) + t ** 3;
      const mix = (a: number, b: number, by: number): number => a + (b - a) * by;
      yield vertical
        ? { x: mix(from.x, to.x, swing), y: mix(from.y, to.y, even) }
        : { x: mix(from.x, to.x, even), y: mix(from.y, to.y, swing) };
    }
  }
}

/** `TIMES=10` draws ten times as many. */
const PICTURES = 4 * Number(process.env.TIMES ?? 1);

const LABELS = [false, true];
const DIRECTIONS: readonly Direction[] = ['LR', 'TB', 'RL', 'BT'];

/** Returns a graph that is too dense or too deep for the full layout. */
function largePicture(seed: number): Picture {
  const isDeep = seed % 2 === 0;
  const count = isDeep ? 320 : 90;
  const nodes = Array.from({ length: count }, (_, index) => box(`n${index}${'x'.repeat((index * 7 + seed) % 24)}`));
  const chain = nodes.slice(1).map((_, index) => [index, index + 1] as const);
  const far = nodes.flatMap((_, to) =>
    [to - 2, to - 9, to - 30].flatMap((from) => (from < 0 ? [] : [[from, to] as const])),
  );
  const aside = nodes.slice(0, 40).map((_, index) => [index, count + index] as const);
  const others = aside.map((_, index) => box(`leaf${index}`));
  return picture('large', [...nodes, ...others], [...chain, ...far, ...aside]);
}

/** Fails if an arrow passes behind a box that it does not connect. */
function expectFree(drawn: ReturnType<typeof layoutOf>, edges: Picture['edges'], name: string): void {
  edges.forEach(([from, to], index) => {
    for (const { x, y } of along(drawn, index)) {
      const hit = drawn.boxes.findIndex(
        (one, at) =>
          at !== from &&
          at !== to &&
          Math.abs(x - one.x) < one.width / 2 - 0.5 &&
          Math.abs(y - one.y) < one.height / 2 - 0.5,
      );
      if (hit >= 0) expect.fail(`${name}: ${from} -> ${to} passes behind ${hit} at ${x} ${y}`);
    }
  });
}

describe('the arrows of a graph', () => {
  it.each(DIRECTIONS)('pass behind no node of a large graph: %s', (direction) => {
    for (const seed of [0, 1]) {
      const picture = largePicture(seed);
      const drawn = layoutOf(
        picture,
        picture.nodes.map(({ id, object }) => [id, object]),
        { direction },
      );
      expectFree(drawn, picture.edges, `seed ${seed}`);
    }
  });

  it.each(DIRECTIONS.flatMap((direction) => LABELS.map((labelled) => ({ direction, labelled }))))(
    'pass behind no node: $direction, labels: $labelled',
    ({ direction, labelled }) => {
      for (let seed = first; seed < first + PICTURES; seed += 1) {
        const picture = randomPicture(seed);
        const labels = labelled ? picture.edges.map((_, index) => [picture.reads?.[index]?.[0]?.read ?? '']) : [];
        const drawn = layoutOf(
          picture,
          picture.nodes.map(({ id, object }) => [id, object]),
          { direction, labels },
        );
        expectFree(drawn, picture.edges, `seed ${seed}`);
      }
    },
  );

  it('follow the given direction', () => {
    const chain = picture('a', [box('a'), box('b')], [[0, 1]]);
    const lines = [['a'], ['b']];
    const boxes = (direction: Direction) => layoutOf(chain, lines, { direction }).boxes.map(({ x, y }) => ({ x, y }));
    const [left, right] = boxes('LR');
    expect(left?.x).toBeLessThan(right?.x ?? 0);
    const [last, first] = boxes('RL');
    expect(last?.x).toBeGreaterThan(first?.x ?? 0);
    const [top, bottom] = boxes('TB');
    expect(top?.y).toBeLessThan(bottom?.y ?? 0);
    const [lowest, highest] = boxes('BT');
    expect(lowest?.y).toBeGreaterThan(highest?.y ?? 0);
  });
});

describe('the label of an arrow', () => {
  const chain = (read: string, by: string): Picture => picture('a', [box('a'), box('b')], [[0, 1]], [[{ read, by }]]);
  const one = chain('metadata.name', 'data.of');

  it('is a tooltip in SVG and DOT that names the reading and the read field', () => {
    expect(svgText([one])).toContain('<title>b: data.of reads a.metadata.name</title>');
    expect(graphWriters.dot([one])).toContain('[tooltip="b: data.of reads a.metadata.name"]');
    expect(mermaidText([one])).toContain('n0_0 --> n0_1');
  });

  it('is drawn on request', () => {
    const options = { edgeLabels: true };
    expect(svgText([one], options)).toMatch(/<text class="label"[^>]*>metadata\.name<\/text>/);
    expect(graphWriters.dot([one], options)).toContain('label="metadata.name"');
    expect(mermaidText([one], options)).toContain('n0_0 -->|"metadata.name"| n0_1');
  });

  it('is escaped', () => {
    const odd = chain('["<b>"]', '"]|x');
    expect(svgText([odd], { edgeLabels: true })).not.toContain('<b>');
    expect(mermaidText([odd], { edgeLabels: true })).toContain('-->|"#91;#34;#60;b#62;#34;#93;"| ');
  });
});

describe('the maximum width of a graph', () => {
  const chain = picture(
    'chain',
    Array.from({ length: 9 }, (_, index) => box(`node${index}`)),
    Array.from({ length: 8 }, (_, index) => [index, index + 1] as const),
  );
  const sizeOf = (svg: string): [number, number] => {
    const [, width, height] = /width="(\d+)" height="(\d+)">/.exec(svg) ?? [];
    return [Number(width), Number(height)];
  };

  it('turns a picture that is wider', () => {
    const [wide] = sizeOf(svgText([chain]));
    const [width, height] = sizeOf(svgText([chain], { width: 800 }));
    expect(wide).toBeGreaterThan(800);
    expect(width).toBeLessThanOrEqual(800);
    expect(height).toBeGreaterThan(width);
  });

  it('scales a picture whose direction is given', () => {
    expect(sizeOf(svgText([chain], { width: 800, direction: 'LR' }))[0]).toBe(800);
    expect(sizeOf(svgText([chain], { width: 8000 }))).toEqual(sizeOf(svgText([chain])));
  });
});

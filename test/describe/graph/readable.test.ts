import { describe, expect, it } from 'vitest';
import { svgText } from '../../../src/describe/graph/index.ts';
import { layoutOf } from '../../../src/describe/graph/layout.ts';
import { linesOf } from '../../../src/describe/graph/picture.ts';
import { box, picture } from './pictures.ts';

/** Each node of the first column is read by each one of the second, whose boxes differ in width. */
const between = picture(
  'between',
  ['a', 'b', 'c', 'd', 'a-name-that-is-much-wider', 'e', 'f'].map((id) => box(id)),
  [0, 1, 2].flatMap((from) => [3, 4, 5, 6].map((to) => [from, to] as const)),
);

describe('an arrow of a graph', () => {
  it('starts at the right side of a box and ends at the left side of another, where no two arrows meet', () => {
    const { boxes, arrows } = layoutOf(
      between,
      between.nodes.map((node) => linesOf(node, [between])),
    );
    const ends = between.edges.flatMap(([from, to], index) => {
      const [source, target, points] = [boxes[from], boxes[to], arrows[index]];
      const [first, last] = [points?.[0], points?.at(-1)];
      if (!source || !target || !first || !last) throw new Error('there is no arrow');
      expect(first.x).toBeCloseTo(source.x + source.width / 2);
      expect(last.x).toBeCloseTo(target.x - target.width / 2);
      expect(Math.abs(first.y - source.y)).toBeLessThan(source.height / 2);
      expect(Math.abs(last.y - target.y)).toBeLessThan(target.height / 2);
      return [`from ${first.x} ${first.y}`, `to ${last.x} ${last.y}`];
    });
    expect(new Set(ends).size).toBe(ends.length);
  });
});

describe('the notes of a node', () => {
  it('are split into lines if they are long', () => {
    const chained = (name: string): string[] => {
      return linesOf(box('a', { conditions: ['true'], chained: 0 }), [picture(name, [])]);
    };
    expect(chained('inner')).toEqual(['a', 'ConfigMap', 'conditional, RGD inner']);
    const long = 'ecrpubliccontrollers.platform.example.org';
    expect(chained(long)).toEqual(['a', 'ConfigMap', 'conditional', `RGD ${long}`]);
  });

  it('are complete in the tooltip of the box if they are cut', () => {
    const id = 'x'.repeat(60);
    const svg = svgText([picture('a', [box(id)])]);
    expect(svg).toContain(`<title>${id}</title>`);
    expect(svg).toContain(`>${'x'.repeat(43)}…</text>`);
  });
});

const luminance = (colour: string): number => {
  const digits =
    colour.length === 4 ? [...colour.slice(1)].map((one) => one + one) : (colour.match(/[0-9a-f]{2}/g) ?? []);
  const [red = 0, green = 0, blue = 0] = digits
    .map((one) => Number.parseInt(one, 16) / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
/** Returns the contrast ratio of WCAG 2; small text needs 4.5. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe('the text in a graph', () => {
  const style = /<style>([\s\S]*)<\/style>/.exec(svgText([]))?.[1] ?? '';
  const [light = '', dark = ''] = style.split('@media');
  const fill = (rules: string, selector: string): string | undefined =>
    [...rules.matchAll(/\.rgds ([^{}]*)\{(?:[^{}]*;)?fill:(#[0-9a-f]+)/g)].find(([, name]) => name === selector)?.[2];

  it.each([
    ['light', light],
    ['dark', dark],
  ])('is legible on every box of the %s scheme', (_, rules) => {
    for (const fate of ['', '.included ', '.skipped ', '.pending ', '.failed ', '.mixed ']) {
      const paper = fill(rules, `${fate}.box`) ?? '';
      const inks = fate === '.skipped ' ? ['.skipped text'] : ['text', '.what', '.note'];
      for (const ink of inks) {
        const colour = fill(rules, ink) ?? '';
        expect(contrast(colour, paper), `${ink} ${colour} on ${fate}${paper}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
});

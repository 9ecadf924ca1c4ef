import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import {
  graphsOf,
  graphWriters,
  mermaidText,
  picturesOf,
  picturesOfInstance,
  svgText,
} from '../../../src/describe/graph/index.ts';
import { layoutOf } from '../../../src/describe/graph/layout.ts';
import { kro } from '../../../src/kro/front-end.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { renderWithSessions } from '../../../src/render/pipeline.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { everything } from './packages.ts';
import { box, picture } from './pictures.ts';

const input = { objects: readStreams([{ file: 'all.yaml', text: everything }], new Collector()) };
const { own, all } = graphsOf(input, defaultRenderOptions);
const pictures = picturesOf(own, all);
const output = renderWithSessions(input, { ...defaultRenderOptions, onPending: 'skip' });
const { expansion, graphs } = output.of(kro) ?? {};
const run = expansion?.runs[0];
if (expansion === undefined || run === undefined || graphs === undefined) throw new Error('there is no run');
const coloured = picturesOfInstance(run, graphs);

describe('a graph', () => {
  it('has the nodes of an RGD and their dependencies', () => {
    expect(pictures.map(({ name, title }) => [name, title])).toEqual([
      ['inner', 'Inner'],
      ['outer', 'Outer'],
    ]);
    expect(pictures[1]?.nodes).toEqual([
      expect.objectContaining({ id: 'given', kind: 'external', object: 'ConfigMap', chained: undefined }),
      expect.objectContaining({ id: 'all', kind: 'externalCollection' }),
      expect.objectContaining({ id: 'chained', kind: 'resource', object: 'Inner', chained: 0 }),
      expect.objectContaining({ id: 'many', kind: 'collection', iterators: ['entry'] }),
      expect.objectContaining({ id: 'maybe', conditions: ['schema.spec.enabled == true && "<&>" != "]]>"'] }),
      expect.objectContaining({ id: 'late' }),
      expect.objectContaining({ id: 'balancer', outcome: undefined }),
    ]);
    expect(pictures[1]?.edges).toEqual([
      [0, 2],
      [1, 3],
      [6, 5],
    ]);
  });

  it('of an instance shows the state of each node, and the RGDs that it chains', () => {
    expect(coloured.map(({ name, title }) => [name, title])).toEqual([
      ['outer', 'Outer/o'],
      ['inner', 'Inner, 1 of it'],
    ]);
    expect(coloured[0]?.nodes.map(({ id, outcome: fate }) => [id, fate])).toEqual([
      ['given', 'included'],
      ['all', 'included'],
      ['chained', 'included'],
      ['many', 'included'],
      ['maybe', 'skipped'],
      ['late', 'pending'],
      ['balancer', 'included'],
    ]);
    expect(coloured[0]?.nodes[2]?.chained).toBe(1);
  });
});

describe('Mermaid', () => {
  it('distinguishes the kinds of nodes', () => {
    expect(mermaidText(pictures)).toBe(`flowchart LR
  subgraph g0["inner (Inner)"]
    n0_0["map<br/>ConfigMap"]
  end
  subgraph g1["outer (Outer)"]
    n1_0(["given<br/>ConfigMap<br/>external"])
    n1_1(["all<br/>ConfigMap #91;#93;<br/>external"])
    n1_2["chained<br/>Inner<br/>RGD inner"]
    n1_3[["many<br/>ConfigMap #91;#93;<br/>for each entry"]]
    n1_4["maybe<br/>Service<br/>conditional"]
    n1_5["late<br/>ConfigMap"]
    n1_6["balancer<br/>Service"]
    n1_0 --> n1_2
    n1_1 --> n1_3
    n1_6 --> n1_5
  end
  n1_2 -.-> g0
  classDef conditional stroke-dasharray:5 4
  classDef external stroke-dasharray:2 3
  class n1_0 external
  class n1_1 external
  class n1_4 conditional
`);
  });

  it('colours an instance', () => {
    const text = mermaidText(coloured);
    expect(text).toContain('\n  class n0_4 skipped\n');
    expect(text).toContain('\n  class n0_5 pending\n');
    expect(text).toContain('\n  classDef included fill:');
  });
});

const HOSTILE = 'a"]; click n0 "javascript:alert(1)" %%{init: {}}%% <img src=x onerror=y> & \\ `\n end\u0000]]>';
const hostile = [picture(HOSTILE, [box('x', { object: HOSTILE, conditions: [HOSTILE] })])];

describe('text of users in a graph', () => {
  it('is escaped in a label of Mermaid', () => {
    const lines = mermaidText(hostile).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[2]).toMatch(/^ {4}n0_0\["[\p{L}\p{N} _.,/()#;<>-]*"\]$/u);
    expect(lines[2]?.replaceAll('<br/>', '')).not.toMatch(/[<>"]."/);
  });

  it('is escaped in a string of DOT', () => {
    const line =
      graphWriters
        .dot(hostile)
        .split('\n')
        .find((one) => one.includes('n0_0 [')) ?? '';
    const strings = line.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(line.replace(/"(?:[^"\\]|\\.)*"/g, '""')).toMatch(/^ {4}n0_0 \[label="", style="", tooltip=""\];$/);
    expect(strings).toHaveLength(3);
  });

  it('is escaped in a text of SVG', () => {
    const text = svgText(hostile);
    expect(text).not.toContain('<img');
    expect(text).not.toContain('\u0000');
    expect(
      text
        .replace(/<style>[\s\S]*<\/style>/, '')
        .match(/<\/?[a-z]+/g)
        ?.filter((tag) => !/^<\/?(svg|title|defs|marker|path|rect|g|text|style)$/.test(tag)),
    ).toEqual([]);
  });
});

describe('SVG', () => {
  const many = picture(
    'many',
    Array.from({ length: 45 }, (_, index) => box(`node${index}`, { object: 'Deployment' })),
    Array.from({ length: 30 }, (_, index) => [index >> 1, index + 1] as const),
  );

  it('has a light and a dark colour scheme', () => {
    expect(svgText(pictures)).toContain('@media (prefers-color-scheme:dark)');
    expect(svgText(pictures)).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="rgds" role="img" viewBox="0 0 \d+ \d+"/,
    );
    expect(svgText(coloured)).toContain('<g class="pending">');
  });

  it('draws no box over another one, and all of them inside the picture', () => {
    const lines = many.nodes.map(({ id, object }) => [id, object]);
    const { boxes, arrows, width, height } = layoutOf(many, lines);
    for (const [index, a] of boxes.entries()) {
      expect(a.x - a.width / 2).toBeGreaterThanOrEqual(-0.01);
      expect(a.y - a.height / 2).toBeGreaterThanOrEqual(-0.01);
      expect(a.x + a.width / 2).toBeLessThanOrEqual(width + 0.01);
      expect(a.y + a.height / 2).toBeLessThanOrEqual(height + 0.01);
      for (const b of boxes.slice(index + 1)) {
        const apart =
          Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;
        expect(apart).toBe(true);
      }
    }
    for (const { x, y } of arrows.flat()) {
      expect(x >= -0.01 && x <= width + 0.01 && y >= -0.01 && y <= height + 0.01).toBe(true);
    }
    expect(arrows.every((points) => points.length >= 2)).toBe(true);
  });

  it('is the same in every call', () => expect(svgText([many])).toBe(svgText([many])));
});

import { describe, expect, it } from 'vitest';
import { renderVersion } from '../../../src/compare/review/index.ts';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import { coverageJson, coverageLcov, coverageText, createCollector } from '../../../src/describe/coverage/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { apiVersion: v1, kind: Site, spec: { hosts: "[]string", big: boolean, size: integer } }
  resources:
    - id: settings
      includeWhen: ["\${schema.spec.big || schema.spec.size > 3}"]
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: settings }
        data:
          size: '\${schema.spec.size > 5 ? "large" : "small"}'
          constant: '\${true ? "a" : "b"}'
    - id: pages
      forEach: [{ host: "\${schema.spec.hosts}" }]
      template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${host}" } }
`;
const instance = (spec: string): string =>
  `apiVersion: kro.run/v1\nkind: Site\nmetadata: { name: x }\nspec: { ${spec} }\n`;

it('without an RGD says that there is nothing to cover', () => {
  expect(coverageText({ items: [], lines: new Map() })).toBe(
    'no test reads an RGD with nodes: there is nothing to cover\n',
  );
});

function covered(...specs: string[]) {
  const collector = createCollector();
  for (const spec of specs) {
    const objects = readStreams(
      [
        { file: 'rgd.yaml', text: RGD },
        { file: 'x.yaml', text: instance(spec) },
      ],
      new Collector(),
    );
    const version = renderVersion({ objects }, { ...defaultRenderOptions, all: false }, collector.onExpression);
    collector.ran(version.expansion);
  }
  return collector.result();
}
const hits = (...specs: string[]): string[] =>
  covered(...specs).items.map(({ line, measure, what, hits: times }) => `${line} ${measure} ${what}: ${times}`);

describe('coverage', () => {
  it('counts nodes, sides of conditions, sizes of collections and arms', () => {
    expect(hits('hosts: [a, b], big: true, size: 9', 'hosts: [a], big: false, size: 1')).toEqual([
      '7 node node: 1',
      '8 condition true: 1',
      '8 condition false: 1',
      '8 arm operand 2 of ||: 1',
      '14 arm then of ?:: 1',
      '14 arm else of ?:: 0',
      '15 arm then of ?:: 1',
      '15 arm else of ?:: 0',
      '16 node node: 2',
      '16 size no item: 0',
      '16 size one item: 1',
      '16 size many items: 1',
    ]);
  });

  it('renders the same as without it', () => {
    const objects = readStreams(
      [
        { file: 'rgd.yaml', text: RGD },
        { file: 'x.yaml', text: instance('hosts: [a], big: true, size: 9') },
      ],
      new Collector(),
    );
    const options = { ...defaultRenderOptions, all: false };
    const plain = renderVersion({ objects }, options).objects.map(({ object }) => object);
    const traced = renderVersion({ objects }, options, createCollector().onExpression).objects.map(
      ({ object }) => object,
    );
    expect(traced).toEqual(plain);
  });

  it('counts an RGD without an instance', () => {
    const collector = createCollector();
    renderVersion(
      { objects: readStreams([{ file: 'rgd.yaml', text: RGD }], new Collector()) },
      { ...defaultRenderOptions, all: false },
      collector.onExpression,
    );
    expect(collector.result().items.every((item) => item.hits === 0)).toBe(true);
    expect(collector.result().items).toHaveLength(12);
  });

  it('is printed as text', () => {
    expect(
      coverageText(covered('hosts: [a], big: true, size: 9')),
    ).toBe(`RGD   file      nodes  conditions  sizes  arms  all
site  rgd.yaml    2/2         1/2    1/3   2/5  50%

not reached:
  rgd.yaml:8:24: node settings: includeWhen is never false
  rgd.yaml:8:43: node settings: operand 2 of ||
  rgd.yaml:14:53: node settings: else of ?:
  rgd.yaml:15:37: node settings: else of ?:
  rgd.yaml:16:11: node pages: a collection of no item
  rgd.yaml:16:11: node pages: a collection of many items
`);
  });

  it('is written as JSON', () => {
    const { totals, items, lines } = JSON.parse(coverageJson(covered('hosts: [a], big: true, size: 9')));
    expect(totals.all).toEqual({ reached: 6, all: 12 });
    expect(items[0]).toEqual({
      measure: 'node',
      file: 'rgd.yaml',
      line: 7,
      column: 11,
      rgd: 'site',
      node: 'settings',
      what: 'node',
      hits: 1,
    });
    expect(lines['rgd.yaml']).toEqual({ 8: 1, 14: 1, 15: 1, 17: 1, 18: 1 });
  });

  it('is written as LCOV, on the lines of the RGD', () => {
    expect(coverageLcov(covered('hosts: [a], big: true, size: 9'))).toBe(`TN:
SF:rgd.yaml
FN:7,site.settings
FN:16,site.pages
FNDA:1,site.settings
FNDA:1,site.pages
FNF:2
FNH:2
BRDA:8,0,0,1
BRDA:8,0,1,0
BRDA:8,1,0,0
BRDA:14,2,0,1
BRDA:14,2,1,0
BRDA:15,3,0,1
BRDA:15,3,1,0
BRDA:16,4,0,0
BRDA:16,4,1,1
BRDA:16,4,2,0
BRF:10
BRH:4
DA:7,1
DA:8,1
DA:14,1
DA:15,1
DA:16,1
DA:17,1
DA:18,1
LF:7
LH:7
end_of_record
`);
  });
});

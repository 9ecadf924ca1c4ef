import { describe, expect, it } from 'vitest';
import { Collector, format } from '../../../src/core/diagnostics/index.ts';
import { graphsOf } from '../../../src/describe/graph/index.ts';
import { sampleInstance } from '../../../src/describe/sample/index.ts';
import { matchFor } from '../../../src/describe/sample/pattern.ts';
import { sampleValue } from '../../../src/describe/sample/sample.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';
import { compiledCases } from '../../conformance-rgds.ts';

const uncommented = (text: string): string => text.replace(/^( *)# /gm, '$1');

function sampleOf(spec: string): string {
  const text = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: thing}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Thing
    spec: ${spec}
`;
  const { own, reports } = graphsOf(
    { objects: readStreams([{ file: 'a', text }], new Collector()) },
    defaultRenderOptions,
  );
  const [graph] = own;
  if (graph === undefined) throw new Error(reports.map(({ message }) => message).join('\n'));
  const { faults, text: sample } = sampleInstance(graph, defaultRenderOptions);
  expect(faults).toEqual([]);
  return sample;
}

describe('a sample value with a large minimum', () => {
  it('is no larger than needed', () => {
    const many = 1_000_000_000n;
    expect(sampleValue({ type: 'array', items: { type: 'boolean' }, minItems: many })).toHaveLength(100);
    expect(sampleValue({ type: 'string', minLength: many })).toHaveLength(1000);
    const map = { type: 'object', additionalProperties: { type: 'boolean' }, minProperties: many } as const;
    expect(Object.keys(sampleValue(map) as object)).toHaveLength(100);
  });
});

describe('a sample instance', () => {
  it('has every field, with its documentation', () => {
    const spec = `{size: 'integer | required=true minimum=3 maximum=9 description="How many."', mode: 'string | enum="fast,slow" default="slow"', name: 'string | required=true pattern="^[a-z]{3}-[0-9]+$"', inner: {on: boolean, deep: {text: string}}, tags: 'map[string]string'}`;
    expect(sampleOf(spec)).toBe(`## Thing, which the ResourceGraphDefinition thing defines.
## Fields behind "# " are optional. Their value is the default, or an example.
apiVersion: kro.run/v1alpha1
kind: Thing
metadata:
  name: example
  namespace: default
spec:
  ## How many.
  ## integer, required, at least 3, at most 9
  size: 3
  ## string, default "slow", one of "fast", "slow"
  # mode: "slow"
  ## string, required, matches ^[a-z]{3}-[0-9]+$
  name: "aaa-0"
  ## object
  # inner:
    ## boolean
  #   "true": false
    ## object
    # deep:
      ## string
    #   text: "example"
  ## map of string
  # tags: {}
`);
  });

  it('has the fields that an expression reads without a guard, including items of lists', () => {
    const rgd = `{apiVersion: kro.run/v1alpha1, kind: ResourceGraphDefinition, metadata: {name: thing}, spec: {
      schema: {apiVersion: v1alpha1, kind: Thing, types: {Item: {a: string, b: string}},
        spec: {read: string, guarded: string, set: 'string | default="x"', items: '[]Item', deep: {a: string, b: string}}},
      resources: [{id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "x"}, data: {
        a: "${'${schema.spec.read + schema.spec.set}'}", b: "${"${schema.spec.?guarded.orValue('')}"}",
        c: "${'${schema.spec.items.map(x, x.a)[0]}'}", d: "${'${schema.spec.deep.b}'}"}}}]}}`;
    const { own } = graphsOf(
      { objects: readStreams([{ file: 'a', text: rgd }], new Collector()) },
      defaultRenderOptions,
    );
    const [graph] = own;
    if (graph === undefined) throw new Error('the RGD has errors');
    const spec = (extent: 'commented' | 'minimal'): unknown =>
      sampleInstance(graph, defaultRenderOptions, extent).object.spec;
    const written = { read: 'example', items: [{ a: 'example' }], deep: { b: 'example' } };
    expect(spec('commented')).toEqual(written);
    expect(spec('minimal')).toEqual(written);
    expect(sampleInstance(graph, defaultRenderOptions, 'all').object.spec).toMatchObject({
      ...written,
      guarded: 'example',
    });
  });

  it('has names of objects that are otherwise empty, and a network for a CIDR', () => {
    const sample = sampleOf(`
      ref: {name: 'string | default=""', namespace: 'string | default=""', other: 'string | default=""'}
      vpcCIDR: string
  resources:
    - id: given
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.spec.ref.name}", namespace: "\${schema.spec.ref.namespace}"}}
    - id: map
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: "\${schema.spec.vpcCIDR + schema.spec.ref.other}"}}`);
    expect(sample).toContain('\n    name: "example"\n');
    expect(sample).toContain('\n    namespace: "default"\n');
    expect(sample).toContain('\n    # other: ""\n');
    expect(sample).toContain('\n  vpcCIDR: "10.0.0.0/16"\n');
  });

  it('has the keys of maps that expressions name', () => {
    const sample = sampleOf(`
      sizes: "map[string]integer | required=true"
      crews: "map[string]Crew"
    types: {Crew: {boss: string, note: string}}
  resources:
    - id: map
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: '\${string(schema.spec.sizes["a.b"]) + schema.spec.crews["x"].boss}'}}`);
    expect(sample).toContain('\n  sizes: {"a.b": 1}\n');
    expect(sample).toMatch(/\n {4}x:\n(.*##.*\n)* {6}boss: "example"\n/);
    expect(sample).toContain('\n      # note: "example"\n');
  });

  it('of every RGD of the conformance cases is valid, also with all optional fields', () => {
    const faulty: string[] = [];
    let count = 0;
    for (const { name, graphs } of compiledCases()) {
      for (const graph of graphs.values()) {
        count += 1;
        const { text, faults } = sampleInstance(graph, defaultRenderOptions);
        const reports = new Collector();
        const [whole] = readStreams([{ file: 'sample', text: uncommented(text) }], reports);
        expect(reports.all, `${name}\n${text}`).toEqual([]);
        const { problems } = graph.admission.admit(whole?.object as never);
        if (faults.length > 0 || problems.length > 0) {
          faulty.push(`${name}: ${[...faults, ...problems.map(({ message }) => format(message))].join('; ')}`);
        }
      }
    }
    expect(count).toBeGreaterThan(200);
    // CEL rules with requirements that a sample cannot know.
    expect(faulty.map((one) => one.slice(0, one.indexOf(':')))).toEqual([
      'schema/037-validation-rules-pass',
      'schema/038-validation-rule-violated',
      'schema/112-validation-rule-kubernetes-libraries',
      'schema/113-validation-rule-quantity-violated',
    ]);
  });
});

describe('a sample text for a pattern', () => {
  it.each([
    '^[a-z]+$',
    '^[a-z]([-a-z0-9]*[a-z0-9])?$',
    '^v\\d+\\.\\d+\\.\\d+$',
    '^(red|green)-[0-9]{2,4}$',
    '^\\w+@\\w+\\.com$',
    '^[^a-z]$',
    '^(?:ab)+(?i:c)?$',
    '^arn:aws:iam::[0-9]{12}:role/.+$',
    '^([0-9]{1,3}\\.){3}[0-9]{1,3}/[0-9]+$',
  ])('%s', (pattern) => {
    const texts = matchFor(pattern, 0);
    expect(texts.some((text) => new RegExp(pattern.replace('(?i:c)', '[cC]')).test(text))).toBe(true);
  });

  it.each(['(', '[', '(?=a)', '[[:none:]]', '(a'])('%s: has none', (pattern) =>
    expect(matchFor(pattern, 0)).toEqual([]),
  );
});

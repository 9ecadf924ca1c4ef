import { describe, expect, it } from 'vitest';
import { Collector } from '../../src/diagnostics/index.ts';
import { graphsOf } from '../../src/graph/index.ts';
import { defaultRenderOptions } from '../../src/model/render.ts';
import { readStreams } from '../../src/parse/index.ts';
import { sampleInstance } from '../../src/sample/index.ts';
import { matchFor } from '../../src/sample/pattern.ts';
import { sampleValue } from '../../src/sample/value.ts';
import { compiledCases } from '../conformance-rgds.ts';

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

describe('a value that has to be large', () => {
  it('is made no larger than anybody fills in', () => {
    const many = 1_000_000_000n;
    expect(sampleValue({ type: 'array', items: { type: 'boolean' }, minItems: many })).toHaveLength(100);
    expect(sampleValue({ type: 'string', minLength: many })).toHaveLength(1000);
    const map = { type: 'object', additionalProperties: { type: 'boolean' }, minProperties: many } as const;
    expect(Object.keys(sampleValue(map) as object)).toHaveLength(100);
  });
});

describe('a sample', () => {
  it('has every field, with what there is to know about it', () => {
    const spec = `{size: 'integer | required=true minimum=3 maximum=9 description="How many."', mode: 'string | enum="fast,slow" default="slow"', name: 'string | required=true pattern="^[a-z]{3}-[0-9]+$"', inner: {on: boolean, deep: {text: string}}, tags: 'map[string]string'}`;
    expect(sampleOf(spec)).toBe(`## Thing, which the ResourceGraphDefinition thing defines.
## Fields behind "# " may be left out; what stands there is the default, or an example.
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
  #   ## boolean
  #   "true": false
  #   ## object
  #   # deep:
  #   #   ## string
  #   #   text: "example"
  ## map of string
  # tags: {}
`);
  });

  it('of every RGD of the conformance cases is valid, also with everything in it', () => {
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
          faulty.push(`${name}: ${[...faults, ...problems.map(({ message }) => message)].join('; ')}`);
        }
      }
    }
    expect(count).toBeGreaterThan(200);
    // Rules in CEL that ask for something of their own.
    expect(faulty.map((one) => one.slice(0, one.indexOf(':')))).toEqual([
      'schema/037-validation-rules-pass',
      'schema/038-validation-rule-violated',
      'schema/112-validation-rule-kubernetes-libraries',
      'schema/113-validation-rule-quantity-violated',
    ]);
  });
});

describe('a text for a pattern', () => {
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

  it.each(['(', '[', '(?=a)', '[[:none:]]', '(a'])('%s: none', (pattern) => expect(matchFor(pattern, 0)).toEqual([]));
});

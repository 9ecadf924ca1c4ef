import { describe, expect, it } from 'vitest';
import { Collector } from '../../../src/core/diagnostics/index.ts';
import type { InputObject } from '../../../src/core/model/object.ts';
import { getAt, isMap, type Path, type Value } from '../../../src/core/model/value.ts';
import { generateInstances, isGenerated, optionalFields, shrink } from '../../../src/describe/instances/index.ts';
import type { Graph } from '../../../src/kro/compile/index.ts';
import { kro } from '../../../src/kro/front-end.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { compilePackage } from '../../../src/render/pipeline.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

function graphOf(spec: string, condition = 'true'): Graph {
  const text = `
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { apiVersion: v1, kind: Site, spec: { ${spec} } }
  resources:
  - id: conf
    includeWhen: ["\${${condition}}"]
    template: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}" } }
`;
  const objects = readStreams([{ file: 'rgd.yaml', text }], new Collector());
  const { compiled } = compilePackage({ objects }, defaultRenderOptions);
  const [graph] = compiled?.of(kro)?.graphs.values() ?? [];
  if (graph === undefined) throw new Error('the RGD does not compile');
  return graph;
}

const instancesOf = (graph: Graph, most = 100): readonly InputObject[] =>
  generateInstances([graph], { ...defaultRenderOptions, most, triesExtremes: false }).instances;

const valuesAt = (graph: Graph, ...path: Path): Set<Value | undefined> =>
  new Set(instancesOf(graph).map(({ object }) => getAt(object, ['spec', ...path])));

describe('generated instances', () => {
  it.each<[string, spec: string, condition: string, values: readonly (Value | undefined)[]]>([
    ['an optional field absent and present', 'a: boolean', 'true', [undefined, true, false]],
    ['both bounds', 'a: integer | minimum=3 maximum=90', 'true', [3n, 90n]],
    ['each value of an enum', 'a: \'string | enum="x,y,z"\'', 'true', ['x', 'y', 'z']],
    ['what a condition compares, and its neighbours', 'a: integer', 'schema.spec.a > 41', [40n, 41n, 42n]],
    ['the text that a condition compares', 'a: string', "schema.spec.a == 'prod'", ['prod']],
  ])('have %s', (_, spec, condition, values) => {
    const found = valuesAt(graphOf(spec, condition), 'a');
    for (const value of values) expect(found).toContain(value);
  });

  it('have lists of no, one and two items', () => {
    const lists = [...valuesAt(graphOf('a: "[]string"'), 'a')].filter((one) => Array.isArray(one));
    expect(new Set(lists.map(({ length }) => length))).toEqual(new Set([0, 1, 2]));
  });

  it('are accepted by the schema, have names of their own, and are the same each time', () => {
    const graph = graphOf('a: string | maxLength=3, b: "[]integer", c: integer | minimum=4');
    const instances = instancesOf(graph);
    for (const { object } of instances) expect(graph.admission.admit(object).problems).toEqual([]);
    expect(instances.every(isGenerated)).toBe(true);
    expect(new Set(instances.map(({ object }) => getAt(object, ['metadata', 'name']))).size).toBe(instances.length);
    expect(instancesOf(graph)).toEqual(instances);
  });

  it('are no more than the maximum, and that is said', () => {
    const graph = graphOf('a: integer, b: integer, c: string');
    const options = { ...defaultRenderOptions, most: 5, triesExtremes: false };
    expect(generateInstances([graph], options)).toMatchObject({ instances: { length: 5 }, isCut: true });
    expect(generateInstances([graphOf('a: boolean')], { ...options, most: 100 }).isCut).toBe(false);
  });

  it('count an optional field only if some have it and others do not', () => {
    const graph = graphOf('a: string, b: boolean | required=true');
    const [one] = instancesOf(graph);
    expect(optionalFields(graph, instancesOf(graph))).toEqual({ reached: 1, all: 1, missed: [] });
    expect(optionalFields(graph, one === undefined ? [] : [one])).toEqual({ reached: 0, all: 1, missed: [['a']] });
  });

  it('shrink to what shows a fault', () => {
    const graph = graphOf('a: string, b: "[]string", c: integer');
    const full = instancesOf(graph).find(({ object }) => getAt(object, ['spec', 'b', 0]) !== undefined) as InputObject;
    const small = shrink(full, { most: 40, shows: ({ object }) => getAt(object, ['spec', 'b', 0]) !== undefined });
    const { spec } = small.object;
    expect(isMap(spec) && Object.keys(spec)).toEqual(['b']);
    expect(small.object.metadata).toEqual({ name: 'example', namespace: 'default' });
  });
});

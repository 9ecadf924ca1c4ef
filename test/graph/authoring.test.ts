import { describe, expect, it } from 'vitest';
import { observe, pending, render, validate } from '../../src/api/index.ts';
import { diff, explain, graph } from '../../src/api/tools/index.ts';

const orchard = (base: string): string => `
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: orchard, namespace: yard}
spec:
  nodes:
  - id: seed
    def: {base: ${base}, rows: [a, b]}
  - id: well
    ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: well}}
  - id: leaf
    forEach: [{r: "\${seed.rows}"}]
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${seed.base}-\${r}"}}
  - id: deep
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: deep}, data: {v: "\${well.data.depth}"}}
`;
const [text, other] = [orchard('plum'), orchard('pear')].map((one) => ({ file: 'orchard.yaml', text: one })) as [
  { file: string; text: string },
  { file: string; text: string },
];
const well = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap', data: { depth: '3', colour: 'red' } },
  metadata: { name: 'well', namespace: 'yard', labels: { a: 'b' } },
};
const options = { experimental: ['graph'] } as const;

describe('a Graph', () => {
  it('names the field of a ref that is pending', () => {
    const { diagnostics } = render({ objects: [text] }, options);
    expect(diagnostics.map(({ code, field }) => `${code} ${field}`)).toEqual(['pending-reference spec.nodes[1].ref']);
  });

  it('lists what is pending: the object of a ref, and the fields that nodes read of it', () => {
    const { values } = pending({ objects: [text] }, options);
    expect(values.map(({ node, field, object, path }) => [node, field, object.name, path])).toEqual([
      ['well', 'ref', 'well', ''],
      ['deep', 'data.v', 'well', 'data.depth'],
    ]);
  });

  it('keeps of live objects what it reads', () => {
    const { objects } = observe({ objects: [text], live: [well] }, options);
    expect(objects).toEqual([
      {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'well', namespace: 'yard' } },
        data: { depth: '3' },
      },
    ]);
  });

  it('compares the objects of one node', () => {
    const version = (objects: readonly (typeof text)[]) => ({ objects, observed: [well] });
    const { changes } = diff({ before: version([text]), after: version([other]) }, options);
    expect(changes.map(({ change, after }) => `${change} ${after?.node}`)).toEqual(['replaced leaf', 'replaced leaf']);
  });

  it('is explained, also while it is pending', () => {
    const found = explain({ objects: [text] }, { object: 'Graph/orchard' }, options);
    expect(JSON.stringify(found)).toContain('"leaf"');
    expect(JSON.stringify(graph({ objects: [text] }, options).pictures)).toContain('leaf');
  });

  it('is validated: its objects have the fields of their kinds, also of a computed kind', () => {
    const bad = orchard('plum')
      .replace('data: {v:', 'dat: {v:')
      .replace('kind: ConfigMap, metadata: {name: deep}', `kind: '${'$'}{"ConfigMap"}', metadata: {name: deep}`);
    const found = (one: string) =>
      validate({ objects: [{ file: 'orchard.yaml', text: one }], observed: [well] }, options).diagnostics;
    expect(found(orchard('plum')).filter(({ code }) => code.startsWith('rendered'))).toEqual([]);
    expect(found(bad).map(({ code, node, line }) => [code, node, line])).toContainEqual([
      'rendered-unknown-field',
      'deep',
      15,
    ]);
  });
});

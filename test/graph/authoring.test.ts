import { describe, expect, it } from 'vitest';
import { observe, pending, render, validate } from '../../src/api/index.ts';
import { diff, explain, graph } from '../../src/api/tools/index.ts';
import { defaultSettings } from '../../src/render/options/index.ts';
import { application, planOf, type Texts } from '../gitops/plan/repository.ts';

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

  const nested = `${orchard('plum')}
  - id: g
    graph:
      nodes:
      - {id: seed, def: {base: inner}}
      - {id: leaf, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${seed.base}-leaf"}}}
  - id: out
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: out}, data: {v: "\${g.leaf.metadata.name}"}}
  - id: mark
    patch: {apiVersion: v1, kind: Pod, metadata: {name: "\${seed.base}"}, body: {metadata: {labels: {a: "\${seed.base}"}}}}
`;
  const ask = (question: object) =>
    explain({ objects: [{ file: 'orchard.yaml', text: nested }] }, { object: 'Graph/orchard', ...question }, options);

  it('is explained node by node, also while it is pending', () => {
    const { explanation } = ask({});
    expect(explanation).toMatchObject({ about: 'instance' });
    const nodes = explanation?.about === 'instance' ? explanation.details.nodes : [];
    expect(nodes.map(({ id, kind, verdict }) => `${id} ${kind} ${verdict}`)).toEqual([
      ...['seed def included', 'well ConfigMap pending', 'leaf ConfigMap included', 'deep ConfigMap pending'],
      ...['g.seed def included', 'g.leaf ConfigMap included', 'g graph included', 'out ConfigMap included'],
      'mark patch included',
    ]);
    expect(nodes.at(-1)?.why).toBe('renders nothing: kro sets metadata.labels.a of Pod yard/plum');
    expect(ask({ node: 'g.leaf' }).explanation).toMatchObject({
      details: { reads: [{ id: 'g.seed' }], expressions: [{ source: 'seed.base', value: 'inner' }] },
    });
    expect(JSON.stringify(ask({ node: 'other' }))).toContain('the Graph orchard has no node other');
  });

  it('names the node around a nested graph that is skipped with it', () => {
    const made = (id: string, read: string): string =>
      `{id: ${id}, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${id}}, data: {v: "${read}"}}}`;
    const pond = `
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: pond, namespace: park}
spec:
  nodes:
  - {id: gate, includeWhen: ["\${false}"], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: gate}}}
  - {id: bank, graph: {nodes: [${made('reed', '${gate.metadata.name}')}, ${made('stone', 'grey')},
      {id: nest, graph: {nodes: [${made('egg', 'blue')}]}}, ${made('crow', '${nest.egg.metadata.name}')}]}}
  - ${made('bird', '${bank.reed.metadata.name}')}
  - ${made('fish', 'red')}
`;
    const input = { objects: [{ file: 'pond.yaml', text: pond }] };
    const { explanation } = explain(input, { object: 'Graph/pond' }, options);
    const nodes = explanation?.about === 'instance' ? explanation.details.nodes : [];
    expect(nodes.map(({ id, verdict, why }) => `${id} ${verdict}: ${why}`)).toEqual([
      'gate skipped: a condition of includeWhen is false',
      'bank.reed skipped: it reads gate, which is skipped',
      'bank.stone skipped: its graph is skipped: it reads gate',
      'bank.nest.egg skipped: its graph is skipped: it reads gate',
      'bank.nest skipped: its graph is skipped: it reads gate',
      'bank.crow skipped: it reads the graph bank.nest, which is skipped',
      'bank skipped: it reads gate, which is skipped',
      'bird skipped: it reads the graph bank, which is skipped',
      'fish included: it has no conditions',
    ]);
    const reads = (node: string) => explain(input, { object: 'Graph/pond', node }, options).explanation?.details;
    expect(reads('bank')).toMatchObject({ reads: [{ id: 'gate', verdict: 'skipped' }] });
    expect(reads('bank.stone')).toMatchObject({ reads: [] });
    const [picture] = graph(input, { ...options, instance: 'Graph/pond' }).pictures;
    const readers = picture?.edges.filter(([from]) => picture.nodes[from]?.id === 'gate');
    expect(readers?.map(([, to]) => picture?.nodes[to]?.id)).toEqual(['bank.reed']);
  });

  it('explains the fields of its objects, through variables and graphs', () => {
    const { explanation } = ask({ object: 'ConfigMap/out', field: '.data.v' });
    expect(JSON.stringify(explanation)).toMatch(
      /node out, template.data.v.*node g.leaf, template.metadata.name.*node g.seed, def.base/,
    );
  });

  it('evaluates an expression as a node of it would', () => {
    expect(ask({ expression: 'seed.rows.size() + g.seed.base.size()' }).explanation).toMatchObject({
      details: { verdict: 'included', expression: { value: 7 } },
    });
  });

  it('has its new and changed patches in a plan', () => {
    const patch = (id: string, colour: string): string =>
      `  - id: ${id}\n    patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: sign}, body: {data: {colour: ${colour}, "${id}": x}}}\n`;
    const files = (...patches: string[]) => ({
      'a.yaml': application(
        'a',
        '{ path: apps/g, plugin: { name: render-rgd, parameters: [{ name: experimental, array: [graph] }] } }',
      ),
      'apps/g/orchard.yaml': `${orchard('plum').replace(/ {2}- id: (?:well|deep)\n.*\n/g, '')}${patches.join('')}`,
    });
    const listed = (before: Texts, after: Texts) =>
      planOf(before, after, undefined, [], {
        settings: { ...defaultSettings, namespace: 'yard', ...options },
      }).reports.map(({ code, node, message }) => `${code} ${node} ${message}`);
    const [one, two] = [patch('one', 'red'), patch('two', 'red')];
    expect(listed(files(one), files(one, two))).toEqual([
      'graph-patch two renders nothing: kro sets data.colour, data.two of ConfigMap yard/sign',
    ]);
    expect(listed(files(one, two), files(one))).toEqual([]);
  });

  it('explains the key n of an iterator', () => {
    const text = orchard('plum').replace('forEach: [{r:', 'forEach: [{n:');
    const { diagnostics } = render({ objects: [{ file: 'orchard.yaml', text }] }, options);
    expect(diagnostics.find(({ code }) => code === 'graph-node')?.hint).toMatch(/booleans in YAML/);
  });

  it('is drawn, also as an instance', () => {
    const input = { objects: [{ file: 'orchard.yaml', text: nested }] };
    expect(JSON.stringify(graph(input, options).pictures)).toContain('leaf');
    const [picture] = graph(input, { ...options, instance: 'Graph/orchard' }).pictures;
    expect(JSON.stringify(picture)).toMatch(/g\.leaf/);
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

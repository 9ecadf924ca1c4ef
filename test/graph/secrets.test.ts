import { describe, expect, it } from 'vitest';
import { render } from '../../src/api/index.ts';
import { explain } from '../../src/api/tools/index.ts';

const secret = {
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cred', namespace: 'default' } },
  stringData: { p: 'Plum_Tree' },
};
const made = (name: string): string =>
  `{id: made, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${name}"}}}`;
const cred = '{id: cred, ref: {apiVersion: v1, kind: Secret, metadata: {name: cred}}}';

/** The messages of a Graph with these nodes: a name with a capital and an underscore is an error that quotes it. */
function messagesOf(...nodes: string[]): string {
  const text = `{apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: one, namespace: default}, spec: {nodes: [{id: seed, def: {a: b}}, ${nodes.join()}]}}`;
  const input = { objects: [{ file: 'one.yaml', text }, secret as never] };
  const options = { experimental: ['graph'] } as const;
  const { diagnostics } = render(input, options);
  expect(diagnostics.map(({ code }) => code)).toContain('object-name');
  return JSON.stringify([diagnostics, explain(input, { object: 'Graph/one' }, options)]);
}

describe('a value of a Secret in a Graph', () => {
  it.each([
    ['of a ref', [cred, made('${cred.stringData.p}')]],
    ['of a variable', [cred, '{id: v, def: {w: "${cred.stringData.p}"}}', made('${v.w}')]],
    ['of a variable called schema', [cred, '{id: schema, def: {w: "${cred.stringData.p}"}}', made('${schema.w}')]],
    [
      'of a list of variables',
      [cred, `{id: v, forEach: [{x: '\${["a"]}'}], def: {w: "\${cred.stringData.p + x}"}}`, made('${v[0].w}')],
    ],
    ['of a node of a graph', [`{id: g, graph: {nodes: [${cred}]}}`, made('${g.cred.stringData.p}')]],
    [
      'of a variable of a graph in a graph',
      [
        `{id: g, graph: {nodes: [{id: h, graph: {nodes: [${cred}, {id: v, def: {w: "\${cred.stringData.p}"}}]}}]}}`,
        made('${g.h.v.w}'),
      ],
    ],
    [
      'whose id a graph hides',
      [cred, '{id: g, graph: {nodes: [{id: cred, def: {stringData: {p: x}}}]}}', made('${cred.stringData.p}')],
    ],
    [
      'whose id hides another one',
      ['{id: cred, def: {stringData: {p: x}}}', `{id: g, graph: {nodes: [${cred}, ${made('${cred.stringData.p}')}]}}`],
    ],
    [
      'in a list around it',
      [
        cred,
        `{id: g, graph: {nodes: [{id: v, def: {a: x}}, {id: made, forEach: [{x: "\${[cred.stringData.p]}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${v.a + x}"}}}]}}`,
      ],
    ],
    [
      'in a Graph that a node renders',
      [
        cred,
        `{id: g, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: two}, spec: {nodes: [{id: seed, def: {a: b}}, {id: v, def: {w: "\${cred.stringData.p}"}}, ${made('${\\"${v.w}\\"}')}]}}}`,
      ],
    ],
  ])('is hidden: one %s', (_, nodes) => {
    expect(messagesOf(...nodes)).not.toContain('Plum_Tree');
  });
});
